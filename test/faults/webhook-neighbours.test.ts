import { expect, test } from 'vitest'
import { sentEvent, sentTest } from '../../lib/contract/webhook-message.ts'
import { branded } from '../../lib/domain/branded.ts'
import type { ContractWithRanges } from '../../lib/domain/nft/nft.ts'
import type { PlacedEntry } from '../../lib/domain/ports/nft-event-log.ts'
import type { WebhookMessage } from '../../lib/domain/ports/webhook-queue.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import type { DeliveryPorts } from '../../lib/domain/webhooks/delivery-ports.ts'
import { createWebhook } from '../../lib/domain/webhooks/manage-webhooks.ts'
import { processWebhookMessage } from '../../lib/domain/webhooks/process-webhook-message.ts'
import { sweepWebhooks, wakeSubscribers } from '../../lib/domain/webhooks/wake.ts'
import { webhookEventTypes } from '../../lib/domain/webhooks/webhook.ts'
import { addressOf } from '../support/follower/memory-chain.ts'
import { sameRandom } from '../support/follower/products-on-chain.ts'
import { memorySubscribers, memoryWebhooks } from '../support/webhooks/memory-webhooks.ts'
import { virtualClock } from '../support/webhooks/virtual-clock.ts'

const start = 1_800_000_000_000
const [second, minute, day] = [1_000, 60_000, 86_400_000]
const settings = {
  followedChains: ['POLYGON'],
  webhookContracts: 20,
  eventsPerMinute: 600,
} as const

/** As many messages at a time as the function that delivers has executions. */
const executions = 10

/** How long servers take: one that is dead, ten that drip, one with a flood, and a healthy one. */
const servers = {
  ...{ dead: 15_000, flooded: 1_000, healthy: 80 },
  ...Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`dripping${index}`, 14_000])),
} as const
type Name = string
const names: readonly Name[] = Object.keys(servers)

/** A deployment with a product for each server, and a contract for each product. */
function deployment() {
  const clock = virtualClock(start)
  const next = sameRandom()
  const { now, wait } = clock
  const webhooks = memoryWebhooks()
  const queue: { message: WebhookMessage; visibleAt: number }[] = []
  const logs = new Map<string, PlacedEntry[]>(names.map((_, index) => [addressOf(index + 1), []]))
  const loggedAt = new Map<string, number>()
  const delays = new Map<Name, number[]>(names.map((name) => [name, []]))
  const contracts = names.map((name, index) => ({
    name,
    ...({ chain: 'POLYGON', address: addressOf(index + 1), bindingId: branded(name) } as const),
    ranges: [{ first: 0n, last: 2n ** 256n - 1n }],
  }))
  let arrival = Promise.withResolvers<void>()
  let block = 1
  let ids = 0
  const add = (message: WebhookMessage) => {
    queue.push({ message, visibleAt: now() })
    arrival.resolve()
    arrival = Promise.withResolvers()
  }
  const ports: DeliveryPorts = {
    ...{ webhooks, subscribers: memorySubscribers(), sent: sentEvent, sentTest, now },
    webhookQueue: { send: async (message) => add(message) },
    productAccess: { get: async (productId) => ({ productId }) as never },
    contracts: {
      list: async (productId) =>
        contracts.filter(({ name }) => name === (productId as string)) as ContractWithRanges[],
    },
    allowedTokenIds: { findAllowed: async () => [], list: async () => [] },
    nftEventLog: {
      positions: async () =>
        new Map([
          [
            'POLYGON',
            { loggedUpTo: { number: block, at: now() }, contracts: names.length, step: 1 },
          ],
        ]),
      leases: async (all) =>
        all.map(() => ({ watchedUntil: start + 2 * day, pushedUntil: 0, refusedUntil: 0 })),
      watch: async () => undefined,
      entries: async ({ address }, { from, limit }) => {
        const log = logs.get(address) ?? []
        const first = log.findIndex((each) => each.block.number >= from.block)
        const rest = first === -1 ? [] : log.slice(first, first + limit + 1)
        return { entries: rest.slice(0, limit), hasMore: rest.length > limit }
      },
      milestonesAround: async (_, time) => ({
        before:
          [...logs.values()].flat().find((each) => each.block.at >= time)?.block.number ?? block,
      }),
    },
    events: { begin: async () => 'event', settle: async () => undefined },
    endpoints: {
      async send({ url, headers, body }) {
        const name = url.pathname.slice(1) as Name
        const { type, data } = JSON.parse(body)
        if (type === 'webhook.test') {
          return { answer: { status: 200, body: data.challenge }, milliseconds: 1 }
        }
        const answerTime = servers[name as keyof typeof servers]
        await wait(answerTime)
        if (name === 'dead') return { failure: 'timeout', milliseconds: servers.dead }
        delays.get(name)?.push(now() - (loggedAt.get(headers['webhook-id'] ?? '') ?? 0))
        return { answer: { status: 200, body: '' }, milliseconds: answerTime }
      },
    },
    signer: {
      reference: (generation) => ({ deploymentSecret: 'one', generation }),
      secret: () => 'whsec_',
      sign: (_, { id }) => ({ 'webhook-id': id }),
    },
    random: () => next(1_000) / 1_000,
    newId() {
      ids += 1
      return `id-${ids}`
    },
  }

  /** Logs events of a product, as a poll of the follower does. */
  async function log(name: Name, count: number): Promise<void> {
    const contract = contracts[names.indexOf(name)]
    if (!contract) throw new Error(name)
    const { chain, address } = contract
    for (let each = 0; each < count; each += 1) {
      block += 1
      const content = { kind: 'metadata', fromTokenId: '1', toTokenId: '1' } as never
      const entry = {
        block: { number: block, hash: `0x${block}`, at: now() },
        ...{ logIndex: 0, place: 0, content },
      }
      logs.get(address)?.push(entry)
      loggedAt.set(sentEvent({ ...entry, chain, contract: address }).id, now())
    }
    add({ kind: 'logged', chain, contracts: [address] })
  }

  /** One of the executions: takes the oldest message that is visible. */
  async function execute(): Promise<never> {
    for (;;) {
      const entry = queue.find(({ visibleAt }) => visibleAt <= now())
      if (!entry) {
        const visibleAt = Math.min(start + day, ...queue.map((each) => each.visibleAt))
        await Promise.race([arrival.promise, wait(visibleAt - now())])
        continue
      }
      entry.visibleAt = now() + 120 * second
      const { message } = entry
      const result =
        message.kind === 'logged'
          ? await wakeSubscribers(message.chain, message.contracts, ports)
          : await processWebhookMessage(message, now() + 20 * second, ports, settings)
      // What an invocation costs.
      await wait(50)
      if (result?.wait === undefined) queue.splice(queue.indexOf(entry), 1)
      else entry.visibleAt = now() + result.wait
    }
  }

  return { ...{ clock, ports, log, execute, delays, queue, webhooks } }
}

test('D122: the healthy neighbour of a dead, a flooded and ten dripping servers has its events within 5 s, all day', {
  timeout: 120_000,
}, async () => {
  const { clock, ports, log, execute, delays, webhooks, queue } = deployment()
  for (const name of names) {
    const productId = branded<ProductId>(name)
    const webhookId = branded<never>(`wh_${name}`)
    const fields = { webhookId, url: `https://games.example.com/${name}`, description: '' }
    await createWebhook(productId, { ...fields, events: webhookEventTypes }, ports)
    const testing = { kind: 'test', productId, webhookId, testId: 'test' } as const
    await processWebhookMessage(testing, start + minute, ports, settings)
  }
  const every = async (milliseconds: number, work: () => Promise<unknown>) => {
    for (;;) {
      await clock.wait(milliseconds)
      await work()
    }
  }
  for (let each = 0; each < executions; each += 1) void execute()
  void every(20 * second, () => log('healthy', 1))
  void every(minute, () => log('dead', 1))
  for (const name of names.filter((each) => each.startsWith('dripping'))) {
    void every(minute, () => log(name, 5))
  }
  void every(minute, () => log('flooded', 100))
  void every(5 * minute, () => sweepWebhooks(settings.followedChains, ports))
  await clock.runUntil(start + day)
  const ofHealthy = (delays.get('healthy') ?? []).toSorted((a, b) => a - b)
  expect(ofHealthy.length).toBeGreaterThan(4_300)
  expect(ofHealthy[Math.ceil(ofHealthy.length * 0.99) - 1]).toBeLessThanOrEqual(5 * second)
  // The others are as bad as they are, and nothing of them piles up in the queue.
  expect(delays.get('flooded')?.at(-1)).toBeGreaterThan(3_600 * second)
  expect(delays.get('dripping0')?.at(-1)).toBeGreaterThan(600 * second)
  const [dead] = await webhooks.list(branded('dead'))
  expect(dead?.failures).toBeGreaterThan(5)
  expect(dead?.pausedAt).toBeUndefined()
  expect(queue.length).toBeLessThan(30)
})
