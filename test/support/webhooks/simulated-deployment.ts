import { sentEvent, sentTest } from '../../../lib/contract/webhook-event.ts'
import { branded } from '../../../lib/domain/branded.ts'
import type { ContractWithRanges } from '../../../lib/domain/nft/nft.ts'
import type { PlacedEntry } from '../../../lib/domain/ports/nft-event-log.ts'
import type { WebhookMessage } from '../../../lib/domain/ports/webhook-delivery.ts'
import type { Attempt, Patience, WebhookEndpoints } from '../../../lib/domain/ports/webhooks.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { processWebhookMessage } from '../../../lib/domain/webhooks/deliver.ts'
import type { DeliveryPorts } from '../../../lib/domain/webhooks/delivery-ports.ts'
import { createWebhook } from '../../../lib/domain/webhooks/manage-webhooks.ts'
import { sweepWebhooks } from '../../../lib/domain/webhooks/wake.ts'
import { type WebhookId, webhookEventTypes } from '../../../lib/domain/webhooks/webhook.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { simulatedTime } from '../../../simulation/simulated-time.ts'
import { sameRandom } from '../follower/products-on-chain.ts'
import { memoryPlaces, memoryWebhooks } from './memory-webhooks.ts'

const [second, minute] = [1_000, 60_000]
const nothing = async () => undefined

/** What is simulated. */
export interface Simulation {
  /** The server of each webhook, under its name: its product, and how long it takes, in milliseconds. Test messages too, unless it says otherwise. */
  servers: Readonly<Record<string, SimulatedServer>>
  /** How many messages of the queue are handled at a time. */
  executions: number
  /** How many tests, in the queue of their own; by default as few as a deployment can have. */
  testExecutions?: number
  /** Which of the visible messages the queue gives; by default the oldest one. */
  order?: 'oldest' | 'random'
}

export interface SimulatedServer {
  productId: ProductId
  /** How long it takes for its message number `count`, from 0. */
  answerTime: (count: number) => number
  testTime?: number
  /** It answers nothing but tests. */
  isDead?: boolean
}

interface QueueEntry {
  message: WebhookMessage
  visibleAt: number
}

/** How long the operation waits for the result of a test, in milliseconds. */
const operationWaits = 24 * second

/** A deployment on a clock of its own, with a contract for each product. */
export function simulatedDeployment({
  servers,
  executions,
  testExecutions = 2,
  order = 'oldest',
}: Simulation) {
  const { now, sleep: wait, runUntil } = simulatedTime(1)
  const start = now()
  const next = sameRandom()
  const products = [...new Set(Object.values(servers).map(({ productId }) => productId))]
  const queue: QueueEntry[] = []
  const testQueue: QueueEntry[] = []
  const logs = new Map<string, PlacedEntry[]>(
    products.map((_, index) => [addressOf(index + 1), []]),
  )
  const loggedAt = new Map<string, number>()
  const delays = new Map<string, number[]>(Object.keys(servers).map((name) => [name, []]))
  /** How many executions of deliveries wait for servers that are, or may be, slow: now, and the most at a time. */
  const slow = { now: 0, most: 0 }
  const contracts = products.map((productId, index) => ({
    productId,
    ...{ chain: 'POLYGON' as const, address: addressOf(index + 1), bindingId: branded(productId) },
    ranges: [{ first: 0n, last: 2n ** 256n - 1n }],
  }))
  let arrival = Promise.withResolvers<void>()
  let block = 1
  let ids = 0
  const add = (message: WebhookMessage) => {
    const entries = message.kind === 'test' ? testQueue : queue
    entries.push({ message, visibleAt: now() })
    arrival.resolve()
    arrival = Promise.withResolvers()
  }

  /** Delivers to a server, which answers after its time; returns whether that was waited for. */
  async function call(answerTime: number, patience: Patience | undefined): Promise<boolean> {
    const asksAfter = Math.min(answerTime, patience?.milliseconds ?? 0)
    await wait(asksAfter)
    if (answerTime === asksAfter) return true
    if (patience && !(await patience.mayWait())) return false
    slow.now += 1
    slow.most = Math.max(slow.most, slow.now)
    await wait(answerTime - asksAfter)
    slow.now -= 1
    return true
  }

  const endpoints: WebhookEndpoints = {
    async send({ url, headers, body }, { patience }): Promise<Attempt> {
      const name = url.pathname.slice(1)
      const { answerTime, testTime, isDead } = servers[name] as SimulatedServer
      const { type, data } = JSON.parse(body)
      if (type === 'webhook.test') {
        const milliseconds = testTime ?? answerTime(0)
        await wait(milliseconds)
        return { answer: { status: 200, body: data.challenge }, milliseconds }
      }
      const received = delays.get(name) ?? []
      const milliseconds = answerTime(received.length)
      if (!(await call(milliseconds, patience))) {
        return { failure: 'timeout', isGivenUp: true, milliseconds }
      }
      if (isDead) return { failure: 'timeout', milliseconds }
      received.push(now() - (loggedAt.get(headers['webhook-id'] ?? '') ?? 0))
      return { answer: { status: 200, body: '' }, milliseconds }
    },
  }
  const ports: DeliveryPorts = {
    settings: {
      ...{ followedChains: ['POLYGON'], webhookContracts: 20, eventsPerMinute: 600 },
      deliveries: executions,
    },
    ...{ webhooks: memoryWebhooks(), places: memoryPlaces() },
    ...{ sent: sentEvent, sentTest, now, endpoints },
    // Each product is told of its contract, from the beginning on.
    subscribers: {
      of: async ({ address }) =>
        contracts.filter((each) => each.address === address).map(({ productId }) => productId),
      all: async () => contracts,
      products: async () => products,
      ...{ addProduct: nothing, removeProduct: nothing, add: nothing, remove: nothing },
    },
    webhookQueue: { send: async (message) => add(message) },
    productAccess: { get: async (productId) => ({ productId }) as never },
    contracts: {
      list: async (productId) =>
        contracts.filter((each) => each.productId === productId) as ContractWithRanges[],
    },
    allowedTokenIds: { findAllowed: async () => [], list: async () => [] },
    nftEventLog: {
      positions: async () => {
        const loggedUpTo = { number: block, at: now() }
        return new Map([['POLYGON', { loggedUpTo, contracts: products.length, step: 1 }]])
      },
      leases: async (all) =>
        all.map(() => ({ watchedUntil: Number.MAX_SAFE_INTEGER, pushedUntil: 0, refusedUntil: 0 })),
      watch: nothing,
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
    events: { begin: async () => 'event', settle: nothing },
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

  /** One of the executions that a queue has. */
  async function execute(entries: QueueEntry[]): Promise<never> {
    for (;;) {
      const visible = entries.filter(({ visibleAt }) => visibleAt <= now())
      const entry = visible[order === 'oldest' ? 0 : next(visible.length || 1)]
      if (!entry) {
        const visibleAt = Math.min(now() + minute, ...entries.map((each) => each.visibleAt))
        await Promise.race([arrival.promise, wait(visibleAt - now())])
        continue
      }
      entry.visibleAt = now() + 2 * minute
      const until = now() + 20 * second
      const result = await processWebhookMessage(entry.message, until, ports)
      // What an invocation costs.
      await wait(50)
      if (result.wait === undefined) entries.splice(entries.indexOf(entry), 1)
      // The queue counts in seconds.
      else entry.visibleAt = now() + Math.ceil(result.wait / second) * second
    }
  }

  return {
    ...{ ports, queue, delays, slow, start },
    /** Lets the clock run until a moment. */
    runUntil: (end: number) => runUntil(wait(end - now())),
    /** Makes the webhooks, tests them one after the other, and starts the executions and the sweep. */
    async begin(): Promise<void> {
      for (const [name, { productId }] of Object.entries(servers)) {
        const url = `https://games.example.com/${name}`
        const fields = { webhookId: name as WebhookId, url, description: '' }
        await createWebhook(productId, { ...fields, events: webhookEventTypes }, ports)
        add({ kind: 'test', productId, webhookId: name as WebhookId, testId: name })
      }
      for (let each = 0; each < executions; each += 1) void execute(queue)
      for (let each = 0; each < testExecutions; each += 1) void execute(testQueue)
      void this.every(5 * minute, () => sweepWebhooks(ports))
    },
    /** Does something again and again. */
    async every(milliseconds: number, work: () => Promise<unknown>): Promise<never> {
      for (;;) {
        await wait(milliseconds)
        await work()
      }
    },
    /** Tests a webhook; returns after which time it has a result, in milliseconds, or infinity if that is too late for the operation. */
    async test(name: string, testId: string): Promise<number> {
      const { productId } = servers[name] as SimulatedServer
      const [begun, webhookId] = [now(), name as WebhookId]
      const until = begun + operationWaits
      add({ kind: 'test', productId, webhookId, testId, until })
      while ((await ports.webhooks.get(productId, webhookId))?.lastTest?.testId !== testId) {
        if (now() > until) return Number.POSITIVE_INFINITY
        await wait(250)
      }
      return now() - begun
    },
    /** Logs events of a product, as a poll of the follower does. */
    async log(productId: ProductId, count = 1): Promise<void> {
      const { chain, address } = contracts[
        products.indexOf(productId)
      ] as (typeof contracts)[number]
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
    },
    /** The delay of the events of a webhook that was not longer for 99 of 100 of them, in milliseconds. */
    p99Of(name: string): number {
      const sorted = (delays.get(name) ?? []).toSorted((a, b) => a - b)
      return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.POSITIVE_INFINITY
    },
  }
}
