import { expect, test } from 'vitest'
import { webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

test('D121: a test of a host that does not exist says so, and leaves the webhook unverified', async () => {
  const webhooks = webhooksOf(call, await newProduct())
  const { webhookId } = webhookIn(await webhooks.create())
  const { status, json } = await webhooks.test(webhookId)
  expect(status).toBe(200)
  expect(json.data).toEqual({
    ...{ delivered: false, status: null, failure: 'host_not_found' },
    milliseconds: expect.any(Number),
  })
  expect(await webhooks.list()).toMatchObject([{ state: 'unverified', lastDeliveredAt: null }])
})
