import { type OperationId, operationIds, routes } from '../../functions/operations.ts'
import { problemsOf, type Route } from '../../lib/contract/route.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import { needOfProblem, withNeed } from '../needs.ts'
import { documentationOf } from '../operations.ts'
import { problemCodes, problems } from '../problems/problems.ts'
import { anchorOf } from './markdown.ts'

/** The section of all problems, in which each code is a heading. */
export const problemSections = (): string =>
  [
    '## Problems',
    '[When a call fails](api.md#when-a-call-fails), the answer is a [Problem](#problem-object) with one of these codes.',
    ...problemCodes.map(problemSection),
  ].join('\n\n')

/** The status of a problem, its meaning, and the operations that answer with it. */
function problemSection(code: ProblemCode): string {
  const { status, description } = problems[code]
  const meaning = withNeed(description, needOfProblem(code))
  return `### \`${code}\`\n\n**${status}:** ${meaning} Answered by ${operationsWith(code)}.`
}

/** What the operations with the same problem have in common. */
const kinds: readonly [words: string, isOne: (route: Route) => boolean][] = [
  ['every operation', () => true],
  ['every operation that takes an API key', ({ auth }) => auth === 'PRODUCT'],
  ['every operation that needs the scope `MANAGE`', ({ scope }) => scope === 'MANAGE'],
  ['every operation that takes a session', ({ auth }) => auth === 'SESSION'],
  ['every operation with a body', ({ body }) => body !== undefined],
  ['every operation with a body of JSON', ({ body, oauth }) => body !== undefined && !oauth],
  [
    'every operation with a body, query parameters or a player token',
    ({ body, query, player }) => Boolean(body || query || player),
  ],
]

function operationsWith(code: ProblemCode): string {
  const has = (id: OperationId) => problemsOf(routes[id]).includes(code)
  const kind = kinds.find(([, isOne]) => operationIds.every((id) => isOne(routes[id]) === has(id)))
  if (kind) return kind[0]
  const others = operationIds.filter((id) => !has(id))
  return others.length < 4
    ? `every operation but ${linksTo(others)}`
    : linksTo(operationIds.filter(has))
}

const linksTo = (ids: readonly OperationId[]): string =>
  list.format(
    ids.map((id) => {
      const { summary } = documentationOf(id)
      return `[${summary}](#${anchorOf(summary)})`
    }),
  )

const list = new Intl.ListFormat('en-GB', { type: 'conjunction' })
