import type { Checked } from '../../test/deployed/tally.ts'
import { summary } from '../count.ts'
import type { LeftBehind } from './left-behind.ts'
import type { StepResult } from './run-steps.ts'
import { bootstrapStack } from './stage.ts'
import { withoutIdentifiers } from './without-identifiers.ts'

/** What a report is about. */
interface Trialled {
  /** `an AWS account in eu-central-1`. */
  readonly title: string
  readonly stage: string
  /** The commit of the code. */
  readonly version: string
  /** ISO 8601. */
  readonly startedAt: string
  readonly results: readonly StepResult[]
  /** What remains after the removal, or undefined if nobody knows. */
  readonly left: LeftBehind | undefined
  /** Texts that are secret although they do not look so. */
  readonly secrets: readonly string[]
}

/** The sums of all steps. */
export function countOf(results: readonly StepResult[]) {
  const count = { passed: 0, failed: 0, skipped: 0 }
  for (const { checks, tests, outcome, reason } of results) {
    const failed = checks.filter(({ error }) => error !== undefined).length
    count.passed += tests.passed + checks.length - failed
    count.failed += tests.failed + failed
    if (outcome === 'failed' && reason !== undefined) count.failed += 1
    if (outcome === 'skipped' || outcome === 'not run') count.skipped += 1
    count.skipped += tests.skipped
  }
  return count
}

/** The report of a trial as Markdown, without account ids, ARNs, host names, mail addresses and secrets. */
export function reportOf(trialled: Trialled): string {
  const { title, stage, version, startedAt, results, left, secrets } = trialled
  const text = [
    `# Trial of Player NFTs in ${title}`,
    '',
    `Version ${version}, begun ${startedAt}, ${totalOf(results)}, stage \`${stage}\`: ${summary(countOf(results))}.`,
    '',
    ...markdownTable(
      ['step', 'result', 'minutes'],
      results.map(({ name, outcome, reason, minutes }) => [
        name,
        outcome === 'skipped' ? `skipped: ${reason}` : outcome,
        minutes.toFixed(1),
      ]),
    ),
    ...results.flatMap(detailLines),
    '',
    '## What remains',
    '',
    ...(left ? remainingLines(left) : ['The removal has not ended.']),
    '',
  ].join('\n')
  return withoutIdentifiers(text, secrets)
}

const totalOf = (results: readonly StepResult[]): string =>
  `${Math.round(results.reduce((sum, { minutes }) => sum + minutes, 0))} minutes`

/** The checks, the lines and the error of a step that has them. */
function detailLines({ name, outcome, reason, checks, tests, lines }: StepResult): string[] {
  const hasEnded = outcome === 'failed' && reason !== undefined
  const counted = tests.passed + tests.failed > 0 ? [`Tests: ${summary(tests)}.`, ''] : []
  if (checks.length + lines.length + counted.length === 0 && !hasEnded) return []
  return [
    ...['', `## ${name}`, ''],
    ...counted,
    ...checks.flatMap(({ title, error }) =>
      error === undefined ? [`- ✓ ${title}`] : failureLines({ title, error }),
    ),
    ...(checks.length > 0 && lines.length > 0 ? [''] : []),
    ...lines,
    ...(hasEnded ? ['The trial ended here:', ...quoted(reason)] : []),
  ]
}

/** The lines of something that has failed, with its error. */
export const failureLines = ({ title, error }: Checked): string[] => [
  `- ✗ ${title}`,
  ...quoted(error),
]

/** The longest part of an error that is shown: the end of the output of a command says why it failed. */
const maxErrorLength = 2_000

function quoted(error: unknown): string[] {
  const text = error instanceof Error ? error.message : `${error}`
  const lines = text.slice(-maxErrorLength).replaceAll('```', "'''").trim().split('\n')
  return ['', '  ```text', ...lines.map((line) => `  ${line}`), '  ```', '']
}

function remainingLines({
  pendingKeys,
  hasBootstrapStack,
  others,
  unlisted,
}: LeftBehind): string[] {
  return [
    ...pendingKeys.map((name) => `- the key ${name}`),
    ...(hasBootstrapStack
      ? [`- the stack ${bootstrapStack}, which prepares the account for the CDK`]
      : []),
    ...others.map((name) => `- **not removed**: ${name}`),
    ...unlisted.flatMap(({ what, reason }) => [
      `- **could not be listed**: ${what}`,
      ...quoted(reason),
    ]),
  ]
}

/** The lines of a table. */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string[] {
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => `${cell}`.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  const [, ...others] = columns
  return [line(columns), `| --- |${others.map(() => ' ---: |').join('')}`, ...rows.map(line)]
}
