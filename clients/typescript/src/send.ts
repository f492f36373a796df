import type { Answer } from './answer.ts'
import { pause } from './cancellation.ts'
import { ApiError, ConnectionError, PlayerNftsError, TimeoutError } from './errors.ts'
import { exchange } from './exchange.ts'
import type { Operation } from './operation.ts'
import { type Attempt, type CallOptions, type ClientOptions, settingsOf } from './options.ts'
import { type Params, requestOf } from './request.ts'

/**
 * Sends an operation, and sends it again where that is safe. The parameters are those of the path, the query or the
 * body, and credentials.
 * @throws {PlayerNftsError} the last failure, when no retry is left.
 * @throws {TypeError} if the parameters cannot be sent.
 */
export async function send(
  client: ClientOptions,
  operation: Operation,
  params: object,
  options: CallOptions = {},
): Promise<Answer<unknown>> {
  const { id, method, path } = operation
  const request = requestOf(operation, params as Params, client)
  const settings = settingsOf(client, options)
  const end = Date.now() + settings.totalTimeoutMs
  let sent = 0
  let isUncertain = false
  const onSend = () => {
    sent++
  }
  for (let attempt = 1; ; attempt++) {
    const before = sent
    const begin = Date.now()
    const timeoutMs = Math.max(1, Math.min(settings.timeoutMs, end - begin))
    const result = await exchange(operation, request, { ...settings, timeoutMs, onSend })
    const error = result instanceof PlayerNftsError ? result : undefined
    if (error) {
      isUncertain ||= sent > before && mayHaveTakenEffect(operation, error)
      Object.assign(error, { attempts: sent, mayHaveTakenEffect: isUncertain })
    }
    const mayRetry = error && attempt <= settings.maxRetries
    const retryInMs = mayRetry ? waitBefore(end, operation, error, attempt) : undefined
    const { status, requestId } = result
    const durationMs = Date.now() - begin
    const outcome = { status, requestId, code: error?.code, retryInMs }
    const { onAttempt } = settings
    if (sent > before) {
      report(onAttempt, { operation: id, method, path, attempt: sent, durationMs, ...outcome })
    }
    if (!error) return converted(operation, result as Answer<unknown>)
    if (retryInMs === undefined) throw error
    await pause(retryInMs, id, settings.signals).catch((aborted: unknown) => {
      throw Object.assign(aborted as Error, { attempts: sent, mayHaveTakenEffect: isUncertain })
    })
  }
}

const converted = ({ convert }: Operation, answer: Answer<unknown>): Answer<unknown> =>
  convert ? { ...answer, data: convert(answer.data as never, answer.text) } : answer

/** Returns the wait before the next request, in milliseconds, or `undefined` if it is not safe or would be too late. */
function waitBefore(end: number, ...failed: Parameters<typeof waitBeforeRetry>) {
  const wait = waitBeforeRetry(...failed)
  return wait !== undefined && Date.now() + wait < end ? wait : undefined
}

/** Ignores errors of the hook: they must not take the result of a change away, such as a new API key. */
function report(onAttempt: ClientOptions['onAttempt'], attempt: Attempt): void {
  const reported = async () => onAttempt?.(attempt)
  reported().catch(() => undefined)
}

const firstWaitMs = 500
const longestWaitMs = 8_000
/** API Gateway names no wait when it refuses requests. */
const gatewayWaitMs = 1_000

type Effect = Pick<Operation, 'effect'>

/**
 * Whether the request did nothing, or can have done something. A refused request (4xx) did nothing. After a
 * 5xx, and without a response, the service can have made the change.
 */
export function mayHaveTakenEffect({ effect }: Effect, error: PlayerNftsError): boolean {
  if (effect === 'reads') return false
  if (error instanceof ConnectionError) return !wasNeverSent(error)
  return error.status === undefined || error.status < 400 || error.status >= 500
}

/**
 * Returns how long to wait before the same request may be sent again, in milliseconds, or `undefined` if it
 * must not be sent again.
 */
export function waitBeforeRetry(operation: Effect, error: PlayerNftsError, attempt: number) {
  if (!isTransient(error)) return undefined
  if (operation.effect === 'once' && mayHaveTakenEffect(operation, error)) return undefined
  const factor = 2 ** (attempt - 1)
  if (!(error instanceof ApiError)) return jitter(factor)
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds * 1000 + jitter(1)
  if (error.status !== 429) return jitter(factor)
  return Math.min(longestWaitMs, gatewayWaitMs * factor) + jitter(1)
}

/** Whether the same request can succeed a little later. */
function isTransient(error: PlayerNftsError): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  if (!(error instanceof ApiError)) return false
  // A limit of a total does not fill up by itself.
  if (error.status === 429) return error.limit === undefined || error.limit.perSeconds !== undefined
  // The service reports its defects as internal_error: they would be the same the next time.
  return error.status >= 500 && error.code !== 'internal_error'
}

/** Exponential with full jitter, so that many clients do not try again at the same time. */
const jitter = (factor: number) => Math.random() * Math.min(longestWaitMs, firstWaitMs * factor)

const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Whether the runtime says that there was no connection. Browsers do not say it. */
function wasNeverSent({ cause }: ConnectionError): boolean {
  const { code, cause: inner } = (cause ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return neverSent.has(String(inner?.code ?? code))
}
