import type { Tag } from '../../lib/contract/documentation/operation-documentation.ts'
import type { AnyProblemCode } from '../../lib/contract/problems.ts'
import { signInProblems } from '../../lib/contract/sign-in-problems.ts'
import { tags } from '../api.ts'
import { problemDocumentation } from '../components/problems.ts'
import { operationIds, problems, routes } from '../edition.ts'
import { documentationOf } from '../operations.ts'
import { anchorOf, table } from './markdown.ts'
import { objectSection, sharedSchemas, sharedSchemasOf } from './objects.ts'
import { credentialOf, operationSection } from './operation-section.ts'

const introduction = `# API reference

Every operation of the API, in groups. \`npm run generate\` writes this page from [functions](../functions) and
[openapi](../openapi), and [openapi.json](openapi.json) has the same for programs, with more examples.
[Using the API](api.md) says what holds for all operations: credentials, lists, failures, limits, long lists.

- A field or parameter is required, or always present, if its type does not say "optional". In an optional field of a
  request, \`null\` and \`""\` mean that the field is absent.
- The body of a success is \`{ "data": …, "success": true }\`, unless its section says otherwise.
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
    problemTable(
      '[When a call fails](api.md#when-a-call-fails), the answer is a [Problem](#problem-object) with one of these codes.',
      Object.keys(problems) as AnyProblemCode[],
    ),
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

const problemTable = (sentence: string, codes: readonly AnyProblemCode[]): string =>
  [
    '## Problems',
    sentence,
    table(
      ['code', 'status', 'meaning'],
      codes.map((code) => [
        `\`${code}\``,
        `${problems[code].status}`,
        problemDocumentation[code].description,
      ]),
    ),
  ].join('\n\n')

/** docs/sign-in-reference.md: the operations of sign-in with wallets, with their problems and objects (D116). */
export const signInReferencePage = (): string =>
  `${[
    signInIntroduction,
    ...idsOf('Sign-in').map((id) =>
      operationSection(id).replace(/^###/, '##').replaceAll('\n#### ', '\n### '),
    ),
    problemTable(
      'Beside [those of every operation](reference.md#problems):',
      Object.keys(signInProblems) as AnyProblemCode[],
    ),
    '## Objects',
    ...sharedSchemasOf(idsOf('Sign-in')).map((name) => objectSection(name, '###')),
  ].join('\n\n')}\n`

const signInIntroduction = `# Sign-in reference

The operations with which players sign in with their wallets, in a deployment with [walletSignIn](wallet-sign-in.md). \`npm run generate\`
writes this page, and [openapi-sign-in.json](openapi-sign-in.json), which has all operations of such a deployment for programs. The
[API reference](reference.md) has the other operations, and says how to read a section.

Operations of OAuth 2.0 take a form in place of JSON, and a failure has \`error\` and \`error_description\` beside the members of a
[Problem](reference.md#problem-object).`
