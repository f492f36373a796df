import { deploymentSettings } from '../settings.ts'
import { volumeThresholds } from '../volume-thresholds.ts'
import type { AlarmRow } from './alarm-row.ts'
import { alarmTable } from './alarm-table.ts'

/** docs/runbook.md: a heading for each alarm, in the order of the alarm table. */
export const runbook = (): string => `${[introduction, ...alarmTable.map(section)].join('\n\n')}\n`

const introduction = `# Runbook

What to do when an alarm goes off. Every alarm notifies the SNS topic when its alarm state begins and when it ends.
If each function has its own alarm, the name of the alarm ends with the name of the function.

The queries are for CloudWatch Logs Insights. Select the log groups whose names begin with
\`PlayerNfts-<stage>-Functions\`, or \`PlayerNfts-<stage>-HttpApiAccessLog\` for the access log.
[Logs](operations.md#logs-and-metrics) describes the fields. The commands and queries are written from the
documentation of AWS and were not yet used in an account.

<!-- \`npm run runbook\` writes this page from infra/alarms. Change it there. -->`

const section = (row: AlarmRow): string =>
  [
    `## ${row.name}`,
    row.description,
    `Threshold: ≥ ${thresholdIn(row)} in ${periodsOf(row)} of five minutes.`,
    '### First steps',
    list(row.firstSteps, (index) => `${index + 1}. `),
    '### Resolution',
    list(row.resolution, () => '- '),
  ].join('\n\n')

/** A threshold that follows from settings is shown with its value in a deployment with the default settings. */
function thresholdIn({ threshold, unit }: AlarmRow): string {
  if (typeof threshold === 'number') return `${threshold.toLocaleString('en')} ${unit}`
  const value = volumeThresholds(deploymentSettings({}))[threshold]
  return `${value.toLocaleString('en')} ${unit} with the default settings ([volumeAlarms.${threshold}](operations.md#alarms-on-volume))`
}

const periodsOf = ({ periods }: AlarmRow): string =>
  periods === 1 ? 'one period' : periods === 3 ? 'three successive periods' : '2 of 3 periods'

const list = (items: readonly string[], marker: (index: number) => string): string =>
  items
    .map((item, index) => {
      const start = marker(index)
      return `${start}${item.replaceAll('\n', `\n${' '.repeat(start.length)}`)}`
    })
    .join('\n')
