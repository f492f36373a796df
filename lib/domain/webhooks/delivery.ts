import { chainNames } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { EventStart } from '../nft-events/event-start.ts'
import type { NftEvent } from '../nft-events/nft-event.ts'
import { contractsWithEvents, eventsOf } from '../nft-events/read-nft-events.ts'
import type { WebhookMessage } from '../ports/webhook-delivery.ts'
import type { Patience, WebhookChange, WebhookCondition } from '../ports/webhooks.ts'
import type { Deadline } from '../time-budget.ts'
import { attempt, type FailedAttempt, isFailed, waitAfterFailure } from './attempt.ts'
import type { DeliveryPorts } from './delivery-ports.ts'
import { messagesOf, type PageMessages, type ReadPage } from './page-messages.ts'
import { isQuick, quickMilliseconds, takePlace } from './places.ts'
import type { Webhook, WebhookFailure } from './webhook.ts'
import { laterThan, pendingFields } from './webhook-state.ts'

/** How many events are read at once, and for how long one that was sent may not be noted, in milliseconds. */
const eventsPerPage = 50
const unsavedMilliseconds = 1_000

/** How many entries of each contract are read at once at least. */
const leastEntries = 5

/** After which time a stopped product is looked at again, and a minute that is not over, in milliseconds. */
const stoppedMilliseconds = 300_000
const openMinuteMilliseconds = 15_000

export type DeliveryTask = Extract<WebhookMessage, { kind: 'deliver' }>

interface DeliveryEnd {
  /** After which time the message of the queue is needed again, in milliseconds; absent if it is not. */
  wait?: number | undefined
  failure?: WebhookFailure | undefined
}

export interface DeliveryResult extends DeliveryEnd {
  delivered: number
  /** From when the delivery was due until it began, in milliseconds; absent if the endpoint had made it wait. */
  delayMilliseconds?: number | undefined
}

/** A delivery that has begun: it has the lease of its webhook, until a change or a later delivery raises the fence. */
export class Delivery {
  delivered = 0
  /** Whether it has one of the places of slow servers (D143), and the latest question for one. */
  private hasPlace: boolean
  private placeRequest: Promise<boolean> | undefined
  private progress: Pick<
    Webhook,
    'position' | 'minutes' | 'failures' | 'lastEventAt' | 'lastDeliveredAt' | 'slowAt'
  >
  private wakes: number
  private savedAt: number
  private turn: number
  private readonly webhook: Webhook
  private readonly task: DeliveryTask
  private readonly ports: DeliveryPorts

  constructor(webhook: Webhook, task: DeliveryTask, ports: DeliveryPorts) {
    this.webhook = webhook
    this.task = task
    this.ports = ports
    const { position, minutes, failures, slowAt, wakes } = webhook
    this.hasPlace = slowAt !== undefined
    this.progress = { position, minutes, failures, slowAt }
    this.wakes = wakes
    this.turn = Math.floor(ports.random() * chainNames.length)
    this.savedAt = ports.now()
  }

  /** Whether it has a place in the end, also one that it got after the answer. */
  async keepsPlace(): Promise<boolean> {
    await this.placeRequest?.catch(() => false)
    return this.hasPlace
  }

  /** Delivers until nothing is left, or until `until`. */
  async run(until: Deadline): Promise<DeliveryEnd> {
    for (;;) {
      const refusal = await this.refusal()
      if (refusal) return refusal
      const page = await this.nextPage()
      const messages = this.messagesOf(page)
      const interruption = await this.send(messages, until)
      if (interruption) return interruption
      const end = page.hasMore ? await this.endIfLate(until) : await this.settle(messages)
      if (end) return end
    }
  }

  /** The end, if the product has ended or is stopped. */
  private async refusal(): Promise<DeliveryEnd | undefined> {
    const product = await this.ports.productAccess.get(this.task.productId)
    if (!product || product.endedAt !== undefined) {
      await this.save({ remove: pendingFields })
      return {}
    }
    return product.stoppedAt === undefined ? undefined : await this.stop(stoppedMilliseconds)
  }

  private async nextPage(): Promise<ReadPage> {
    const { ports, task, progress } = this
    const { settings } = ports
    const { followed } = await contractsWithEvents(task.productId, ports, settings)
    const contracts = this.inTurn(followed.slice(0, settings.webhookContracts))
    // Before the entries: those up to the positions are complete.
    const positions = await ports.nftEventLog.positions(settings.followedChains)
    const start: EventStart = progress.position
    // Most of what is read of several busy contracts would be read again for the next page.
    const entries = Math.max(leastEntries, Math.ceil(eventsPerPage / contracts.length))
    const read = { start, limit: eventsPerPage, entries, now: ports.now() }
    const page = await eventsOf(contracts, positions, read, ports)
    const ends = [...positions].map(([chain, { loggedUpTo }]) => [chain, loggedUpTo.at] as const)
    return { ...page, completeUpTo: new Map(ends) }
  }

  /** The contracts of a chain after those of the others: a page that is full with one chain is followed by one that begins with another. */
  private inTurn<Contract extends ContractKey>(contracts: readonly Contract[]): Contract[] {
    const chains = [...Map.groupBy(contracts, ({ chain }) => chain).values()]
    const first = this.turn % Math.max(1, chains.length)
    this.turn += 1
    return [...chains.slice(first), ...chains.slice(0, first)].flat()
  }

  private messagesOf(page: ReadPage): PageMessages {
    const types: readonly string[] = this.webhook.events
    const wants = (event: NftEvent) => types.includes(this.ports.sent(event).type)
    const { eventsPerMinute } = this.ports.settings
    return messagesOf(page, this.progress, { wants, eventsPerMinute })
  }

  /** Sends the messages of a page; the end, if it is not whole after that. */
  private async send({ messages, after }: PageMessages, until: Deadline) {
    const { now, sent } = this.ports
    for (const { event, ...before } of messages) {
      this.progress = { ...this.progress, ...before }
      const late = await this.endIfLate(until)
      if (late) return late
      const isDue = now() - this.savedAt >= unsavedMilliseconds
      if (isDue && !(await this.save())) return await this.lost()
      const calledAt = now()
      const options = { answerBytes: 0, patience: this.patience() }
      const result = await attempt(this.webhook, sent(event), options, this.ports)
      const wasQuick = !result.isGivenUp && isQuick(now() - calledAt)
      this.progress = { ...this.progress, slowAt: wasQuick ? undefined : now() }
      if (result.isGivenUp) return await this.stop(0)
      if (isFailed(result)) return await this.fail(result)
      this.delivered += 1
      const lastEventAt = event.block.at
      this.progress = { ...this.progress, failures: 0, lastDeliveredAt: now(), lastEventAt }
    }
    this.progress = { ...this.progress, ...after }
    return undefined
  }

  /** A server that turns out to be slow is waited for at a place only: the other executions are for the quick ones. */
  private patience(): Patience | undefined {
    if (this.hasPlace) return undefined
    const { productId, webhookId: holder } = this.task
    const ask = async () => {
      const request = { productId, holder, kind: 'underWay' } as const
      this.hasPlace = 'until' in (await takePlace(request, this.ports))
      return this.hasPlace
    }
    const mayWait = () => {
      this.placeRequest = ask()
      return this.placeRequest
    }
    return { milliseconds: quickMilliseconds, mayWait }
  }

  /** The end, if everything is delivered and nothing has happened since. */
  private async settle({ isOpen }: PageMessages): Promise<DeliveryEnd | undefined> {
    if (isOpen) return await this.stop(openMinuteMilliseconds)
    if (await this.save({ remove: pendingFields }, { wakes: this.wakes })) return {}
    const { productId, webhookId } = this.task
    const current = await this.ports.webhooks.get(productId, webhookId)
    if (current?.fence !== this.webhook.fence) return await this.lost()
    this.wakes = current.wakes
    return undefined
  }

  /** Notes a failure, after which the webhook waits or is paused. */
  private async fail(result: FailedAttempt): Promise<DeliveryEnd> {
    const { now, random } = this.ports
    const at = now()
    const failure = { at, code: result.code, status: result.answer?.status }
    const failures = this.progress.failures + 1
    const set = { failures, lastFailure: failure }
    const wait = waitAfterFailure(result.answer ?? {}, { failures, random: random() })
    if (wait !== undefined) {
      const change = { set: { ...set, nextAttemptAt: at + wait }, remove: leased }
      return (await this.save(change)) ? { wait, failure } : await this.lost()
    }
    const change = { set: { ...set, pausedAt: at }, remove: pendingFields }
    return (await this.recordedPause(change)) ? { failure } : await this.lost()
  }

  /** Pauses the webhook, and records it in the product as a change of the service (D49). */
  private async recordedPause(change: WebhookChange): Promise<boolean> {
    const { productId, webhookId } = this.task
    const { events } = this.ports
    const event = { action: 'pauseWebhook', keyId: null, webhookId } as const
    const eventId = await events.begin(productId, event)
    const isPaused = (await this.save(change)) !== undefined
    await events.settle(productId, eventId, isPaused ? 'done' : 'failed')
    return isPaused
  }

  private async endIfLate(until: Deadline): Promise<DeliveryEnd | undefined> {
    const becameSlow = this.progress.slowAt !== undefined && this.webhook.slowAt === undefined
    return becameSlow || this.ports.now() >= until ? await this.stop(0) : undefined
  }

  private async stop(wait: number): Promise<DeliveryEnd> {
    const ticketAt = this.ports.now() + wait
    return (await this.save({ set: { ticketAt }, remove: leased })) ? { wait } : await this.lost()
  }

  private async lost(): Promise<DeliveryEnd> {
    const { productId, webhookId } = this.task
    const { webhooks, now } = this.ports
    return { wait: laterThan(await webhooks.get(productId, webhookId), this.task, now()) }
  }

  /** Notes how far the webhook is; `undefined` if a later delivery or a change was faster. */
  private async save(change: WebhookChange = {}, condition: WebhookCondition = {}) {
    const { productId, webhookId } = this.task
    const { fence } = this.webhook
    this.savedAt = this.ports.now()
    const quick = this.progress.slowAt === undefined ? (['slowAt'] as const) : []
    const set = { ...this.progress, ...change.set }
    const made = { ...change, set, remove: [...(change.remove ?? []), ...quick] }
    return await this.ports.webhooks.change(productId, webhookId, made, { fence, ...condition })
  }
}

const leased = ['leasedUntil'] as const
