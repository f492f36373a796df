import {
  allowlistInBatches,
  BatchError,
  unbindInBatches,
} from '../../../clients/typescript/src/batches.ts'
import type { PlayerNfts } from '../../../clients/typescript/src/client.ts'
import type { SendingTask } from './sending.ts'

/** A quarter of the largest request: the progress moves more often, and a failed request is repeated sooner. */
const batchSize = 2_500

/**
 * Sends the elements of a task from a position to the end, each request once: the caller decides about repeats.
 * Rejects with the failure of a request. `removed` in `onSent` is the number of NFTs that were removed so far.
 */
export async function sendElements(
  { kind, chain, address, description }: SendingTask,
  tokens: readonly string[],
  position: number,
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
