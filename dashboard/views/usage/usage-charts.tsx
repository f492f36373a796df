import { counted } from '../../shell/counted.ts'
import { BarChart } from './bar-chart.tsx'
import type { ChartDay } from './chart-days.ts'
import { type DayNumbers, dailyNumbers } from './daily-series.ts'
import type { UsageProps } from './usage-tables.tsx'

/** The charts of the usage: calls, calls without success, players and indexer calls by day. */
export function UsageCharts({ usage, limits }: UsageProps) {
  const days = dailyNumbers(usage)
  const indexerLimits = limits.filter(({ name }) => name === 'indexer_calls_by_day')
  return (
    <div class="charts columns">
      <BarChart
        title="Calls"
        unit="calls"
        total={totalText(days, 'calls', 'calls')}
        days={days.map((day) => chartDay(day, 'succeeded', 'refused', 'failed'))}
      />
      <BarChart
        title="Calls without success"
        unit="calls"
        total={withoutSuccess(days)}
        days={days.map((day) => chartDay(day, 'refused', 'failed'))}
      />
      <BarChart
        title="Players"
        unit="players"
        total={mostPlayers(days)}
        days={days.map((day) => ({
          ...chartDay(day, 'players'),
          isEstimate: day.playersEstimated,
        }))}
      />
      <BarChart
        title="Indexer calls"
        unit="indexer calls"
        total={totalText(days, 'indexerCalls', 'indexer calls')}
        days={days.map((day) => chartDay(day, 'indexerCalls'))}
        lines={indexerLimits.map(({ count }) => ({ name: 'Limit of a day', value: count }))}
      />
    </div>
  )
}

type NumberName = {
  [Name in keyof DayNumbers]: DayNumbers[Name] extends number ? Name : never
}[keyof DayNumbers]

const chartDay = (day: DayNumbers, ...names: readonly NumberName[]): ChartDay => ({
  day: day.day,
  parts: names.map((name) => ({ name, value: day[name] })),
})

const sumOf = (days: readonly DayNumbers[], name: NumberName) =>
  days.reduce((sum, day) => sum + day[name], 0)

const totalText = (days: readonly DayNumbers[], name: NumberName, unit: string) =>
  `${sumOf(days, name).toLocaleString('en')} ${unit} in ${daysText(days)}`

const daysText = ({ length }: readonly DayNumbers[]) => counted(length, 'day')

function withoutSuccess(days: readonly DayNumbers[]): string {
  const [refused, failed] = [sumOf(days, 'refused'), sumOf(days, 'failed')]
  return `${refused.toLocaleString('en')} refused, ${failed.toLocaleString('en')} failed in ${daysText(days)}`
}

/** The players of several days cannot be added: the same player is counted on each day. */
function mostPlayers(days: readonly DayNumbers[]): string {
  const most = days.reduce<DayNumbers | undefined>(
    (best, day) => (best && best.players >= day.players ? best : day),
    undefined,
  )
  if (!most?.players) return `No players counted yet in ${daysText(days)}`
  const about = most.playersEstimated ? 'about ' : ''
  return `Up to ${about}${most.players.toLocaleString('en')} players a day`
}
