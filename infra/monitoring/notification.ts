import type { RunbookEntry } from './alarm-row.ts'
import { queryName } from './logs-insights.ts'

/** CloudWatch accepts descriptions of up to this many characters. */
export const maxDescriptionLength = 1_024

/** The text of a notification. It is plain, because people read it in a mail. */
export function notification(entry: RunbookEntry, stackName: string): string {
  const steps = entry.firstSteps.map((step, index) => {
    const text =
      typeof step === 'string' ? step : `${step.text} query ${queryName(step.query, entry.name)}`
    return `${index + 1}. ${plain(text)}`.replaceAll('$STACK', stackName)
  })
  const subjects = entry.firstSteps.flatMap((step) =>
    typeof step === 'string' ? [] : [step.query.subject ?? entry.name],
  )
  return [
    `Urgency: ${entry.urgency}.`,
    plain(entry.description),
    'First steps:',
    ...steps,
    ...(subjects.length > 0
      ? [
          `Queries: CloudWatch Logs Insights, Saved queries, ${stackName}, or ask (docs/runbook.md#alarms). As text:`,
        ]
      : []),
    ...[...new Set(subjects)].map(
      (subject) =>
        `aws logs describe-query-definitions --query-definition-name-prefix ${stackName}/${subject}/`,
    ),
    `Runbook: docs/alarms.md#${entry.name}`,
  ].join('\n')
}

/** Markdown without its marks and the addresses of its links. */
const plain = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
