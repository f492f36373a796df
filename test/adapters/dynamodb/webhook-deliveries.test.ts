import { describe, expect, test } from 'vitest'
import { productKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { queuedWebhookSignals } from '../../../lib/adapters/sqs/webhook-queue.ts'
import { eventIdOf } from '../../../lib/domain/nft-events/nft-event.ts'
import { memoryChain } from '../../../simulation/memory-chain.ts'
import {
  allowlistAll,
  happenedTo,
  movements,
  productIds,
  sameRandom,
  transfersIn,
} from '../../support/follower/products-on-chain.ts'
import { followedTable, sleep } from '../../support/follower/stored-notes.ts'
import { Killed } from '../../support/memory/interruptions.ts'
import { registered } from '../../support/webhooks/delivering.ts'
import { webhookWorld } from '../../support/webhooks/webhook-world.ts'
import { startStored, tappedTable } from './stored-fixture.ts'

const { items, table } = await startStored()

describe('D122: webhooks of three products with 10,000 transfers', () => {
  test('get exactly those of their allowlists, in order and at least once, though everything dies', {
    timeout: 240_000,
  }, async () => {
    const next = sameRandom()
    for (const productId of productIds) await items.put(productKey(productId), registered)
    await allowlistAll(table)
    let writesLeft = Number.POSITIVE_INFINITY
    const mortal = tappedTable(table, ({ operation }) => {
      if (!/Get|Query/.test(operation)) writesLeft -= 1
      if (writesLeft < 0) throw new Killed()
    })
    let isCalm = true
    const world = webhookWorld(mortal, {
      next,
      answer: () => {
        const chance = isCalm ? 9 : next(12)
        if (chance === 0) return 500
        if (chance === 1) return 'timeout'
        return chance === 2 ? 'killed' : 200
      },
    })
    const { follow } = followedTable(mortal, queuedWebhookSignals(world.ports.webhookQueue))
    const events = memoryChain(Date.now)
    const { emitted, move, replace } = movements(events, next)
    for (const productId of productIds) await world.webhookOf(productId)
    await follow(events, 100)
    await world.work()
    let kills = 0
    const untilKilled = async (work: () => Promise<unknown>) => {
      writesLeft = next(30)
      await work().catch((error) => {
        if (!(error instanceof Killed)) throw error
        kills += 1
      })
      writesLeft = Number.POSITIVE_INFINITY
    }
    isCalm = false
    for (let round = 0; emitted() < 10_000; round += 1) {
      for (let count = 0; count < 12; count += 1) move()
      await untilKilled(() => follow(events, 40))
      await sleep(41_000)
      await untilKilled(world.work)
      if (round % 4 === 0) replace()
      if (round % 3 === 0) await untilKilled(world.sweep)
      await follow(events, 11)
      await world.work()
    }
    isCalm = true
    await follow(events, 100)
    // A server that has failed three times in a row waits for half an hour.
    for (let minutes = 0; minutes < 60 || world.queue.length > 0; minutes += 5) {
      await sleep(300_000)
      await world.sweep()
      await world.work()
    }
    expect(kills + world.counts.kills).toBeGreaterThan(100)
    expect(world.queue).toEqual([])
    for (const productId of productIds) {
      const sent = world.eventsOf(productId)
      const first = [...new Map(sent.map((event) => [eventIdOf(event), event])).values()]
      expect(transfersIn(first)).toEqual(happenedTo(productId, events))
      expect(sent.length).toBeGreaterThan(first.length)
    }
  })
})
