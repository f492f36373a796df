import { deploymentSettings } from '../settings/settings.ts'
import { type AlarmRow, type RunbookEntry, thresholdOf } from './alarm-row.ts'
import { alarmTable } from './alarm-table.ts'
import { keyChanges } from './key-changes.ts'
import { queryName, queryText, type Step } from './logs-insights.ts'
import { playersTable } from './players-table.ts'

const introduction = `# Alarms

What each alarm of the stack means, and what to do when it goes off, in the order of the CloudWatch dashboard. To
run a query, use CloudWatch Logs Insights, or \`ask\` with its name ([how](runbook.md#alarms)): \`ask failures/by-reason 86400\`.
\`npm run generate\` writes this page from [infra/monitoring](../infra/monitoring).`

/** docs/alarms.md: a heading for each alarm, in the order of the alarm table. */
export const alarmsPage = (): string =>
  `${[introduction, ...alarmTable.map(ofAlarm), ofKeyChanges(), playersTable()].join('\n\n')}\n`

const ofAlarm = (row: AlarmRow): string =>
  section(
    row,
    `${row.isBelow ? '<' : '≥'} ${thresholdIn(row)} in ${row.window ?? periodsOf(row)}${
      row.isBelow || row.isOnWithoutData ? ', also without data' : ''
    }.${
      row.quietDuring
        ? ` While [${row.quietDuring}](#${row.quietDuring}) is on, there is no notification; otherwise it comes from the composite alarm \`${row.name}-unexplained\`, after up to five minutes.`
        : ''
    }`,
    defaultThreshold(row),
  )

const ofKeyChanges = (): string =>
  section(
    keyChanges,
    'a call of `DisableKey` or `ScheduleKeyDeletion` for a key of the stack. It is an event and no alarm, so it has no end, and it needs a [trail](operations.md#notifications) in CloudTrail.',
  )

const section = (entry: RunbookEntry, symptom: string, threshold?: number): string =>
  [
    `## ${entry.name}`,
    `**Symptom:** ${symptom}`,
    `**Urgency:** ${entry.urgency}.`,
    `**What it means:** ${entry.description}`,
    '**First steps**',
    list(
      entry.firstSteps.map((step) => stepOf(step, entry.name, threshold)),
      (index) => `${index + 1}. `,
    ),
    '**Resolution**',
    list(entry.resolution, () => '- '),
  ].join('\n\n')

const stepOf = (step: string | Step, alarm: string, threshold?: number): string => {
  if (typeof step === 'string') return step
  const { text, query } = step
  const name = `query \`${queryName(query, alarm)}\``
  return [`${text} ${name}`, '```text', queryText(query, threshold), '```'].join('\n')
}

/** The threshold of an alarm in a deployment with the default settings, which the page shows. */
const defaultThreshold = (row: AlarmRow): number => thresholdOf(row, deploymentSettings({}))

/** A threshold that follows from settings is shown with its value in a deployment with the default settings. */
function thresholdIn(row: AlarmRow): string {
  const { threshold, unit } = row
  const value = `${defaultThreshold(row).toLocaleString('en')} ${unit}`
  if (typeof threshold === 'number') return value
  const rule =
    typeof threshold === 'string'
      ? `[volumeAlarms.${threshold}](operations.md#alarms-on-volume)`
      : threshold.rule
  return `${value} with the default settings (${rule})`
}

const periodsOf = ({ periods }: AlarmRow): string =>
  periods === 1
    ? 'one period of five minutes'
    : periods === 3
      ? 'three successive periods of five minutes'
      : '2 of 3 periods of five minutes'

const list = (items: readonly string[], marker: (index: number) => string): string =>
  items
    .map((item, index) => {
      const start = marker(index)
      return `${start}${item.replaceAll('\n', `\n${' '.repeat(start.length)}`)}`
    })
    .join('\n')
