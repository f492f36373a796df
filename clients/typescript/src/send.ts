import type { Answer } from './answer.ts'
import { pause } from './cancellation.ts'
import { PlayerNftsError } from './errors.ts'
import { exchange } from './exchange.ts'
import type { Operation } from './operation.ts'
import { type Attempt, type CallOptions, type ClientOptions, settingsOf } from './options.ts'
import { type Params, requestOf } from './request.ts'
import { mayHaveTakenEffect, waitBeforeRetry } from './retry.ts'

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
