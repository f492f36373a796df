import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

async function newWebhook() {
  const webhooks = webhooksOf(call, await newProduct())
  return { ...webhooks, ...webhookIn(await webhooks.create()) }
}

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
