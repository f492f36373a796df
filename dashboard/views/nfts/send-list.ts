import {
  allowlistInBatches,
  BatchError,
  type BatchProgress,
  unbindInBatches,
} from '../../../clients/typescript/src/batches.ts'
import { pause } from '../../../clients/typescript/src/cancellation.ts'
import type { PlayerNfts } from '../../../clients/typescript/src/client.ts'
import { ApiError, PlayerNftsError } from '../../../clients/typescript/src/errors.ts'
import { waitBeforeRetry } from '../../../clients/typescript/src/send.ts'
import type { KeptSending, Wait } from './sending.ts'

interface ListOptions {
  signal: AbortSignal
  /** Is called after each part, with how many elements were sent and how many NFTs removed so far. */
  onSent: (position: number, removed: number) => void
  /** Is called when a wait begins, and without a wait when it ends. */
  onWait: (wait: Wait | undefined) => void
}

/** A quarter of the largest request: the progress moves more often, and a failed request is repeated sooner. */
const batchSize = 2_500

/**
 * Sends the elements of a list from its position to the end, in parts. After a failure it waits and goes on, which the API permits
 * (D17, D50). Rejects with a failure that a wait does not help, or when the signal is aborted. The list can then be continued.
 */
export async function sendList(
  { kind, chain, address, description, ...begin }: Omit<KeptSending, 'id' | 'what' | 'total'>,
  tokens: readonly string[],
  client: PlayerNfts,
  { signal, onSent, onWait }: ListOptions,
): Promise<void> {
  const contract = { chain, contractAddress: address, tokens } as const
  let { position, removed } = begin
  let failures = 0
  const sendRest = async () => {
    const removedBefore = removed
    const onProgress = (progress: BatchProgress) => {
      failures = 0
      position = progress.done
      removed = removedBefore + progress.removed
      onSent(position, removed)
    }
    const options = { signal, start: position, batchSize, maxRetries: 0, onProgress }
    if (kind === 'unbind') await unbindInBatches(client, contract, options)
    else
      await allowlistInBatches(client, { ...contract, contractDescription: description }, options)
  }
  for (;;) {
    try {
      return await sendRest()
    } catch (failure) {
      const error = failure instanceof BatchError ? failure.cause : failure
      failures += 1
      const ms = waitAfter(error, failures)
      if (ms === undefined) throw error
      onWait({ until: Date.now() + ms, error })
      await pause(ms, 'allowlistNfts', [signal])
      onWait(undefined)
    }
  }
}

/** How often in a row a request without success is sent again by itself: for about two minutes. */
const maxFailures = 33

/** How long to wait before a part is sent again, in milliseconds; `undefined` if that does not help, or the user should decide. */
function waitAfter(error: unknown, failures: number): number | undefined {
  if (!(error instanceof PlayerNftsError)) return undefined
  // A limit says how long to wait, and is no failure (D47).
  const isLimit = error instanceof ApiError && error.status === 429
  if (failures > maxFailures && !isLimit) return undefined
  return waitBeforeRetry({ effect: 'repeatable' }, error, failures)
}
