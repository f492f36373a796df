import { expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

test('D121: a deleted webhook is not known any more', async () => {
  const webhooks = webhooksOf(call, await newProduct())
  const [one, two] = [webhookIn(await webhooks.create()), webhookIn(await webhooks.create())]
  expect((await webhooks.delete(one.webhookId)).status).toBe(200)
  expect((await webhooks.list()).map(({ webhookId }) => webhookId)).toEqual([two.webhookId])
  expectProblem(await webhooks.delete(one.webhookId), 'webhook_not_found')
})
