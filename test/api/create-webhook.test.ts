import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { nowhere, webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

const newWebhooks = async () => webhooksOf(call, await newProduct())

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
    const { url, events } = webhookIn(
      await (await newWebhooks()).create({
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
    ['http://games.example.com/', 'must begin with https://'],
    ['https://localhost./', 'must have a public host name'],
    [`https://games.example.com/${'a'.repeat(500)}`, 'must be 1 to 500 characters long'],
  ])('D120: refuses %s', async (url, message) => {
    const webhooks = await newWebhooks()
    const errors = expectProblem(await webhooks.create({ url }), 'invalid_request')
    expect(errors).toMatchObject([{ in: 'body', path: 'url' }])
    expect(errors?.[0]?.message).toContain(message)
    expect(await webhooks.list()).toEqual([])
  })

  test.each([
    [{ events: [] }, 'events'],
    [{ events: ['nft.sold'] }, 'events.0'],
    [{ events: 'nft.transferred' }, 'events'],
    [{ description: 'a'.repeat(501) }, 'description'],
    [{ url: 7 }, 'url'],
  ])('refuses %j', async (body, path) => {
    const errors = expectProblem(await (await newWebhooks()).create(body), 'invalid_request')
    expect(errors).toMatchObject([{ in: 'body', path }])
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
