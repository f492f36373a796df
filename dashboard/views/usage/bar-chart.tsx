import { useId, useState } from 'preact/hooks'
import { NumberCell, Table } from '../../components/table.tsx'
import { type ChartDay, dayNumbersText, type Line, longDay, totalOf } from './chart-days.ts'
import { ChartDrawing } from './chart-drawing.tsx'

interface ChartContent {
  readonly title: string
  /** What is counted, for example `calls`. */
  readonly unit: string
  readonly total: string
  /** The days, oldest first, each with the same parts. */
  readonly days: readonly ChartDay[]
  /** Limits of a day. */
  readonly lines?: readonly Line[]
}

/** The numbers of each day as bars. Without any, a chart is its text. */
export const BarChart = (content: ChartContent) =>
  content.days.some((day) => totalOf(day) > 0) ? (
    <DrawnChart {...content} />
  ) : (
    <section class="chart card stack is-close is-empty" aria-label={content.title}>
      <h2>{content.title}</h2>
      <p class="chart-readout">{content.total}</p>
    </section>
  )

/**
 * The numbers of each day as bars. The chart is one stop of the keyboard, at which the arrow keys go from day to day; the
 * text above says the numbers of the day. The table below has all of them.
 */
function DrawnChart({ title, unit, total, days, lines = [] }: ChartContent) {
  const [chosen, setChosen] = useState<number>()
  const titleId = useId()
  const last = days.length - 1
  const shown = chosen === undefined ? undefined : days[Math.min(chosen, last)]
  const move = (event: KeyboardEvent) => {
    const to = targetOf(event.key, chosen ?? last, last)
    if (to === undefined) return
    event.preventDefault()
    setChosen(to)
  }
  return (
    <section class="chart card stack is-close" aria-labelledby={titleId}>
      <header class="stack is-close">
        <h2 id={titleId}>{title}</h2>
        <p class="chart-readout">{shown ? dayNumbersText(shown, unit) : total}</p>
      </header>
      <div
        class="chart-plot"
        role="slider"
        tabIndex={0}
        aria-label={`${title}, day`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        aria-valuetext={dayNumbersText(shown ?? days[last], unit)}
        onKeyDown={move}
        onFocus={() => setChosen(chosen ?? last)}
        onBlur={() => setChosen(undefined)}
        onPointerLeave={() => setChosen(undefined)}
      >
        <ChartDrawing days={days} lines={lines} chosen={chosen} onChoose={setChosen} />
      </div>
      <Legend days={days} />
      <ChartTable title={title} unit={unit} days={days} lines={lines} />
    </section>
  )
}

/** The day to which a key leads, as in a slider. */
function targetOf(key: string, from: number, last: number): number | undefined {
  const targets = new Map([
    ['ArrowLeft', from - 1],
    ['ArrowDown', from - 1],
    ['ArrowRight', from + 1],
    ['ArrowUp', from + 1],
    ['PageDown', from - 7],
    ['PageUp', from + 7],
    ['Home', 0],
    ['End', last],
  ])
  const to = targets.get(key)
  return to === undefined ? undefined : Math.min(last, Math.max(0, to))
}

function Legend({ days }: { days: readonly ChartDay[] }) {
  const names = days[0]?.parts.map(({ name }) => name) ?? []
  if (names.length < 2) return null
  return (
    <ul class="chart-legend cluster hint">
      {names.map((name) => (
        <li key={name} class="cluster">
          <span class={`chart-key is-${name}`} aria-hidden="true" />
          {name}
        </li>
      ))}
    </ul>
  )
}

/** The numbers of a chart as a table, which is rendered when it is opened. The latest day is first. */
function ChartTable({ title, unit, days, lines = [] }: Omit<ChartContent, 'total'>) {
  const [isOpen, setIsOpen] = useState(false)
  const names = days[0]?.parts.map(({ name }) => name) ?? []
  const parts = names.length > 1 ? names : []
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary class="hint">
        Table<span class="visually-hidden"> of {title.toLowerCase()} by day</span>
      </summary>
      {isOpen && (
        <>
          {lines.map(({ name, value }) => (
            <p key={name}>
              {name}: {value.toLocaleString('en')}
            </p>
          ))}
          <Table columns={['Day (UTC)']} numbers={[unit, ...parts]}>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">{longDay(day.day)}</th>
                <NumberCell value={totalOf(day)} isEstimate={day.isEstimate ?? false} />
                {parts.length > 0 &&
                  day.parts.map(({ name, value }) => <NumberCell key={name} value={value} />)}
              </tr>
            ))}
          </Table>
        </>
      )}
    </details>
  )
}
