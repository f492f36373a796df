import { operationIds, routes } from '../../functions/operations.ts'
import type { Tag } from '../../lib/contract/documentation.ts'
import { tags } from '../api.ts'
import { documentationOf } from '../operations.ts'
import { anchorOf, block, table } from './markdown.ts'
import { objectSection, sharedSchemas } from './objects.ts'
import { type ClientCall, credentialOf, operationSection } from './operation-section.ts'
import { problemSections } from './problem-sections.ts'

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
