import { type OperationId, routes } from '../../functions/operations.ts'
import type { AnyDocumentation } from '../../lib/contract/documentation.ts'
import {
  base,
  type Feature,
  needsManage,
  problemsOf,
  type Route,
} from '../../lib/contract/route.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import { jsonSchemaOf } from '../generator/json-schema.ts'
import { type OperationObject, operationObject } from '../generator/operation-object.ts'
import { jsonText } from '../json-text.ts'
import { documentationOf } from '../operations.ts'
import { problems } from '../problems/problems.ts'
import { anchorOf, block } from './markdown.ts'
import {
  fieldTable,
  inputTable,
  nameOf,
  objectSection,
  ownSchemasOf,
  type Schema,
  typeOf,
} from './objects.ts'

/** Returns the call of an operation with the client in TypeScript, which prints the answer. */
export type ClientCall = (id: OperationId) => string

/** The section of an operation: what it does, its input and answer with an example, and its problems. */
export function operationSection(id: OperationId, clientCall: ClientCall): string {
  const route: Route = routes[id]
  const documentation = documentationOf(id)
  const { summary, description } = documentation
  const operation = operationObject(id, { operationId: id, summary }, route, documentation)
  const shown = [route.body, route.answer].map((schema) => schema && topNameOf(schema))
  return [
    `### ${summary}`,
    factsOf(route),
    description,
    ...parametersOf(operation),
    ...bodyOf(route),
    block('sh', commandOf(route, operation, documentation)),
    block('ts', clientCall(id)),
    ...answerOf(id, route),
    block('json', jsonText(exampleOf(operation))),
    problemsLine(route),
    ...ownSchemasOf(id)
      .filter((name) => !shown.includes(name))
      .map((name) => objectSection(name, '####')),
  ].join('\n\n')
}

/** The credential of an operation in a cell of a table. */
export const credentialOf = ({ auth, player, ...route }: Route): string =>
  [
    {
      NONE: '',
      PRODUCT: 'API key',
      USER: 'user JWT',
      SESSION: 'isSessionOptional' in route ? 'none, or a session' : 'session',
    }[auth],
    player && 'player token',
  ]
    .filter(Boolean)
    .join(' and ') || 'none'

/** The pages about what only some deployments have. */
const pagesOf: Record<Feature, string> = {
  walletSignIn: 'wallet-sign-in.md',
  webhooks: 'webhooks.md',
}

function factsOf(route: Route): string {
  const { method, paths, clientAccess, limits = [], needs } = route
  const requests = paths.map((path) => `\`${method} ${path}\``)
  const credential = [
    credentialOf(route),
    needsManage(route) && ' with the scope `MANAGE`',
    clientAccess && ', or [without an API key](api.md#games-without-an-api-key)',
  ]
  return [
    `- Request: ${requests.join(' or ')}`,
    ...(needs ? [`- Only in deployments with: [\`${needs}\`](${pagesOf[needs]})`] : []),
    `- Credential: ${credential.filter(Boolean).join('')}`,
    ...(limits.length > 0
      ? [`- [Limits](api.md#limits): ${limits.map((name) => `\`${name}\``).join(', ')}`]
      : []),
  ].join('\n')
}

interface Parameter {
  name: string
  in: string
  description: string
  required?: true
  schema: Schema
  example: string | number | readonly string[]
}

const parametersIn = ({ parameters = [] }: OperationObject, place: string) =>
  (parameters as unknown as Parameter[]).filter((parameter) => parameter.in === place)

const kinds = { path: 'path parameter', query: 'query parameter', header: 'header' }

const parametersOf = (operation: OperationObject): string[] =>
  Object.entries(kinds).flatMap(([place, kind]) => {
    const inputs = parametersIn(operation, place).map(({ required, description, ...rest }) => ({
      ...rest,
      isRequired: required === true,
      meaning: description,
    }))
    return inputs.length > 0 ? [inputTable(kind, inputs)] : []
  })

const bodyOf = ({ body }: Route): string[] =>
  body ? [fieldTable(topNameOf(body), 'body field')] : []

/** The named schema that a body or an answer is, or whose list it is. */
const topNameOf = (schema: Route['answer']): string => {
  const json: Schema = { ...jsonSchemaOf(schema) }
  return nameOf((json['items'] as Schema | undefined) ?? json)
}

/** The command that sends the first example, with the required parameters only. */
function commandOf(route: Route, operation: OperationObject, { requests = {} }: AnyDocumentation) {
  const { method, isBodyOptional } = route
  const [request] = isBodyOptional ? [] : Object.values(requests)
  const isImplied = method === 'GET' || (method === 'POST' && request)
  const words = [
    `curl -w '\\n' ${isImplied ? '' : `-X ${method} `}"${urlOf(route, operation)}"`,
    ...credentialHeaders(route).map((header) => `-H "${header}"`),
    ...(request ? bodyWords(route, request.value) : []),
  ]
  const line = words.join(' ')
  return line.length > 100 || line.includes('\n') ? words.join(' \\\n  ') : line
}

function urlOf({ paths: [path] }: Route, operation: OperationObject): string {
  const place = path.startsWith(base) ? `$BASE${path.slice(base.length)}` : `$ORIGIN${path}`
  const query = parametersIn(operation, 'query')
    .filter(({ required }) => required)
    .flatMap(({ name, example }) =>
      [example].flat().map((value) => `${name}=${encodeURIComponent(value)}`),
    )
  const url = place.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${variableOf(name)}`)
  return query.length > 0 ? `${url}?${query.join('&')}` : url
}

/** The shell variable of a parameter of the path: `KEY_ID` for `keyId`. */
export const variableOf = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()

const credentialHeaders = ({ auth, player, ...route }: Route): string[] => [
  ...(auth === 'PRODUCT' ? ['X-Api-Key: $API_KEY'] : []),
  ...(auth === 'USER' ? ['Authorization: Bearer $USER_JWT'] : []),
  ...(auth === 'SESSION' && !('isSessionOptional' in route)
    ? ['Authorization: Bearer $SESSION']
    : []),
  ...(player ? ['X-Player-Token: $PLAYER_TOKEN'] : []),
]

const bodyWords = ({ oauth }: Route, body: unknown): string[] =>
  oauth
    ? Object.entries(body as Record<string, string>).map(([name, value]) => `-d ${name}=${value}`)
    : ["-H 'Content-Type: application/json'", `-d ${quoted(body)}`]

/** JSON as a word of a POSIX shell. */
const quoted = (value: unknown): string => `'${jsonText(value).replaceAll("'", "'\\''")}'`

function answerOf(id: OperationId, { answer, form, hasAge, maxAgeSeconds }: Route): string[] {
  const name = topNameOf(answer)
  const json: Schema = { ...jsonSchemaOf(answer) }
  const isOwn = ownSchemasOf(id).includes(name)
  const ownType = 'items' in json ? 'array of objects' : 'object'
  const envelopeMembers = [
    form === 'paged' && '[`nextCursor`](api.md#long-lists)',
    hasAge && '[`asOf` and `stale`](api.md#the-age-of-an-answer)',
  ].filter(Boolean)
  const facts = [
    `**Answer** (${form === 'bare' ? 'without the envelope' : '`data`'}): ${isOwn ? ownType : typeOf(json)}.`,
    envelopeMembers.length > 0 && `Beside it: ${envelopeMembers.join(', ')}.`,
    maxAgeSeconds && `Any cache may keep it for ${maxAgeSeconds / 60} minutes.`,
  ]
  return [facts.filter(Boolean).join(' '), ...(isOwn ? [fieldTable(name)] : [])]
}

/** The first example of the answer. */
function exampleOf({ responses: { 200: success } }: OperationObject): unknown {
  const { content } = success as { content: { 'application/json': { examples: object } } }
  return Object.values(content['application/json'].examples)[0].value
}

const linkTo = (code: ProblemCode): string => `[\`${code}\`](#${anchorOf(code)})`

function problemsLine(route: Route): string {
  const byStatus = Map.groupBy(problemsOf(route), (code) => problems[code].status)
  const lists = [...byStatus]
    .sort(([status], [other]) => status - other)
    .map(([status, codes]) => `${status} ${codes.map(linkTo).join(', ')}`)
  return `**Problems:** ${lists.join('; ')}`
}
