/** What a test sends beside method and path. */
export interface Sent {
  apiKey?: string
  userJwt?: string
  /** Goes into the query, as games send it. */
  playerToken?: string
  /** Goes into the query; a list is repeated. */
  query?: Record<string, string | readonly string[]>
  /** JSON, unless it is text or bytes already. */
  body?: unknown
  headers?: Record<string, string>
}

/** What came back. */
export interface Received {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  json: any
}

/** Sends requests to a deployment of the API: `call('GET /product', { apiKey })`. */
export type Call = (operation: string, sent?: Sent) => Promise<Received>

/** The one way tests talk to the API, wherever it is. */
export const clientOf =
  (baseUrl: string): Call =>
  async (operation, { apiKey, userJwt, playerToken, query = {}, body, headers = {} } = {}) => {
    const [method = '', path = ''] = operation.split(' ')
    const url = new URL(path.startsWith('/.') ? path : `/api/public/v1${path}`, baseUrl)
    for (const [name, value] of Object.entries({ ...query, ...(playerToken && { playerToken }) })) {
      for (const item of [value].flat()) url.searchParams.append(name, item as string)
    }
    const response = await fetch(url, {
      method,
      headers: {
        ...(apiKey && { 'x-api-key': apiKey }),
        ...(userJwt && { authorization: `Bearer ${userJwt}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: bodyOf(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, json: parse(text) }
  }

const bodyOf = (body: unknown) =>
  typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
