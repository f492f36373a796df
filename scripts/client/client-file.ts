import type { Route } from '../../lib/contract/route.ts'
import { type ClientOperation, clientOperations, isList, schemas } from './client-operations.ts'
import { comment, nameOf, typeText } from './type-text.ts'
import { isConverted, paramsName, paramsOf } from './types-file.ts'

/** The text of clients/typescript/src/client.ts: how each operation is sent, and its method. */
export function clientFile(): string {
  const client = [head, ...clientOperations.map(method)].join('\n\n')
  return [imports, rows(), `${client}\n}\n`].join('\n\n')
}

const imports = `// \`npm run generate\` writes this file from the operations.
import { type ApiCall, call } from './call.ts'
import { conversions } from './conversions.ts'
import { type List, list } from './list.ts'
import type { Operation } from './operation.ts'
import type { CallOptions, ClientOptions, ReadOptions } from './options.ts'
import { addressOf } from './request.ts'
import type * as types from './types.ts'`

const head = `/**
 * A client of the Player NFTs API. Each method is an operation of the API and has its \`operationId\`. Calls
 * reject with a {@link PlayerNftsError}, or with a TypeError if the parameters cannot be sent.
 */
export class PlayerNfts {
  readonly #options: ClientOptions

  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string

  /** @throws {TypeError} if \`baseUrl\` is no http or https address, or has more than a host and a path. */
  constructor(options: ClientOptions) {
    this.baseUrl = addressOf(options.baseUrl)
    this.#options = { ...options, baseUrl: this.baseUrl }
  }

  /** Returns a client with some other options, such as another player token. */
  withOptions(options: Partial<ClientOptions>): PlayerNfts {
    return new PlayerNfts({ ...this.#options, ...options })
  }`

/** How each operation is sent, and what the client changes in its answer. */
function rows(): string {
  const lines = clientOperations.map(({ id, route, path, answer, parameters }) => {
    const inQuery = parameters.filter((parameter) => parameter.in === 'query')
    const queryNames = inQuery.map(({ name }) => `'${name}'`)
    const schema = nameOf((answer.items ?? answer).$ref ?? '')
    const columns = [
      `id: '${id}', method: '${route.method}', path: '${path}'`,
      `credentials: [${credentialsOf(route)}], effect: '${effectOf(route)}'`,
      route.form === 'bare' && 'bare: true',
      sentBy(route) && `sends: '${sentBy(route)}'`,
      route.body && queryNames.length > 0 && `inQuery: [${queryNames.join(', ')}]`,
      route.hasAge && 'hasAge: true',
      isConverted(answer) && `convert: conversions.${schema}`,
    ]
    return `  ${id}: { ${columns.filter(Boolean).join(', ')} },`
  })
  const declaration = 'const operations: { readonly [Id in types.OperationId]: Operation } = {'
  return [declaration, ...lines, '}'].join('\n')
}

const credentialsOf = ({ auth, player }: Route): string =>
  [
    auth === 'PRODUCT' && `'apiKey'`,
    auth === 'USER' && `'userJwt'`,
    auth === 'SESSION' && `'session'`,
    player && `'playerToken'`,
  ]
    .filter(Boolean)
    .join(', ')

/** The form of the body, where the method does not say it. */
function sentBy({ method, body, oauth }: Route): string | undefined {
  if (oauth) return 'form'
  if (method === 'DELETE') return body && 'json'
  return method === 'POST' && !body ? 'nothing' : undefined
}

const effectOf = ({ effect, method }: Route) =>
  effect ?? (method === 'GET' ? 'reads' : 'repeatable')

function typeOf(name: string): string {
  const schema = schemas[name] ?? {}
  return schema.type === 'object' ? `types.${name}` : typeText(schema, typeOf)
}

function method(operation: ClientOperation): string {
  const { id, row, route, body, answer, description } = operation
  const [paragraph = ''] = description.split('\n\n')
  const params = paramsOf(operation, typeOf)
  const isOptional = !body?.isRequired && params.every((param) => param.isOptional)
  const parameters = [
    params.length > 0 && `params: types.${paramsName(operation)}${isOptional ? ' = {}' : ''}`,
    `options?: ${route.hasAge ? 'ReadOptions' : 'CallOptions'}`,
  ]
  const isPaged = isList(operation)
  const type = typeText((isPaged && answer.items) || answer, typeOf)
  const sent = `this.#options, operations.${id}, ${params.length > 0 ? 'params' : '{}'}, options`
  return [
    ...comment(id === row ? paragraph : `The same as {@link PlayerNfts.${row}}.`, '  '),
    `  ${id}(${parameters.filter(Boolean).join(', ')}): ${isPaged ? 'List' : 'ApiCall'}<${type}> {`,
    `    return ${isPaged ? 'list' : 'call'}(${sent})`,
    '  }',
  ].join('\n')
}
