import type { RunbookEntry } from './alarm-row.ts'

/** CloudWatch accepts descriptions of up to this many characters. */
export const maxDescriptionLength = 1_024

/**
 * What a notification says: how urgent it is, what has happened, the first steps with the names of the stack and of its
 * saved queries, and where to read on. It is plain text, because people read it in a mail.
 */
export function notification(entry: RunbookEntry, stackName: string): string {
  const steps = entry.firstSteps.map((step, index) => {
    const text = typeof step === 'string' ? step : `${step.text} query ${step.query.name}`
    return `${index + 1}. ${plain(text)}`.replaceAll('$STACK', stackName)
  })
  const hasQuery = entry.firstSteps.some((step) => typeof step !== 'string')
  return [
    `Urgency: ${entry.urgency}.`,
    plain(entry.description),
    'First steps:',
    ...steps,
    ...(hasQuery
      ? [
          `Queries: CloudWatch Logs Insights, Saved queries, ${stackName}/${entry.name}. As text:`,
          `aws logs describe-query-definitions --query-definition-name-prefix ${stackName}/${entry.name}/`,
        ]
      : []),
    `Runbook: docs/alarms.md#${entry.name}`,
  ].join('\n')
}

/** Markdown without its marks and the addresses of its links. */
const plain = (markdown: string): string =>
  markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '')
