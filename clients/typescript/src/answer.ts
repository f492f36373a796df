import { type ApiError, apiError, type FailedResponse, PlayerNftsError } from './errors.ts'
import type { Operation } from './operation.ts'

/** A successful response. */
export interface Answer<T> {
  /** What the method returns: the `data` of the response. */
  data: T
  /** Where the list continues. Absent on the last page, and for operations that are no lists. */
  nextCursor?: string
  /** The moment of which `data` speaks, as an ISO time. Absent for operations that do not read the chain. */
  asOf?: string
  /** The indexer does not answer, and `data` is older than usual. Only with `staleIfErrorSeconds`. */
  stale?: boolean
  status: number
  headers: Headers
  /** Identifies the request in the log of the service. Absent if a proxy removes it. */
  requestId: string | undefined
  /** The body as it was received: every number has all its digits. */
  text: string
}

/** Returns what a response says: an answer, or the error of it. */
export function readResponse(
  operation: Operation,
  response: Response,
  text: string,
): Answer<unknown> | PlayerNftsError {
  const { status, headers } = response
  const requestId = headers.get('apigw-requestid') ?? undefined
  if (!response.ok) return failure(operation, response, text)
  const json = parse(text)
  const isAnswer = isObject(json) && (operation.bare || isEnvelope(json))
  if (!isAnswer) {
    const detail = 'The response is not that of the service. Check baseUrl, and proxies on the way.'
    return new PlayerNftsError({
      ...unexpected(detail),
      operation: operation.id,
      status,
      requestId,
    })
  }
  const parts = operation.bare ? { data: json } : partsOf(json)
  return { ...parts, status, headers, requestId, text }
}

const isEnvelope = ({ success, data }: Record<string, unknown>) =>
  success === true && data !== undefined

const partsOf = ({ data, nextCursor, asOf, stale }: Record<string, unknown>) => ({
  data,
  ...(typeof nextCursor === 'string' && nextCursor !== '' && { nextCursor }),
  ...(typeof asOf === 'string' && { asOf }),
  ...(stale === true && { stale }),
})

function failure({ id: operation, sends }: Operation, response: Response, body: string): ApiError {
  const { status, headers } = response
  const json = parse(body)
  const problem = isObject(json) ? json : {}
  // An error of OAuth is plain JSON, and has the members of a problem (RFC 6749, section 5.2).
  const isError = sends === 'form' && textOf(problem['error']) !== undefined
  const isProblem = isError || headers.get('content-type')?.includes('application/problem+json')
  const { code, detail } = isProblem ? problemOf(problem) : withoutProblem(status, problem)
  const own = isProblem ? textOf(problem['requestId']) : undefined
  const requestId = own ?? headers.get('apigw-requestid') ?? undefined
  const failed: FailedResponse = {
    headers,
    body,
    retryAfterSeconds: secondsOf(headers.get('retry-after')),
    errors: Array.isArray(problem['errors']) ? (problem['errors'] as FailedResponse['errors']) : [],
    limit: isObject(problem['limit']) ? (problem['limit'] as FailedResponse['limit']) : undefined,
  }
  return apiError({ code, detail, operation, status, requestId }, failed)
}

const problemOf = (problem: Record<string, unknown>) => ({
  code: textOf(problem['code']) ?? 'unexpected_answer',
  detail: textOf(problem['detail']) ?? textOf(problem['title']) ?? 'The response has no detail.',
})

/** What API Gateway or a proxy answers in place of the service. */
function withoutProblem(status: number, { message }: Record<string, unknown>) {
  const text = textOf(message)
  if (text !== undefined) return { code: 'gateway_error', detail: text }
  // A browser hides the status of a redirect.
  const isRedirect = status === 0 || (status >= 300 && status < 400)
  return unexpected(
    isRedirect
      ? 'The client does not follow redirects, because they would send credentials elsewhere. Check baseUrl.'
      : 'The response has no problem details. Check baseUrl, and proxies on the way.',
  )
}

const unexpected = (detail: string) => ({ code: 'unexpected_answer', detail })

/** The seconds of Retry-After: a number, or an HTTP date (RFC 9110 section 10.2.3). */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined
  if (/^\d+(\.\d+)?$/.test(retryAfter)) return Number(retryAfter)
  // Runtimes also read other text as a date, such as "-5".
  if (!/ GMT$/i.test(retryAfter)) return undefined
  const ms = Date.parse(retryAfter) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, Math.ceil(ms / 1000))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)
