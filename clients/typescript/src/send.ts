import type { Answer } from './answer.ts'
import { pause } from './cancellation.ts'
import { PlayerNftsError } from './errors.ts'
import { exchange } from './exchange.ts'
import { type Operation, type OperationId, operations } from './operations.ts'
import { type CallOptions, type ClientOptions, settingsOf } from './options.ts'
import { type Params, requestOf } from './request.ts'
import { mayHaveTakenEffect, waitBeforeRetry } from './retry.ts'

/**
 * Sends an operation, and sends it again where that is safe.
 * @throws {PlayerNftsError} the last failure, when no retry is left.
 * @throws {TypeError} if the parameters cannot be sent.
 */
export async function send(
  id: OperationId,
  params: Params,
  client: ClientOptions,
  options: CallOptions = {},
): Promise<Answer<unknown>> {
  const operation: Operation = operations[id]
  const { method, path } = operation
  const request = requestOf(operation, params, client)
  const settings = settingsOf(client, options)
  const end = Date.now() + settings.totalTimeoutMs
  let isUncertain = false
  for (let attempt = 1; ; attempt++) {
    const begin = Date.now()
    const timeoutMs = Math.min(settings.timeoutMs, end - begin)
    const result = await exchange(id, operation, request, { ...settings, timeoutMs })
    const error = result instanceof PlayerNftsError ? result : undefined
    if (error) {
      isUncertain ||= mayHaveTakenEffect(operation, error)
      Object.assign(error, { attempts: attempt, mayHaveTakenEffect: isUncertain })
    }
    const hasRetry = error && attempt <= settings.maxRetries
    const wait = hasRetry ? waitBeforeRetry(operation, error, attempt) : undefined
    const retryInMs = wait !== undefined && Date.now() + wait < end ? wait : undefined
    const { status, requestId } = result
    const durationMs = Date.now() - begin
    const outcome = { status, requestId, code: error?.code, retryInMs }
    settings.onAttempt?.({ operation: id, method, path, attempt, durationMs, ...outcome })
    if (!error) return result as Answer<unknown>
    if (retryInMs === undefined) throw error
    await pause(retryInMs, id, settings.signals)
  }
}
