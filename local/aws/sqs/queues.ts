import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { besideSuffix, readJsonFile, writeJsonFile } from '../json-store.ts'
import { type QueueAttributes, queueAttributesSchema } from './attributes.ts'

const messageSchema = v.object({
  messageId: v.string(),
  body: v.string(),
  /** In milliseconds since 1970, like all times here. */
  sentAt: v.number(),
  /** The time from which callers can receive the message: in the future while it is delayed or in flight. */
  visibleAt: v.number(),
  receiveCount: v.number(),
  firstReceivedAt: v.optional(v.number()),
  /** The handle of the latest receive. Earlier handles are not valid. */
  receiptHandle: v.optional(v.string()),
})

const descriptionSchema = v.object({
  name: v.string(),
  arn: v.string(),
  createdAt: v.number(),
  modifiedAt: v.number(),
  attributes: queueAttributesSchema,
})

export type Message = v.InferOutput<typeof messageSchema>
export type QueueDescription = v.InferOutput<typeof descriptionSchema>

/** A queue and its messages. */
export interface Queue {
  description: QueueDescription
  readonly messages: Map<string, Message>
  /** Callbacks of receivers, called when a message may have become visible. */
  readonly waiting: Set<() => void>
}

/** The queues, by name. Each method returns after its change is in a file. */
export interface Queues {
  all(): Queue[]
  get(name: string): Queue | undefined
  create(description: QueueDescription): Queue
  setAttributes(queue: Queue, attributes: QueueAttributes): void
  /** Adds the message, or replaces the message with the same id. */
  put(queue: Queue, message: Message): void
  remove(queue: Queue, messageId: string): void
  /** Moves a message from one queue to another atomically. */
  move(messageId: string, from: Queue, to: Queue): void
}

/**
 * Opens the queues in `folder`. Each queue is a folder with `queue.json` and a file per message under
 * `messages`, so that the cost of a call does not grow with the queue.
 */
export function openQueues(folder: string): Queues {
  mkdirSync(folder, { recursive: true })
  const queues = new Map<string, Queue>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue
    const { name } = entry
    const description = readJsonFile(join(folder, name, 'queue.json'), descriptionSchema)
    // Without this file, the response to CreateQueue was never sent.
    if (description) {
      const messages = readMessages(join(folder, name, 'messages'))
      queues.set(description.name, { description, messages, waiting: new Set() })
    }
  }
  const messageFile = (queue: Queue, messageId: string) =>
    join(folder, queue.description.name, 'messages', `${messageId}.json`)
  const describe = (description: QueueDescription) =>
    writeJsonFile(join(folder, description.name, 'queue.json'), description)
  return {
    all: () => [...queues.values()],
    get: (name) => queues.get(name),
    create(description) {
      const messages = readMessages(join(folder, description.name, 'messages'))
      describe(description)
      const queue: Queue = { description, messages, waiting: new Set() }
      queues.set(description.name, queue)
      return queue
    },
    setAttributes(queue, attributes) {
      const description = { ...queue.description, attributes, modifiedAt: Date.now() }
      describe(description)
      queue.description = description
    },
    put(queue, message) {
      writeJsonFile(messageFile(queue, message.messageId), message)
      queue.messages.set(message.messageId, message)
      wake(queue)
    },
    remove(queue, messageId) {
      rmSync(messageFile(queue, messageId), { force: true })
      queue.messages.delete(messageId)
    },
    move(messageId, from, to) {
      const message = from.messages.get(messageId)
      if (!message) return
      renameSync(messageFile(from, messageId), messageFile(to, messageId))
      from.messages.delete(messageId)
      to.messages.set(messageId, message)
      wake(to)
    },
  }
}

function readMessages(folder: string): Map<string, Message> {
  mkdirSync(folder, { recursive: true })
  const messages: Message[] = []
  for (const name of readdirSync(folder)) {
    if (name.endsWith(besideSuffix)) rmSync(join(folder, name))
    if (!name.endsWith('.json')) continue
    const message = readJsonFile(join(folder, name), messageSchema)
    if (message) messages.push(message)
  }
  messages.sort((a, b) => a.sentAt - b.sentAt)
  return new Map(messages.map((message) => [message.messageId, message]))
}

function wake(queue: Queue): void {
  for (const notify of [...queue.waiting]) notify()
}
