import { productKey } from '../../../lib/adapters/dynamodb/keys/product-partition.ts'
import { dynamoProductEvents } from '../../../lib/adapters/dynamodb/product-events.ts'
import type { Table } from '../../../lib/adapters/dynamodb/table.ts'
import { queuedWebhookSignals } from '../../../lib/adapters/sqs/webhook-queue.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import {
  replayWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '../../../lib/domain/webhooks/manage-webhooks.ts'
import { memoryChain } from '../../../simulation/memory-chain.ts'
import { allowlistAll, movements, sameRandom } from '../follower/products-on-chain.ts'
import { followedTable, sleep } from '../follower/stored-notes.ts'
import { type ServerAnswer, webhookWorld } from './webhook-world.ts'

/** The product whose webhook delivers. */
export const productId = 'all' as ProductId

export const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** A product as its registration has stored it. */
export const registered = {
  ...{ name: 'Tide', contactEmail: 'a@b', companyName: 'c', createdAt: '2026-01-01' },
  ...{ keys: {}, keysVersion: 1 },
}

/** A product with a webhook that delivers, whose server answers as the test says. Jitter is none. */
export const deliveringIn =
  (table: Table) =>
  async (settings: { eventsPerMinute?: number } = {}) => {
    let answer: ServerAnswer | (() => ServerAnswer | Promise<ServerAnswer>) = 200
    const next = sameRandom()
    // Never 0, so the queue delivers each message once; half of 1,000, so no wait is longer or shorter.
    const half = (bound: number) => Math.floor(bound / 2)
    const answerNow = () => (typeof answer === 'function' ? answer() : answer)
    const world = webhookWorld(table, { next: half, answer: answerNow, settings })
    const { put } = followedTable(table)
    const { follow } = followedTable(table, queuedWebhookSignals(world.ports.webhookQueue))
    const events = memoryChain(Date.now)
    await put(productKey(productId), registered)
    await allowlistAll(table)
    const webhookId = await world.webhookOf(productId)
    await follow(events, 100)
    await world.work()
    const { move } = movements(events, next)
    const webhook = async () => {
      const found = await world.ports.webhooks.get(productId, webhookId)
      if (!found) throw new Error('the webhook is deleted')
      return found
    }
    let changes = 0
    const changing = () => {
      changes += 1
      return { ...world.ports, changeId: `change ${changes}` }
    }
    /** Lets time go on and does the work that is then due. */
    const later = async (milliseconds: number) => {
      await sleep(milliseconds)
      await world.work()
    }
    return {
      ...{ world, follow, events, webhookId, webhook, later },
      update: (fields: Parameters<typeof updateWebhook>[2]) =>
        updateWebhook(productId, webhookId, fields, changing()),
      replay: (since: number) => replayWebhook(productId, webhookId, since, changing()),
      rotate: (overlapSeconds: number) =>
        rotateWebhookSecret(productId, webhookId, { overlapSeconds }, changing()),
      /** Takes the secret of the webhook from the deployment. */
      dropSecret: () =>
        world.ports.webhooks.change(productId, webhookId, {
          set: { secret: { deploymentSecret: 'dropped', generation: 1 } },
        }),
      /** Sweeps, and does what follows from it. */
      async swept() {
        await world.sweep()
        await later(0)
      },
      productEvents: () => dynamoProductEvents(table).list(productId, { limit: 10 }),
      answers: (given: typeof answer) => {
        answer = given
      },
      /** Moves NFTs, and logs it; nothing is delivered yet. */
      async happen(count = 1) {
        for (let each = 0; each < count; each += 1) move()
        await follow(events, 80)
      },
    }
  }
