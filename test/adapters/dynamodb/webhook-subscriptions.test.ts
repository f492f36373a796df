import { describe, expect, test } from 'vitest'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { sendTest } from '../../../lib/domain/webhooks/test-webhook.ts'
import { webhookStateOf } from '../../../lib/domain/webhooks/webhook-state.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { beginAtStart, sleep } from '../../support/follower/stored-notes.ts'
import { deliveringIn, minute, productId, second } from '../../support/webhooks/delivering.ts'

await startTestAws()
const table = openTable()
const delivering = deliveringIn(table)

beginAtStart(table)

describe('D121, D122: a webhook', () => {
  test('whose message was lost is found by the sweep', async () => {
    const { happen, later, world, webhook } = await delivering()
    await happen(30)
    await world.work()
    const { length } = world.eventsOf(productId)
    await happen(30)
    const { ticket } = await webhook()
    expect(ticket).toBeUndefined()
    const signal = world.queue.splice(0)
    expect(signal).toHaveLength(1)
    await world.ports.webhooks.wake(productId, (await webhook()).webhookId, {
      ...{ ticket: 'lost', now: Date.now() },
    })
    await world.sweep()
    await later(0)
    expect(world.eventsOf(productId)).toHaveLength(length)
    await sleep(15 * minute)
    await world.sweep()
    await later(0)
    expect(world.eventsOf(productId).length).toBeGreaterThan(length)
    expect(world.queue).toEqual([])
  })

  test('is found without a subscription, and of a contract that is connected later', async () => {
    const { events, follow, later, world, webhook } = await delivering()
    const contracts = await world.ports.contracts.list(productId)
    const subscriptions = contracts.map((contract) => ({ productId, contract }))
    await later(minute + second)
    await world.ports.subscribers.remove(subscriptions)
    expect(await world.ports.subscribers.all('POLYGON')).toEqual([])
    await world.sweep()
    await later(0)
    expect(await world.ports.subscribers.all('POLYGON')).toHaveLength(2)
    await follow(events)
    expect(webhookStateOf(await webhook())).toBe('active')
  })

  test('is begun by the first of two tests at the same time, and by no later one', async () => {
    const { world, webhookId, webhook, later } = await delivering()
    await world.ports.webhooks.change(productId, webhookId, { set: { isVerified: false } })
    const test = (testId: string) =>
      sendTest({ productId, webhookId, testId }, world.ports, world.settings)
    await Promise.all([test('one'), later(second).then(() => test('two'))])
    const { position } = await webhook()
    await later(second)
    await test('three')
    expect(await webhook()).toMatchObject({ lastTest: { testId: 'three', delivered: true } })
    expect((await webhook()).position).toEqual(position)
  })
})
