import { randomUUID } from 'node:crypto'
import { type ProblemCode, problems } from '../lib/contract/problems.ts'
import { base } from '../lib/contract/product-routes.ts'

/** A GET request, and the answer of a deployment that works. */
export interface Expected {
  readonly title: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly status: number
  /** What is wrong with the body of the answer, or undefined. Throws if the body is not JSON. */
  readonly fault: (text: string) => string | undefined
}

/**
 * The requests of a smoke test, each to another function. They need no credential, and change nothing. With an API key,
 * one more request reads its product.
 */
export const smokeCalls = (apiKey: string | undefined): Expected[] => [
  {
    title: 'The OpenAPI document is served',
    path: `${base}/openapi.json`,
    status: 200,
    fault: (text) =>
      JSON.parse(text).openapi?.startsWith('3.') ? undefined : 'this is no OpenAPI document',
  },
  {
    title: 'KMS returns the public keys of player tokens',
    path: '/.well-known/jwks.json',
    status: 200,
    fault: (text) => (JSON.parse(text).keys?.length > 0 ? undefined : 'the key set has no keys'),
  },
  refused('The table is read: an unknown API key is refused', 'product', 'invalid_api_key', {
    'x-api-key': randomUUID(),
  }),
  refused('A missing API key is refused', 'product/contracts', 'missing_api_key'),
  refused('A forged user JWT is refused', 'player/token', 'invalid_user_token', {
    authorization: 'Bearer smoke.test.token',
  }),
  refused('A forged player token is refused', 'player/details', 'invalid_player_token', {
    'x-player-token': 'smoke.test.token',
  }),
  {
    title: 'A path that does not exist is 404',
    path: `${base}/smoke-test`,
    status: 404,
    fault: () => undefined,
  },
  ...(apiKey ? [productRead(apiKey)] : []),
]

const productRead = (apiKey: string): Expected => ({
  title: 'The product of API_KEY is read',
  path: `${base}/product`,
  headers: { 'x-api-key': apiKey },
  status: 200,
  fault: (text) => (JSON.parse(text).data?.productId ? undefined : 'the answer names no product'),
})

function refused(
  title: string,
  path: string,
  code: ProblemCode,
  headers: Readonly<Record<string, string>> = {},
): Expected {
  return {
    title,
    path: `${base}/${path}`,
    headers,
    status: problems[code].status,
    fault: (text) => (JSON.parse(text).code === code ? undefined : `expected ${code}`),
  }
}

/** Longer than API Gateway waits for a function. */
const secondsForAnswer = 35

/**
 * Sends a request to a deployment. Resolves to what is wrong with the answer, or undefined. The text has the path of the
 * request, and no header. Never rejects.
 */
export async function faultOf(
  url: string,
  { path, headers = {}, status, fault }: Expected,
): Promise<string | undefined> {
  try {
    const signal = AbortSignal.timeout(secondsForAnswer * 1000)
    const response = await fetch(new URL(path, url), { headers, signal, redirect: 'manual' })
    const text = await response.text()
    const requestId = response.headers.get('apigw-requestid')
    const answer = `GET ${path}: ${response.status} ${text.slice(0, 200)} (request ${requestId})`
    if (response.status !== status) return `${answer}, expected ${status}`
    const why = fault(text)
    return why && `${answer}: ${why}`
  } catch (error) {
    const { message, cause } = error as Error
    return `GET ${path}: ${(cause as Error | undefined)?.message ?? message}`
  }
}
