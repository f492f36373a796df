import { routes } from '../../../functions/operations.ts'
import { problemsOf, type Route } from '../../../lib/contract/route.ts'
import type { ProblemCode } from '../../../lib/domain/problems.ts'

/** The parts of a request other than its method and path. */
export interface Sent {
  apiKey?: string
  userJwt?: string
  /** The session of a user on the page of the deployment. */
  session?: string
  /** Sent in the query, as games do. */
  playerToken?: string
  /** The values of the parameters of the path, such as `{keyId}`. */
  path?: Record<string, string>
  /** Sent in the query; a list is a repeated parameter. */
  query?: Record<string, string | readonly string[]>
  /** Sent as JSON, unless it is text or bytes. */
  body?: unknown
  /** The fields of a form in the place of `body`. */
  form?: Readonly<Record<string, string>>
  headers?: Record<string, string>
}

/** A received response. */
export interface Received {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  json: any
}

/** Sends requests to a deployment of the API: `call('GET /product', { apiKey })`. */
export type Call = (operation: string, sent?: Sent) => Promise<Received>

/** The one way in which tests call the API, local or deployed. */
export const clientOf =
  (baseUrl: string): Call =>
  async (operation, sent = {}) => {
    const { playerToken, query = {}, body, headers = {} } = sent
    const [method = '', template = ''] = operation.split(' ')
    const path = withParameters(template, sent.path)
    const url = new URL(path.startsWith('/.') ? path : `/api/public/v1${path}`, baseUrl)
    for (const [name, value] of Object.entries({ ...query, ...(playerToken && { playerToken }) })) {
      for (const item of [value].flat()) url.searchParams.append(name, item as string)
    }
    const content = contentOf(sent)
    const response = await fetch(url, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headersOf(sent),
        ...headers,
      },
      ...(content !== undefined && { body: content as string }),
    })
    const text = await response.text()
    const json = parse(text)
    requireListed(operation, json)
    return { status: response.status, headers: response.headers, text, json }
  }

/** Throws if an operation has a problem that its row does not list, so that no document says it (D33). */
function requireListed(operation: string, json: unknown): void {
  const { code } = (json ?? {}) as { code?: ProblemCode }
  if (!code) return
  const [method, template = ''] = operation.split(' ')
  const row = Object.values<Route>(routes).find(
    (route) => route.method === method && route.paths.some((path) => path.endsWith(template)),
  )
  if (row && !problemsOf(row).includes(code)) {
    throw new Error(`${operation} answers ${code}, which its row does not list`)
  }
}

/** A path with the values of its parameters; a parameter without a value has any text. */
const withParameters = (template: string, values: Record<string, string> = {}): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values[name] ?? 'any'))

/** The headers of a request, without the content type of JSON. */
export function headersOf({ apiKey, userJwt, session, form }: Sent): Record<string, string> {
  const bearer = userJwt ?? session
  return {
    ...(apiKey && { 'x-api-key': apiKey }),
    ...(bearer && { authorization: `Bearer ${bearer}` }),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
  }
}

/** The text or the bytes that a request contains; `undefined` for none. */
export function contentOf({ body, form }: Sent): string | Uint8Array | undefined {
  if (form) return new URLSearchParams(form).toString()
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array
  return isRaw ? body : JSON.stringify(body)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The text of a response without its `asOf`, which differs between two responses that are otherwise the same (D156). */
export const withoutTime = (text: string): string => text.replace(/,"asOf":"[^"]+"}$/, '}')

/**
 * The product information of a response without the limits (D64): a deployment has limits, the shared service
 * of `npm test` has none. shown-limits.test.ts is about the limits.
 */
export function withoutLimits({ limits: _, ...information }: Record<string, unknown>) {
  return information
}
