import { expect, test } from 'vitest'
import { webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

test('D121: webhooks are listed by their creation, and are those of the product', async () => {
  const [mine, theirs] = [
    webhooksOf(call, await newProduct()),
    webhooksOf(call, await newProduct()),
  ]
  expect(await mine.list()).toEqual([])
  const made: string[] = []
  for (let count = 0; count < 3; count += 1) made.push(webhookIn(await mine.create()).webhookId)
  await theirs.create()
  expect((await mine.list()).map(({ webhookId }) => webhookId)).toEqual(made)
})
