import * as v from 'valibot'
import type { KeptEvent } from '../../../domain/holdings/kept-event.ts'
import type { ContractKey } from '../../../domain/nft/nft.ts'
import { keptLogKey, keptLogPlaceFromKey } from '../keys/kept-partitions.ts'
import { movedForm, movedText, walletForm } from './kept-event-text.ts'

/** How long settled events stay logged for the next snapshot, in seconds. */
const retentionSeconds = 3 * 86_400

const logItem = v.object({
  sk: v.pipe(v.string(), v.regex(/^\d{16}#\d{8}$/)),
  hash: v.string(),
  from: walletForm,
  to: walletForm,
  moved: movedForm,
})

/** The item of an event. `now`: in milliseconds since 1970. */
export const keptLogItem = (contract: ContractKey, event: KeptEvent, now: number) => ({
  ...keptLogKey(contract, event),
  hash: event.hash,
  from: event.from,
  to: event.to,
  moved: movedText(event.moved),
  expiresAt: Math.ceil(now / 1_000) + retentionSeconds,
})

/** The event in an item. Throws if it is damaged: a snapshot that lacks an event would be wrong. */
export function keptLogEvent(item: unknown): KeptEvent {
  const { sk, ...event } = v.parse(logItem, item)
  return { ...keptLogPlaceFromKey(sk), ...event }
}
