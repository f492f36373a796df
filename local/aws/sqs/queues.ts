import * as v from 'valibot'
import type { Change, Entries } from '../entries.ts'

const redrivePolicySchema = v.object({
  deadLetterTargetArn: v.string(),
  maxReceiveCount: v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))]),
    v.integer(),
    v.minValue(1),
    v.maxValue(1000),
  ),
})

export const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))

/** The attributes that callers can set on a queue, times in seconds. Source: Amazon SQS API Reference, CreateQueue. */
export const queueAttributesSchema = v.object({
  VisibilityTimeout: wholeNumber(0, 43_200),
  MessageRetentionPeriod: wholeNumber(60, 1_209_600),
  RedrivePolicy: v.optional(redrivePolicySchema),
})

export type QueueAttributes = v.InferOutput<typeof queueAttributesSchema>

export interface Message {
  messageId: string
  body: string
  /** In milliseconds since 1970, like all times here. */
  sentAt: number
  /** The time from which callers can receive the message: in the future while it is delayed or in flight. */
  visibleAt: number
  receiveCount: number
  firstReceivedAt?: number
  receivedAt?: number
  /** The handle of the latest receive. Earlier handles are not valid. */
  receiptHandle?: string
}

interface QueueDescription {
  name: string
  arn: string
  attributes: QueueAttributes
}

export interface Queue {
  description: QueueDescription
  readonly messages: Map<string, Message>
  /** Callbacks of receivers, called when a message may have become visible. */
  readonly waiting: Set<() => void>
}

/** A message of a queue; `undefined` removes it. */
type MessageChange = readonly [queue: Queue, messageId: string, message: Message | undefined]

/** The queues, by name. Changes resolve when they are in a file. */
export interface Queues {
  all(): Queue[]
  get(name: string): Queue | undefined
  /** Creates the queue, or replaces its description. */
  describe(description: QueueDescription): Promise<Queue>
  /** Carries out all changes or, if they cannot be written, none. */
  change(changes: readonly MessageChange[]): Promise<void>
}

/** Opens the queues. Each message has an entry, so that the cost of a call does not grow with the queue. */
export async function openQueues(entries: Entries): Promise<Queues> {
  const queues = new Map<string, Queue>()
  const add = (description: QueueDescription): Queue => {
    const queue = queues.get(description.name) ?? newQueue(description)
    queue.description = description
    queues.set(description.name, queue)
    return queue
  }
  for await (const [, value] of entries.entries(under(queuePrefix))) add(value as QueueDescription)
  const stored = await Array.fromAsync(
    entries.entries(under(messagePrefix)),
    ([key, value]) => [key, value as Message] as const,
  )
  for (const [key, message] of stored.sort(([, one], [, other]) => one.sentAt - other.sentAt)) {
    const [, name = ''] = key.split('/')
    queues.get(name)?.messages.set(message.messageId, message)
  }
  return {
    all: () => [...queues.values()],
    get: (name) => queues.get(name),
    async describe(description) {
      const key = `${queuePrefix}${description.name}`
      await entries.write([{ type: 'put', key, value: description }])
      return add(description)
    },
    async change(changes) {
      const before = changes.map(([queue, id]) => [queue, id, queue.messages.get(id)] as const)
      // Before the write, so that no other call receives the same messages.
      apply(changes)
      try {
        await entries.write(changes.map(entryChange))
      } catch (error) {
        apply(before)
        throw error
      }
      for (const [queue] of changes) for (const notify of [...queue.waiting]) notify()
    },
  }
}

const [queuePrefix, messagePrefix] = ['\u0000queue/', '\u0000message/']

const under = (prefix: string) => ({ gt: prefix, lt: `${prefix}\uffff` })

const newQueue = (description: QueueDescription): Queue => ({
  description,
  messages: new Map(),
  waiting: new Set(),
})

function apply(changes: readonly MessageChange[]): void {
  for (const [{ messages }, messageId, message] of changes) {
    if (message) messages.set(messageId, message)
    else messages.delete(messageId)
  }
}

function entryChange([{ description }, messageId, value]: MessageChange): Change {
  const key = `${messagePrefix}${description.name}/${messageId}`
  return value ? { type: 'put', key, value } : { type: 'del', key }
}
