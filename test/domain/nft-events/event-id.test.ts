import { expect, test } from 'vitest'
import { eventIdOf } from '../../../lib/domain/nft-events/event-id.ts'
import type { MissedReason } from '../../../lib/domain/nft-events/nft-event.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

/** The id of what tells, before the block after the last one of them, that the events of these blocks are missed. */
const idOfMissed = (reason: MissedReason, fromBlock: number, toBlock: number) =>
  eventIdOf({
    ...{ chain: 'POLYGON', contract: addressOf(1), place: 0 },
    block: { number: toBlock + 1, hash: '', at: 7 },
    content: { kind: 'missed', reason, fromBlock, toBlock },
  })

test('D127: what tells of expired events has the same id in each attempt, also when more has expired', () => {
  const first = idOfMissed('expired', 5, 9)
  expect(idOfMissed('expired', 5, 12)).toBe(first)
  expect(idOfMissed('expired', 10, 12)).not.toBe(first)
  expect(idOfMissed('gap', 5, 12)).not.toBe(idOfMissed('gap', 5, 9))
})
