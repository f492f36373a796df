import type { Credential, Operation } from './operation.ts'
import type { ClientOptions, Secret } from './options.ts'
import { type TokenElement, tokenTexts } from './token-elements.ts'

/** The parameters of a call, by name: those of the path, the query or the body, and credentials. */
export type Params = Readonly<Record<string, unknown>>

/** A request without its credentials. */
export interface Request {
  url: string
  body: string | URLSearchParams | undefined
  credentials: Readonly<Partial<Record<Credential, Secret>>>
}

/**
 * Returns the request of an operation.
 * @throws {TypeError} if a parameter of the path is missing, or a token identifier is a number.
 */
export function requestOf(operation: Operation, params: Params, client: ClientOptions): Request {
  const { playerToken: _, userJwt: __, session: ___, ...rest } = params
  const fields: Record<string, unknown> = rest
  if ('tokens' in fields) fields['tokens'] = tokenTexts(fields['tokens'] as TokenElement[])
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields[name]
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be text`)
    // Every runtime resolves these in a path, so the request would reach another operation.
    if (value === '.' || value === '..') throw new TypeError(`${name} must not be ${value}`)
    delete fields[name]
    return encodeURIComponent(value)
  })
  const credentials = credentialsOf(operation, params, client)
  const { method } = operation
  const { sends = method === 'POST' || method === 'PATCH' ? 'json' : 'nothing' } = operation
  if (isForGame(operation, credentials)) fields['productId'] ??= client.productId
  const query = queryOf(sends === 'nothing' ? fields : taken(fields, operation.inQuery))
  return { url: client.baseUrl + path + query, body: bodyOf(sends, fields), credentials }
}

function taken(fields: Record<string, unknown>, names: readonly string[] = []): Params {
  const entries = names.map((name) => [name, fields[name]])
  for (const name of names) delete fields[name]
  return Object.fromEntries(entries)
}

function bodyOf(sends: Operation['sends'], fields: Params): Request['body'] {
  if (sends === 'nothing') return undefined
  return sends === 'form' ? formOf(fields) : JSON.stringify(fields)
}

/** Whether the operation takes the id of the product in place of an API key (D52). */
const isForGame = ({ credentials }: Operation, { apiKey }: Request['credentials']) =>
  credentials.length === 2 && apiKey === undefined

function credentialsOf(operation: Operation, params: Params, client: ClientOptions) {
  const credentials: Partial<Record<Credential, Secret>> = {}
  for (const name of operation.credentials) {
    const secret = (params[name] ?? client[name]) as Secret | undefined
    if (secret !== undefined) credentials[name] = secret
  }
  return credentials
}

function formOf(fields: Params): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined || value === null) continue
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item))
  }
  return form
}

function queryOf(fields: Params): string {
  const text = formOf(fields).toString()
  return text && `?${text}`
}

/**
 * Returns the address without a slash at the end, and without the path of the API, which is often copied with it.
 * @throws {TypeError} if it is no http or https address, or has more than a host and a path.
 */
export function addressOf(baseUrl: string | URL): string {
  const { protocol, username, password, origin, pathname, search, hash } = new URL(baseUrl)
  if (!/^https?:$/.test(protocol)) {
    throw new TypeError('baseUrl must begin with https:// or http://')
  }
  if (username || password) throw new TypeError('baseUrl must not contain a user or password')
  if (search || hash) throw new TypeError('baseUrl must not contain a query or fragment')
  return origin + pathname.replace(/\/+$/, '').replace(/\/api\/public\/v1$/, '')
}

const headerNames = {
  ...{ apiKey: 'X-Api-Key', playerToken: 'X-Player-Token' },
  ...{ userJwt: 'Authorization', session: 'Authorization' },
}

/**
 * Returns the headers of one request.
 * @throws {TypeError} if a credential is no text, or a value has characters that a header cannot have. The
 * message does not contain the value.
 */
export async function headersOf(request: Request, more: Readonly<Record<string, string>> = {}) {
  const headers = new Headers({ Accept: 'application/json, application/problem+json' })
  if (typeof request.body === 'string') headers.set('Content-Type', 'application/json')
  for (const [name, secret] of Object.entries(request.credentials)) {
    const value: unknown = typeof secret === 'function' ? await secret() : secret
    if (typeof value !== 'string') throw new TypeError(`${name} must be text`)
    const text = name === 'userJwt' || name === 'session' ? `Bearer ${value}` : value
    setHeader(headers, headerNames[name as Credential], text, name)
  }
  for (const [name, value] of Object.entries(more)) setHeader(headers, name, value, name)
  return headers
}

function setHeader(headers: Headers, name: string, value: string, label: string): void {
  try {
    headers.set(name, value)
  } catch {
    // The message of the runtime contains the value, which can be a credential.
    throw new TypeError(`${label} has characters that a header cannot have`)
  }
}
