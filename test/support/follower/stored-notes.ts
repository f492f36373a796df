import { vi } from 'vitest'
import { dynamoFollowNotes } from '../../../lib/adapters/dynamodb/follow-notes.ts'
import { followedContractKey } from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import type { Table } from '../../../lib/adapters/dynamodb/table.ts'
import { followChain } from '../../../lib/domain/following/follow-chain.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import type { FollowPosition } from '../../../lib/domain/ports/follow-notes.ts'
import type { WebhookSignals } from '../../../lib/domain/ports/webhook-delivery.ts'
import { storedItems } from '../aws/stored-items.ts'
import { settings } from './followed.ts'

/** The time at which a test begins, in milliseconds since 1970. */
export const start = 1_800_000_000_000
export const day = 86_400_000

const hash = `0x${'5c'.repeat(32)}`

/** A position of two seconds before {@link start}. */
export const position = (members: Partial<FollowPosition> = {}): FollowPosition => ({
  head: { number: 100, at: start - 2_000, hash },
  confirmedUpTo: start - 7_000,
  blocks: [
    { number: 60, at: start - 82_000, hash: hash.replace('5', '6') },
    { number: 100, at: start - 2_000, hash, readAt: start - 1_000 },
  ],
  step: 7,
  ...members,
})

/** Lets the clock of a test go on. */
export const sleep = async (milliseconds: number) => {
  vi.setSystemTime(Date.now() + milliseconds)
}

/** The notes of followers in a table, and followers with the clock of the test. `webhookSignals`: whom they tell of events. */
export function followedTable(table: Table, webhookSignals?: WebhookSignals) {
  const notes = dynamoFollowNotes(table)
  const items = storedItems(table)
  let followers = 0
  return {
    notes,
    ...items,
    /** Watches a contract as a read of its events does. */
    watch: (address: Address, members: object = {}) =>
      items.put(followedContractKey({ chain: 'POLYGON', address }), {
        ...{ watchedUntil: start + day },
        ...members,
      }),
    /** Follows the chain for some seconds, by default for one poll. */
    async follow(chainEvents: ChainEvents, seconds = 1) {
      followers += 1
      const follower = { chain: 'POLYGON', holder: `follower ${followers}` } as const
      const ports = { chainEvents, followNotes: notes, webhookSignals, now: Date.now, sleep }
      return followChain(follower, ports, settings, Date.now() + seconds * 1_000)
    },
  }
}
