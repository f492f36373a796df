import { randomUUID } from 'node:crypto'
import { dynamoDeliveryPorts } from '../../../lib/adapters/dynamodb/delivery-ports.ts'
import type { Table } from '../../../lib/adapters/dynamodb/table.ts'
import { hmacWebhookSigner } from '../../../lib/adapters/hmac/webhook-signer.ts'
import { newWebhookId } from '../../../lib/adapters/random/random-text.ts'
import { sentEvent, sentTest } from '../../../lib/contract/webhook-event.ts'
import type { NftEvent } from '../../../lib/domain/nft-events/nft-event.ts'
import type { WebhookMessage } from '../../../lib/domain/ports/webhook-delivery.ts'
import type { Attempt, EndpointMessage } from '../../../lib/domain/ports/webhooks.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { processWebhookMessage } from '../../../lib/domain/webhooks/deliver.ts'
import type { DeliveryPorts } from '../../../lib/domain/webhooks/delivery-ports.ts'
import { createWebhook } from '../../../lib/domain/webhooks/manage-webhooks.ts'
import { sweepWebhooks } from '../../../lib/domain/webhooks/wake.ts'
import { type WebhookId, webhookEventTypes } from '../../../lib/domain/webhooks/webhook.ts'
import { chain } from '../follower/products-on-chain.ts'
import { Killed } from '../memory/interruptions.ts'

/** What a server answers: a status, nothing at all, or an answer that comes after it has died with the one who asked. */
export type ServerAnswer = number | 'timeout' | 'killed'

export interface WorldOptions {
  /** Random numbers below a bound. */
  next: (bound: number) => number
  /** What the server of a product answers to an event. */
  answer?: (productId: ProductId) => ServerAnswer | Promise<ServerAnswer>
  settings?: Partial<DeliveryPorts['settings']>
}

/** How long a message is hidden whose worker has died, in milliseconds. */
const visibilityMilliseconds = 120_000

/** The webhooks of a table, their queue, and the servers that they lead to, with the clock of the test. The queue delivers some messages twice, and in any order. */
export function webhookWorld(table: Table, { next, answer = () => 200, ...given }: WorldOptions) {
  const queue: { message: WebhookMessage; visibleAt: number }[] = []
  const received = new Map<string, string[]>()
  const events = new Map<string, NftEvent>()
  const counts = { attempts: 0, kills: 0 }
  let duringTest: () => Promise<unknown> = async () => undefined

  const send = async ({ url, headers, body }: EndpointMessage): Promise<Attempt> => {
    counts.attempts += 1
    const productId = url.pathname.slice(1)
    const answerOf = (status: number, text = '') => ({
      ...{ answer: { status, body: text }, milliseconds: 1 },
    })
    const { type, data } = JSON.parse(body)
    if (type === 'webhook.test') {
      await duringTest()
      return answerOf(200, data.challenge)
    }
    const status = await answer(productId as ProductId)
    if (typeof status === 'number' && status >= 300) return answerOf(status)
    received.set(productId, [...(received.get(productId) ?? []), headers['webhook-id'] ?? ''])
    if (status === 'killed') throw new Killed()
    return status === 'timeout' ? { failure: 'timeout', milliseconds: 15_000 } : answerOf(status)
  }
  const ports: DeliveryPorts = {
    ...dynamoDeliveryPorts(table),
    webhookQueue: {
      async send(message) {
        const copies = next(10) === 0 ? 2 : 1
        for (let copy = 0; copy < copies; copy += 1) queue.push({ message, visibleAt: Date.now() })
      },
    },
    endpoints: { send },
    signer: hmacWebhookSigner(['secret']),
    sent(event) {
      const sent = sentEvent(event)
      events.set(sent.id, event)
      return sent
    },
    sentTest,
    now: Date.now,
    random: () => next(1_000) / 1_000,
    newId: randomUUID,
    settings: {
      ...{ followedChains: [chain], webhookContracts: 20, eventsPerMinute: 1_000_000 },
      deliveries: 10,
      ...given.settings,
    },
  }

  async function take(entry: (typeof queue)[number]): Promise<void> {
    entry.visibleAt = Date.now() + visibilityMilliseconds
    const until = Date.now() + 20_000
    try {
      const { wait } = await processWebhookMessage(entry.message, until, ports)
      if (wait === undefined) queue.splice(queue.indexOf(entry), 1)
      else entry.visibleAt = Date.now() + wait
    } catch (error) {
      if (!(error instanceof Killed)) throw error
      counts.kills += 1
    }
  }

  /** Tests a webhook, whose server answers as it should. */
  const test = (productId: ProductId, webhookId: WebhookId) => {
    const message = { kind: 'test', productId, webhookId, testId: randomUUID() } as const
    return processWebhookMessage(message, Date.now() + 20_000, ports)
  }

  return {
    ...{ ports, queue, counts, test },
    /** Does something in each test, before the server answers. */
    onTest(happening: typeof duringTest) {
      duringTest = happening
    },
    /** What the server of a product was sent, as often as it was. */
    eventsOf: (productId: ProductId): NftEvent[] =>
      (received.get(productId) ?? []).flatMap((id) => events.get(id) ?? []),
    /** Does what the visible messages say, some of them at the same time. */
    async work() {
      for (let turns = 0; turns < 200; turns += 1) {
        const visible = queue.filter(({ visibleAt }) => visibleAt <= Date.now())
        if (visible.length === 0) return
        const first = visible.splice(next(visible.length), 1)
        const second = next(2) === 0 ? visible.splice(next(visible.length || 1), 1) : []
        await Promise.all([...first, ...second].map(take))
      }
    },
    sweep: () => sweepWebhooks(ports),
    /** A webhook of a product that has answered its test. */
    async webhookOf(productId: ProductId): Promise<WebhookId> {
      const webhookId = newWebhookId()
      const url = `https://games.example.com/${productId}`
      const fields = { webhookId, url, events: webhookEventTypes, description: '' }
      await createWebhook(productId, fields, ports)
      await test(productId, webhookId)
      return webhookId
    },
  }
}
