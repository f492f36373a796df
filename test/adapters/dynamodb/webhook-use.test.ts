import { describe, expect, test, vi } from 'vitest'
import { dynamoWebhookPlaces } from '../../../lib/adapters/dynamodb/webhook-places.ts'
import { dynamoWebhookUse } from '../../../lib/adapters/dynamodb/webhook-use.ts'
import { newWebhookId } from '../../../lib/adapters/random/random-text.ts'
import { branded } from '../../../lib/domain/branded.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { DeliveryPorts } from '../../../lib/domain/webhooks/delivery-ports.ts'
import { leavePlace, takePlace } from '../../../lib/domain/webhooks/places.ts'
import { deliveringIn, productId, second } from '../../support/webhooks/delivering.ts'
import { newProductId, startStored, tappedTable } from './stored-fixture.ts'

const { table } = await startStored()

const [one, two, three] = [newProductId(), newProductId(), newProductId()]

describe('D121: the limits of webhooks', () => {
  const perSeconds = 3_600
  const use = dynamoWebhookUse(table, {
    tests: [{ name: 'webhook_tests', count: 2, perSeconds }],
    testsOfHost: [{ name: 'webhook_tests_by_host', count: 3, perSeconds }],
    replays: [{ name: 'webhook_replays', count: 1, perSeconds }],
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

describe('D143: the places of slow servers in the table', () => {
  const places = dynamoWebhookPlaces(table)
  const settings = { deliveries: 10 }
  const ports = { places, now: Date.now, random: () => 0.5, settings } as DeliveryPorts
  const request = (holder: string) => {
    return { productId: branded<ProductId>(holder), holder, kind: 'underWay' } as const
  }

  test('are exactly half, also for those that ask at the same time', async () => {
    const holders = Array.from({ length: 8 }, (_, index) => `h${index}`)
    const found = await Promise.all(holders.map((holder) => takePlace(request(holder), ports)))
    expect(found.filter((each) => 'until' in each)).toHaveLength(5)
    await Promise.all(holders.map((holder) => leavePlace(holder, places)))
    await places.change((left) => {
      expect(left).toEqual([])
      return {}
    })
  })

  test('are not asked for while a webhook is quick; each turn of a slow one reads and writes them twice', async () => {
    const sent: string[] = []
    const watched = tappedTable(table, ({ operation, input }) => {
      if (JSON.stringify(input).includes('WEBHOOK_PLACES')) sent.push(operation)
    })
    const { answers, happen, later, world } = await deliveringIn(watched)()
    expect(sent.splice(0)).toEqual([])
    /** What happens when messages take that long: how many there are, and the commands. */
    const taking = async (milliseconds: number) => {
      answers(() => {
        vi.setSystemTime(Date.now() + milliseconds)
        return 200
      })
      const { length } = world.eventsOf(productId)
      await happen(30)
      await later(0)
      return { messages: world.eventsOf(productId).length - length, commands: sent.splice(0) }
    }
    expect((await taking(1)).commands).toEqual([])
    const { messages, commands } = await taking(3 * second)
    // The first one shows that it is slow. Then it sends for ten seconds in each turn.
    const turn = ['GetItem', 'UpdateItem', 'GetItem', 'UpdateItem']
    expect(messages).toBeGreaterThan(5)
    expect(commands).toEqual(
      Array.from({ length: Math.ceil((messages - 1) / 4) }, () => turn).flat(),
    )
    expect((await taking(1)).commands).toEqual(turn)
    expect((await taking(1)).commands).toEqual([])
  })
})
