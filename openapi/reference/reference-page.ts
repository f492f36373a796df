import { operationIds, routes } from '../../functions/operations.ts'
import type { Tag } from '../../lib/contract/documentation.ts'
import { tags } from '../api.ts'
import { needOfProblem, withNeed } from '../needs.ts'
import { documentationOf } from '../operations.ts'
import { problemCodes, problems } from '../problems/problems.ts'
import { anchorOf, table } from './markdown.ts'
import { objectSection, sharedSchemas } from './objects.ts'
import { credentialOf, operationSection } from './operation-section.ts'

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

The commands are for a POSIX shell. The [four calls of the README](../README.md#four-calls) set the variables of the
credentials. \`KEY_ID\` is the path parameter \`keyId\`.

\`\`\`sh
ORIGIN=http://127.0.0.1:\${PORT:-3000}
BASE=$ORIGIN/api/public/v1
\`\`\``

/** docs/reference.md: a section for each operation, then the problems and the objects that several operations have. */
export const referencePage = (): string =>
  `${[
    introduction,
    overview(),
    ...Object.entries(tags).flatMap(([tag, description]) => [
      `## ${tag}`,
      inTheDocument(description),
      ...idsOf(tag as Tag).map((id) => inTheDocument(operationSection(id))),
    ]),
    problemTable(),
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

const problemTable = (): string =>
  [
    '## Problems',
    '[When a call fails](api.md#when-a-call-fails), the answer is a [Problem](#problem-object) with one of these codes.',
    table(
      ['code', 'status', 'meaning'],
      problemCodes.map((code) => [
        `\`${code}\``,
        `${problems[code].status}`,
        withNeed(problems[code].description, needOfProblem(code)),
      ]),
    ),
  ].join('\n\n')
