import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { nowhere, webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

const newWebhooks = async () => webhooksOf(call, await newProduct())

async function newWebhook() {
  const webhooks = await newWebhooks()
  return { ...webhooks, ...webhookIn(await webhooks.create()) }
}

describe('D121: create webhook', () => {
  test('returns an unverified webhook with its secret, which no other response has', async () => {
    const webhooks = await newWebhooks()
    const { secret, ...webhook } = webhookIn(await webhooks.create({ description: 'Server' }))
    expect(secret).toMatch(/^whsec_[0-9A-Za-z+/]{43}=$/)
    expect(webhook).toMatchObject({
      webhookId: expect.stringMatching(/^wh_[0-9A-Za-z]{22}$/),
      ...{ url: nowhere, description: 'Server', state: 'unverified', failures: 0 },
      events: ['nft.transferred', 'nft.metadata_changed', 'events.missed'],
      ...{ lastDeliveredAt: null, lastFailure: null, pendingSince: null, nextAttemptAt: null },
    })
    expect(await webhooks.list()).toEqual([webhook])
    const other = webhookIn(await webhooks.create())
    expect(other.secret).not.toBe(secret)
  })

  test('calls a URL as WHATWG’s standard writes it, and keeps each type once', async () => {
    const webhooks = await newWebhooks()
    const { url, events } = webhookIn(
      await webhooks.create({
        url: 'HTTPS://Games.Example.COM:443/a/../b?c=d',
        events: ['events.missed', 'events.missed'],
      }),
    )
    expect({ url, events }).toEqual({
      url: 'https://games.example.com/b?c=d',
      events: ['events.missed'],
    })
  })

  test.each([
    [{ url: 'https://localhost./' }, 'url', 'must have a public host name'],
    [{ url: `${nowhere}/${'a'.repeat(500)}` }, 'url', 'must be 1 to 500 characters long'],
    [{ description: 'a'.repeat(501) }, 'description', 'must be 0 to 500 characters long'],
    [{ events: [] }, 'events', 'must have at least one type of events'],
    [{ events: ['nft.sold'] }, 'events.0', 'must be one of'],
  ])('D120: refuses %j', async (body, path, message) => {
    const webhooks = await newWebhooks()
    const errors = expectProblem(await webhooks.create(body), 'invalid_request')
    expect(errors).toEqual([{ in: 'body', path, message: expect.stringContaining(message) }])
    expect(await webhooks.list()).toEqual([])
  })

  test('makes five, whoever else asks at the same time, and room for one by a deletion', async () => {
    const webhooks = await newWebhooks()
    const answers = await Promise.all(Array.from({ length: 9 }, () => webhooks.create()))
    const made = answers.filter(({ status }) => status === 200).map(webhookIn)
    const refused = answers.filter(({ status }) => status !== 200)
    for (const each of refused) expectProblem(each, 'too_many_webhooks')
    const listed = await webhooks.list()
    expect(listed.map(({ webhookId }) => webhookId).toSorted()).toEqual(
      made.map(({ webhookId }) => webhookId).toSorted(),
    )
    expect(made.length).toBeLessThanOrEqual(5)
    for (let count = made.length; count < 5; count += 1) webhookIn(await webhooks.create())
    expectProblem(await webhooks.create(), 'too_many_webhooks')
    await webhooks.delete((await webhooks.list())[0]?.webhookId ?? '')
    webhookIn(await webhooks.create())
  })

  test('D49: is recorded with the webhook, as are its other changes', async () => {
    const apiKey = await newProduct()
    const webhooks = webhooksOf(call, apiKey)
    const { webhookId } = webhookIn(await webhooks.create())
    await webhooks.update(webhookId, { description: 'Other' })
    await webhooks.rotate(webhookId)
    await webhooks.delete(webhookId)
    const { json } = await call('GET /product/events', { apiKey, query: { limit: '4' } })
    expect(json.data.map(({ action }: { action: string }) => action)).toEqual([
      'deleteWebhook',
      'rotateWebhookSecret',
      'updateWebhook',
      'createWebhook',
    ])
    for (const event of json.data) expect(event).toMatchObject({ webhookId, outcome: 'done' })
  })
})

test('D121: list webhooks: those of the product, by their creation', async () => {
  const [mine, theirs] = [await newWebhooks(), await newWebhooks()]
  expect(await mine.list()).toEqual([])
  const made: string[] = []
  for (let count = 0; count < 3; count += 1) made.push(webhookIn(await mine.create()).webhookId)
  await theirs.create()
  expect((await mine.list()).map(({ webhookId }) => webhookId)).toEqual(made)
})

describe('D121: update webhook', () => {
  test('changes the given fields and no others', async () => {
    const { webhookId, update, list, ...before } = await newWebhook()
    const changed = webhookIn(await update(webhookId, { description: 'Other' }))
    expect(changed).toMatchObject({ description: 'Other', url: before.url, events: before.events })
    const url = 'https://other.example.com:8443/'
    await update(webhookId, { url, events: ['nft.transferred'] })
    expect(await list()).toMatchObject([
      { webhookId, url, events: ['nft.transferred'], description: 'Other', state: 'unverified' },
    ])
  })

  test('D126: null leaves the description, and an empty text ends it', async () => {
    const { webhookId, update } = await newWebhook()
    await update(webhookId, { description: 'Other' })
    const left = webhookIn(await update(webhookId, { description: null, state: null }))
    expect(left).toMatchObject({ description: 'Other' })
    expect(webhookIn(await update(webhookId, { description: '' }))).toMatchObject({
      description: '',
    })
  })

  test('gives no state to a webhook whose server has answered no test', async () => {
    const { webhookId, update, list } = await newWebhook()
    for (const state of ['active', 'paused']) {
      expectProblem(await update(webhookId, { state }), 'webhook_not_verified')
    }
    expect(await list()).toMatchObject([{ state: 'unverified' }])
  })

  test('refuses a URL that no webhook can have, and a state of the service', async () => {
    const { webhookId, update } = await newWebhook()
    expectProblem(await update(webhookId, { url: 'https://10.0.0.1/' }), 'invalid_request')
    expectProblem(await update(webhookId, { state: 'failing' }), 'invalid_request')
  })

  test('does not know a webhook of another product, or one that never was', async () => {
    const [mine, theirs] = [await newWebhook(), await newWebhook()]
    const unknown = [theirs.webhookId, `wh_${'a'.repeat(22)}`, 'wh_a', 'a'.repeat(3_000)]
    for (const webhookId of unknown) {
      const sent = [
        mine.update(webhookId, {}),
        mine.rotate(webhookId),
        mine.test(webhookId),
        mine.replay(webhookId, { since: new Date().toISOString() }),
        mine.delete(webhookId),
      ]
      for (const answer of await Promise.all(sent)) expectProblem(answer, 'webhook_not_found')
    }
    expect(await theirs.list()).toHaveLength(1)
  })
})

test('D123: rotate webhook secret: another one, and until when the old one signs too', async () => {
  const { webhookId, secret, oldSecretEndsAt, rotate, list } = await newWebhook()
  expect(oldSecretEndsAt).toBeNull()
  const before = Date.now()
  const day = webhookIn(await rotate(webhookId))
  const hour = webhookIn(await rotate(webhookId, { overlapSeconds: 3_600 }))
  const lasts = ({ oldSecretEndsAt }: typeof day) =>
    Math.round((Date.parse(oldSecretEndsAt ?? '') - before) / 60_000)
  expect([lasts(day), lasts(hour)]).toEqual([1_440, 60])
  const none = webhookIn(await rotate(webhookId, { overlapSeconds: 0 }))
  expect(none.oldSecretEndsAt).toBeNull()
  expect(new Set([secret, day.secret, hour.secret, none.secret]).size).toBe(4)
  const { secret: _, ...shown } = none
  expect(await list()).toEqual([shown])
})

test('D121: test webhook: a host that does not exist is said, and the webhook stays unverified', async () => {
  const { webhookId, list, ...webhooks } = await newWebhook()
  const { status, json } = await webhooks.test(webhookId)
  expect(status).toBe(200)
  expect(json.data).toEqual({
    ...{ delivered: false, status: null, failure: 'host_not_found' },
    milliseconds: expect.any(Number),
  })
  expect(await list()).toMatchObject([{ state: 'unverified', lastDeliveredAt: null }])
})

test('D121: replay webhook: of the last seven days, and of one that is not verified, too', async () => {
  const { webhookId, replay, list } = await newWebhook()
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  for (const since of [inDays(-7.01), inDays(0.01), 'yesterday', 7]) {
    const errors = expectProblem(await replay(webhookId, { since }), 'invalid_request')
    expect(errors).toMatchObject([{ in: 'body', path: 'since' }])
  }
  expect((await replay(webhookId, { since: inDays(-6.9) })).status).toBe(200)
  const { state } = webhookIn(await replay(webhookId))
  expect(state).toBe('unverified')
  expect(await list()).toMatchObject([{ state: 'unverified', pendingSince: null }])
})

test('D121: delete webhook: it is not known any more', async () => {
  const webhooks = await newWebhooks()
  const [one, two] = [webhookIn(await webhooks.create()), webhookIn(await webhooks.create())]
  expect((await webhooks.delete(one.webhookId)).status).toBe(200)
  expect((await webhooks.list()).map(({ webhookId }) => webhookId)).toEqual([two.webhookId])
  expectProblem(await webhooks.delete(one.webhookId), 'webhook_not_found')
})
