import { describe, expect, test } from 'vitest'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { dynamoWebhookUse } from '../../../lib/adapters/dynamodb/webhook-use.ts'
import { newWebhookId } from '../../../lib/adapters/random/webhook-ids.ts'
import { branded } from '../../../lib/domain/branded.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'

await startTestAws()
const table = openTable()
const [one, two, three] = ['one', 'two', 'three'].map((name) => branded<ProductId>(name)) as [
  ProductId,
  ProductId,
  ProductId,
]

describe('D121: the limits of webhooks', () => {
  const perSeconds = 3_600
  const use = dynamoWebhookUse(table, {
    tests: { name: 'webhook_tests', count: 2, perSeconds },
    testsOfHost: { name: 'webhook_tests_by_host', count: 3, perSeconds },
    replays: { name: 'webhook_replays', count: 1, perSeconds },
  })

  test('are of the tests of a product, and of all products at one host', async () => {
    await use.test(one, 'a.example')
    await use.test(one, 'a.example')
    await expect(use.test(one, 'b.example')).rejects.toThrow('The limit webhook_tests is exhausted')
    await use.test(two, 'a.example')
    const refused = use.test(three, 'a.example')
    await expect(refused).rejects.toThrow('The limit webhook_tests_by_host is exhausted: 3 in 3600')
    await use.test(three, 'b.example')
  })

  test('are of the replays of a webhook', async () => {
    const [webhook, other] = [newWebhookId(), newWebhookId()]
    await use.replay(one, webhook)
    await expect(use.replay(one, webhook)).rejects.toThrow('The limit webhook_replays is exhausted')
    await use.replay(one, other)
  })

  test('do not apply if they are not set', async () => {
    const unlimited = dynamoWebhookUse(table, {})
    for (let count = 0; count < 5; count += 1) await unlimited.test(one, 'a.example')
    await unlimited.replay(one, newWebhookId())
  })
})
