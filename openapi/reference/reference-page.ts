import { type OperationId, operationIds, routes } from '../../functions/operations.ts'
import type { Tag } from '../../lib/contract/documentation.ts'
import { needsManage, problemsOf, type Route } from '../../lib/contract/route.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import { tags } from '../api.ts'
import { needOfProblem, withNeed } from '../needs.ts'
import { documentationOf } from '../operations.ts'
import { problemCodes, problems } from '../problems/problems.ts'
import { anchorOf, block, table } from './markdown.ts'
import { objectSection, sharedSchemas } from './objects.ts'
import { type ClientCall, credentialOf, operationSection } from './operation-section.ts'

const clientSetup = [
  "import { PlayerNfts } from 'player-nfts-client'",
  '',
  'const { API_KEY: apiKey, PLAYER_TOKEN: playerToken, USER_JWT: userJwt } = process.env',
  "const { SESSION: session, KEY_ID: keyId = '', WEBHOOK_ID: webhookId = '' } = process.env",
  "const { ADDRESS: address = '', PRODUCT_ID: productId = '', USER_CODE: userCode = '' } = process.env",
  `const baseUrl = \`http://127.0.0.1:\${process.env['PORT'] ?? 3000}\``,
  'const client = new PlayerNfts({ baseUrl, apiKey, playerToken, userJwt, session })',
].join('\n')

const introduction = `# API reference

Every operation of the API, in groups. \`npm run generate\` writes this page from [functions](../functions) and
[openapi](../openapi), and [openapi.json](openapi.json) has the same for programs, with more examples.
[Using the API](api.md) says what holds for all operations: credentials, lists, failures, limits, long lists.

- A field or parameter is required, or always present, if its type does not say "optional". In an optional field of a
  request, \`null\` and \`""\` mean that the field is absent.
- The body of a success is \`{ "data": …, "success": true }\`, unless its section says otherwise.
- The operations of OAuth 2.0 (Authorize device, Create token) take a form in place of JSON, and a failure has \`error\` and
  \`error_description\` beside the members of a [Problem](#problem-object).
- An address is \`0x\` and 40 hexadecimal digits. A time is text as in RFC 3339.

Each operation has its request for a POSIX shell, and for the [TypeScript client](../clients/typescript). They take credentials
and parameters of the path from variables, for example \`KEY_ID\` for \`keyId\`; the [four calls of the
README](../README.md#four-calls) set the first three.

\`\`\`sh
export API_KEY PLAYER_TOKEN USER_JWT SESSION KEY_ID WEBHOOK_ID ADDRESS PRODUCT_ID USER_CODE
ORIGIN=http://127.0.0.1:\${PORT:-3000}
BASE=$ORIGIN/api/public/v1
\`\`\`

${block('ts', clientSetup)}`

/** docs/reference.md: a section for each operation, then the problems and the objects that several operations have. */
export const referencePage = (clientCall: ClientCall): string =>
  `${[
    introduction,
    overview(),
    ...Object.entries(tags).flatMap(([tag, description]) => [
      `## ${tag}`,
      inTheDocument(description),
      ...idsOf(tag as Tag).map((id) => inTheDocument(operationSection(id, clientCall))),
    ]),
    problemSections(),
    '## Objects',
    ...sharedSchemas().map((name) => inTheDocument(objectSection(name, '###'))),
  ].join('\n\n')}\n`

const idsOf = (tag: Tag) => operationIds.filter((id) => documentationOf(id).tag === tag)

/** The prose is that of the OpenAPI document, which calls itself "this document". */
const inTheDocument = (prose: string): string =>
  prose.replaceAll(/([Tt]h)is document\b/g, '$1e OpenAPI document')

const overview = (): string =>
  table(
    ['operation', 'request', 'credential'],
    (Object.keys(tags) as Tag[]).flatMap(idsOf).map((id) => {
      const { summary } = documentationOf(id)
      const { method, paths } = routes[id]
      return [
        `[${summary}](#${anchorOf(summary)})`,
        paths.map((path) => `\`${method} ${path}\``).join(', '),
        credentialOf(routes[id]),
      ]
    }),
  )

/** The section of all problems, in which each code is a heading. */
const problemSections = (): string =>
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
  ['every operation that needs the scope `MANAGE`', needsManage],
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
