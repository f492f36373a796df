import * as v from 'valibot'
import { eventIdOf, type NftEvent } from '../domain/nft-events/nft-event.ts'
import type { SentEvent } from '../domain/webhooks/delivery-ports.ts'
import { address, decimal, shownText, shownWholeNumber, time } from './answers.ts'

/** An event of a product's NFTs (D119): what a webhook is to send, too. Fields that the type does not have are absent. */
export const webhookEvent = v.object({
  id: shownText,
  type: v.picklist(['nft.transferred', 'nft.metadata_changed', 'events.missed']),
  timestamp: time,
  data: v.object({
    chain: shownText,
    contractAddress: address,
    tokenId: v.optional(decimal),
    amount: v.optional(decimal),
    from: v.optional(v.nullable(address)),
    to: v.optional(v.nullable(address)),
    fromTokenId: v.optional(decimal),
    toTokenId: v.optional(decimal),
    fromBlock: v.optional(v.nullable(shownWholeNumber)),
    toBlock: v.optional(shownWholeNumber),
    reason: v.optional(
      v.picklist(['gap', 'busy', 'refused', 'reorganization', 'malformed', 'expired']),
    ),
    transactionHash: v.optional(shownText),
    block: v.optional(v.object({ number: shownWholeNumber, hash: shownText, timestamp: time })),
    logIndex: v.optional(shownWholeNumber),
  }),
})

/** An event as the API shows it. */
export function webhookEventEntry(event: NftEvent): v.InferOutput<typeof webhookEvent> {
  const { chain, contract: contractAddress, block, logIndex, transactionHash, content } = event
  const [id, timestamp] = [eventIdOf(event), new Date(block.at).toISOString()]
  const nft = { chain, contractAddress }
  if (content.kind === 'missed') {
    const { fromBlock = null, toBlock, reason } = content
    return { id, type: 'events.missed', timestamp, data: { ...nft, fromBlock, toBlock, reason } }
  }
  const { kind, ...said } = content
  const shownBlock = { number: block.number, hash: block.hash, timestamp }
  const data = { ...nft, ...said, transactionHash, block: shownBlock, logIndex }
  return {
    id,
    type: kind === 'transfer' ? 'nft.transferred' : 'nft.metadata_changed',
    timestamp,
    data,
  }
}

/** An event as it is sent to a webhook, with its id in a header (D122): the same in each attempt, but for `expired`. */
export function sentEvent(event: NftEvent): SentEvent {
  const { id, type, timestamp, data } = webhookEventEntry(event)
  return { id, type, body: JSON.stringify({ type, timestamp, data }) }
}

/** The test message (D121): its server answers with the challenge. */
export function sentTest({
  testId,
  challenge,
  at,
}: {
  testId: string
  challenge: string
  at: number
}): SentEvent {
  const type = 'webhook.test'
  const timestamp = new Date(at).toISOString()
  return {
    id: `test_${testId}`,
    type,
    body: JSON.stringify({ type, timestamp, data: { challenge } }),
  }
}
