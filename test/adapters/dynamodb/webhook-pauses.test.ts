import { describe, expect, test } from 'vitest'
import { sendTest } from '../../../lib/domain/webhooks/test-webhook.ts'
import { webhookStateOf } from '../../../lib/domain/webhooks/webhook-state.ts'
import { day, sleep } from '../../support/follower/stored-notes.ts'
import { deliveringIn, hour, minute, productId, second } from '../../support/webhooks/delivering.ts'
import { startStored } from './stored-fixture.ts'

const delivering = deliveringIn((await startStored()).table)

/** A webhook whose secret the deployment has no more. */
async function withoutSecret() {
  const all = await delivering()
  await all.dropSecret()
  await all.happen(30)
  await all.later(0)
  return { ...all, state: async () => webhookStateOf(await all.webhook()) }
}

describe('D123: a webhook whose secret has ended', () => {
  test('goes on with a rotation, however long it was paused, and then has all its attempts', async () => {
    const { answers, later, world, webhook, rotate, state, swept } = await withoutSecret()
    while ((await state()) === 'failing') {
      await later(((await webhook()).nextAttemptAt ?? 0) - Date.now())
    }
    expect([await state(), (await webhook()).failures]).toEqual(['paused', 10])
    await later(2 * day)
    await swept()
    expect(await world.ports.subscribers.all('POLYGON')).toEqual([])
    const { attempts } = world.counts
    answers(503)
    await rotate(0)
    await swept()
    expect(await webhook()).toMatchObject({ failures: 1, nextAttemptAt: Date.now() + 5 * second })
    answers(200)
    await later(5 * second)
    expect(world.counts.attempts).toBeGreaterThan(attempts + 10)
  })

  test('stays paused if its product has paused it', async () => {
    const { world, webhookId, later, rotate, state, swept, update, webhook } = await withoutSecret()
    await later(second)
    await update({ state: 'paused' })
    await rotate(0)
    expect(await state()).toBe('paused')
    await update({ state: 'active' })
    await swept()
    expect(await webhook()).toMatchObject({ failures: 0, lastFailure: { code: 'secret_ended' } })
    // What has happened to its secret long ago does not count.
    await world.ports.webhooks.wake(productId, webhookId, { ticket: 'next', now: Date.now() })
    await rotate(0)
    expect(await webhook()).toMatchObject({ ticket: 'next' })
    await update({ state: 'paused' })
    await rotate(0)
    expect(await state()).toBe('paused')
  })
})

test('D122: a webhook that was paused for days goes on, though the message of the change is lost', async () => {
  const { world, later, swept, update, webhook } = await delivering()
  await update({ state: 'paused' })
  await later(2 * day)
  await swept()
  expect(await world.ports.subscribers.all('POLYGON')).toEqual([])
  await update({ state: 'active' })
  const { wakes } = await webhook()
  await later(5 * minute)
  await swept()
  expect(await world.ports.subscribers.all('POLYGON')).toHaveLength(2)
  expect((await webhook()).wakes).toBeGreaterThan(wakes)
})

test('D127: a webhook is told what it has not got within seven days, also if it has got other events meanwhile', async () => {
  const { answers, happen, later, swept, update, world } = await delivering()
  answers(500)
  await happen(120)
  await later(3 * day)
  // A page of 50 events, and then nothing more.
  let delivered = 0
  answers(() => {
    delivered += 1
    return delivered > 60 ? 500 : 200
  })
  await update({ state: 'active' })
  await swept()
  expect(world.eventsOf(productId)).toHaveLength(60)
  await update({ state: 'paused' })
  await later(4 * day + hour)
  answers(200)
  await update({ state: 'active' })
  await swept()
  const sent = world.eventsOf(productId).slice(60)
  expect(sent.map(({ content }) => content)).toMatchObject([
    { kind: 'missed', reason: 'expired', fromBlock: expect.any(Number) },
    { kind: 'missed', reason: 'expired', fromBlock: expect.any(Number) },
  ])
})

describe('D121: a replay of a webhook that is not verified', () => {
  test('lets it begin there, at once after its test', async () => {
    const { happen, later, replay, webhookId, world } = await delivering()
    const { webhooks } = world.ports
    await webhooks.change(productId, webhookId, { set: { isVerified: false }, raisesFence: true })
    await happen(30)
    await later(0)
    await replay(Date.now() - 10 * minute)
    expect(world.eventsOf(productId)).toEqual([])
    await world.test(productId, webhookId)
    await later(0)
    expect(world.eventsOf(productId).length).toBeGreaterThan(10)
  })

  test('does so also during the test', async () => {
    const { replay, webhook, webhookId, world } = await delivering()
    const { webhooks } = world.ports
    await webhooks.change(productId, webhookId, { set: { isVerified: false }, raisesFence: true })
    const since = Date.now() - 10 * minute
    world.onTest(() => replay(since))
    await world.test(productId, webhookId)
    expect(await webhook()).toMatchObject({ isVerified: true, position: { since } })
  })
})

describe('D121, D122: a webhook', () => {
  test('whose message was lost is found by the sweep', async () => {
    const { happen, swept, webhook, world } = await delivering()
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
    await swept()
    expect(world.eventsOf(productId)).toHaveLength(length)
    await sleep(15 * minute)
    await swept()
    expect(world.eventsOf(productId).length).toBeGreaterThan(length)
    expect(world.queue).toEqual([])
  })

  test('is found without a subscription, and of a contract that is connected later', async () => {
    const { events, follow, later, swept, webhook, world } = await delivering()
    const contracts = await world.ports.contracts.list(productId)
    const subscriptions = contracts.map((contract) => ({ productId, contract }))
    await later(minute + second)
    await world.ports.subscribers.remove(subscriptions)
    expect(await world.ports.subscribers.all('POLYGON')).toEqual([])
    await swept()
    expect(await world.ports.subscribers.all('POLYGON')).toHaveLength(2)
    await follow(events)
    expect(webhookStateOf(await webhook())).toBe('active')
  })

  test('is begun by the first of two tests at the same time, and by no later one', async () => {
    const { world, webhookId, webhook, later } = await delivering()
    await world.ports.webhooks.change(productId, webhookId, { set: { isVerified: false } })
    const test = (testId: string) => sendTest({ productId, webhookId, testId }, world.ports)
    await Promise.all([test('one'), later(second).then(() => test('two'))])
    const { position } = await webhook()
    await later(second)
    await test('three')
    expect(await webhook()).toMatchObject({ lastTest: { testId: 'three', delivered: true } })
    expect((await webhook()).position).toEqual(position)
  })
})
