import {
  allowlistInBatches,
  BatchError,
  unbindInBatches,
} from '../../../clients/typescript/src/batches.ts'
import type { PlayerNfts } from '../../../clients/typescript/src/client.ts'
import { ApiError, ConnectionError, TimeoutError } from '../../../clients/typescript/src/errors.ts'
import type { SendingTask, Wait } from './sending.ts'

/** A list that is sent in parts. */
export interface ListToSend {
  /**
   * Sends the rest in parts, calls `onPart` after each, and rejects with the failure of one. It must be safe to send a
   * part again.
   */
  send(onPart: () => void): Promise<void>
  /**
   * Returns after how many seconds a part is sent again, or `undefined` if that does not help. `failures`: the number
   * of failures since the last success, from 1.
   */
  retryAfter(error: unknown, failures: number): number | undefined
  /** Is called when a wait begins, and without a wait when it ends. */
  onWait(wait: Wait | undefined): void
}

/**
 * Sends a list, and waits and goes on after failures as `retryAfter` says. Rejects with the failure that a wait does
 * not help, or with the reason of `signal`. The list can then be continued.
 */
export async function sendList(list: ListToSend, signal: AbortSignal): Promise<void> {
  let failures = 0
  for (;;) {
    signal.throwIfAborted()
    try {
      return await list.send(() => {
        failures = 0
      })
    } catch (error) {
      signal.throwIfAborted()
      failures += 1
      const seconds = list.retryAfter(error, failures)
      if (seconds === undefined) throw error
      list.onWait({ until: Date.now() + seconds * 1000, error })
      await sleep(seconds, signal)
      list.onWait(undefined)
    }
  }
}

/** Resolves after these seconds. Rejects with the reason of the signal when it is aborted. */
async function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** A quarter of the largest request: the progress moves more often, and a failed request is repeated sooner. */
const batchSize = 2_500

/**
 * Sends the elements of a list from its position to the end, each request once: the caller decides about repeats.
 * Rejects with the failure of a request. `removed` in `onSent` is the number of NFTs that were removed so far.
 */
export async function sendElements(
  { kind, chain, address, description, position }: SendingTask & { position: number },
  tokens: readonly string[],
  client: PlayerNfts,
  { signal, onSent }: { signal: AbortSignal; onSent: (sent: number, removed: number) => void },
): Promise<void> {
  const contract = { chain, contractAddress: address, tokens } as const
  const options = {
    signal,
    start: position,
    batchSize,
    maxRetries: 0,
    onProgress: ({ done, removed }: { done: number; removed: number }) => onSent(done, removed),
  }
  try {
    if (kind === 'unbind') await unbindInBatches(client, contract, options)
    else
      await allowlistInBatches(client, { ...contract, contractDescription: description }, options)
  } catch (error) {
    throw error instanceof BatchError ? error.cause : error
  }
}

/** How often in a row a request without success is sent again by itself: for about two minutes. */
const maxFailures = 8

const longestBackoff = 30

/**
 * Returns after how many seconds a part of a list is sent again, or `undefined` if a repeat does not help or the user
 * should decide. The API permits to send every part again (D17, D50). A limit says how long to wait (D47).
 */
export function retrySeconds(error: unknown, failures: number): number | undefined {
  const backoff = Math.min(longestBackoff, 2 ** (failures - 1))
  if (error instanceof ApiError && error.status === 429) return limitSeconds(error, backoff)
  if (failures > maxFailures || !isTransient(error)) return undefined
  return Math.max((error instanceof ApiError ? error.retryAfterSeconds : 0) ?? 0, backoff)
}

/** A limit of a total does not fill up by itself. The random part keeps several tabs apart. */
function limitSeconds({ limit, retryAfterSeconds }: ApiError, backoff: number): number | undefined {
  if (limit && limit.perSeconds === undefined) return undefined
  return (retryAfterSeconds ?? backoff) + Math.random()
}

function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof TimeoutError) return true
  return error instanceof ApiError && error.status >= 500 && error.code !== 'internal_error'
}
