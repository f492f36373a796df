import { describe, expect, test, vi } from 'vitest'
import { productKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { eventIdOf } from '../../../lib/domain/nft-events/nft-event.ts'
import { webhookStateOf } from '../../../lib/domain/webhooks/webhook-state.ts'
import { transfersIn } from '../../support/follower/products-on-chain.ts'
import {
  deliveringIn,
  hour,
  minute,
  productId,
  registered,
  second,
} from '../../support/webhooks/delivering.ts'
import { startStored } from './stored-fixture.ts'

const { items, table } = await startStored()
const delivering = deliveringIn(table)

describe('D122: an attempt that fails', () => {
  test('is repeated after 5 s, 5 and 30 min, 2, 5, 10, 14, 20 and 24 h; then the webhook pauses, which is an event', async () => {
    const { answers, happen, later, world, webhook, productEvents } = await delivering()
    answers(500)
    await happen(30)
    const { attempts: before } = world.counts
    const waits = [5 * second, 5 * minute, 30 * minute, 2, 5, 10, 14, 20, 24]
    await later(0)
    for (const [index, wait] of waits.entries()) {
      expect(world.counts.attempts - before).toBe(index + 1)
      const milliseconds = wait < 1_000 ? wait * hour : wait
      expect(await webhook()).toMatchObject({
        failures: index + 1,
        nextAttemptAt: Date.now() + milliseconds,
        lastFailure: { at: Date.now(), code: 'unexpected_status', status: 500 },
      })
      expect(webhookStateOf(await webhook())).toBe('failing')
      // SQS hides a message for 12 hours at most, so a longer wait has two steps.
      await later(milliseconds - 1)
      expect(world.counts.attempts - before).toBe(index + 1)
      await later(1)
    }
    expect(world.counts.attempts - before).toBe(10)
    expect(await webhook()).toMatchObject({ failures: 10, pausedAt: Date.now() })
    expect(world.queue).toEqual([])
    expect(await productEvents()).toMatchObject([
      { action: 'pauseWebhook', keyId: null, outcome: 'done' },
    ])
  })

  test('pauses at once after 410', async () => {
    const { answers, happen, later, webhook } = await delivering()
    answers(410)
    await happen(30)
    await later(0)
    expect(await webhook()).toMatchObject({ failures: 1, pausedAt: Date.now() })
  })

  test('waits for a secret that the deployment has no more, and goes on with a rotation', async () => {
    const { dropSecret, happen, later, rotate, swept, world, webhook } = await delivering()
    await dropSecret()
    const { attempts } = world.counts
    await happen(30)
    await later(0)
    expect(await webhook()).toMatchObject({ failures: 1, lastFailure: { code: 'secret_ended' } })
    expect(world.counts.attempts).toBe(attempts)
    await rotate(60)
    await swept()
    expect(world.counts.attempts).toBeGreaterThan(attempts + 10)
    expect(await webhook()).toMatchObject({ failures: 0 })
  })

  test('is not repeated earlier because of new events, and a repeat goes on in order', async () => {
    const { answers, happen, later, world, follow, events, webhook } = await delivering()
    answers(() => (world.counts.attempts % 5 === 0 ? 'timeout' : 200))
    await happen(30)
    await later(0)
    answers(500)
    await later(10 * second)
    const { attempts, nextAttemptAt = 0 } = { ...world.counts, ...(await webhook()) }
    await happen(5)
    await later(0)
    expect(world.counts.attempts).toBe(attempts)
    expect((await webhook()).nextAttemptAt).toBe(nextAttemptAt)
    answers(200)
    await later(nextAttemptAt - Date.now())
    await follow(events, 80)
    await later(0)
    expect(world.queue).toEqual([])
    const ids = [...new Set(world.eventsOf(productId).map(eventIdOf))]
    const blocks = world.eventsOf(productId).map(({ block }) => block.number)
    expect(ids.length).toBeGreaterThan(10)
    expect([...new Set(blocks)]).toEqual([...new Set(blocks)].toSorted((a, b) => a - b))
    expect(await webhook()).toMatchObject({ failures: 0 })
  })
})

describe('D122: a delivery', () => {
  test('waits while the product is stopped, and ends when it has ended', async () => {
    const { happen, later, swept, world, webhook } = await delivering()
    await happen(30)
    await items.put(productKey(productId), { ...registered, stoppedAt: '2026-01-02' })
    await later(0)
    expect(world.eventsOf(productId)).toEqual([])
    await items.put(productKey(productId), registered)
    await later(5 * minute)
    expect(world.eventsOf(productId).length).toBeGreaterThan(10)
    const { length } = world.eventsOf(productId)
    await happen(30)
    await items.put(productKey(productId), { ...registered, endedAt: '2026-01-02' })
    await later(0)
    expect(world.eventsOf(productId)).toHaveLength(length)
    expect(world.queue).toEqual([])
    await world.sweep()
    await later(minute + second)
    await swept()
    expect(await world.ports.subscribers.all('POLYGON')).toEqual([])
    expect((await webhook()).ticket).toBeUndefined()
  })

  test('ends a second after a change at the latest, and goes on from where the change says', async () => {
    const { answers, happen, later, replay, swept, update, webhook, world } = await delivering()
    /** Makes a change while the first message is under way, which takes longer than a second. */
    const during = (change: () => Promise<unknown>) => {
      let made: Promise<unknown> | undefined
      answers(async () => {
        made ??= change()
        await made
        vi.setSystemTime(Date.now() + second)
        return 200
      })
    }
    during(() => update({ state: 'paused' }))
    await happen(40)
    await later(0)
    expect(world.eventsOf(productId)).toHaveLength(1)
    expect(world.queue).toEqual([])
    expect(webhookStateOf(await webhook())).toBe('paused')
    await update({ state: 'active' })
    const since = Date.now() - 10 * minute
    during(() => replay(since))
    await swept()
    expect(world.eventsOf(productId)).toHaveLength(2)
    answers(200)
    await swept()
    const [first, repeated, ...again] = transfersIn(world.eventsOf(productId))
    expect(repeated).toBe(first)
    expect(again[0]).toBe(first)
    expect(again.length).toBeGreaterThan(20)
    expect(webhookStateOf(await webhook())).toBe('active')
  })

  test('sends the types that the webhook wants, and the events of a minute up to the limit', async () => {
    const { happen, later, update, world } = await delivering({ eventsPerMinute: 20 })
    await update({ events: ['events.missed'] })
    await happen(60)
    await later(0)
    await happen(0)
    await world.sweep()
    await later(minute)
    const sent = world.eventsOf(productId).map(({ content }) => content)
    expect(sent).toEqual([])
    await update({ events: ['nft.transferred', 'events.missed'] })
    await happen(60)
    await later(0)
    expect(world.eventsOf(productId)).toHaveLength(20)
    expect(world.queue).toHaveLength(1)
    await happen(0)
    await later(15 * second)
    const last = world.eventsOf(productId).slice(20)
    expect(last.map(({ content }) => content)).toMatchObject([
      { kind: 'missed', reason: 'busy' },
      { kind: 'missed', reason: 'busy' },
    ])
    expect(world.queue).toEqual([])
  })
})
