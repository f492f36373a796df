import * as v from 'valibot'
import type { JsonFiles } from '../json-files.ts'
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
  /** The time of the latest receive. */
  receivedAt: v.optional(v.number()),
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
 * Opens the queues. Each queue is a folder of `sqs` with `queue.json` and a file per message under
 * `messages`, so that the cost of a call does not grow with the queue.
 */
export function openQueues(files: JsonFiles): Queues {
  const queues = new Map<string, Queue>()
  for (const file of files.names('sqs/')) {
    const description = file.endsWith('/queue.json') && files.read(file, descriptionSchema)
    if (!description) continue
    const messages = readMessages(files, description)
    queues.set(description.name, { description, messages, waiting: new Set() })
  }
  const messageFile = ({ description }: Queue, messageId: string) =>
    `${messagesOf(description)}${messageId}.json`
  const describe = (description: QueueDescription) =>
    files.write(`sqs/${description.name}/queue.json`, description)
  return {
    all: () => [...queues.values()],
    get: (name) => queues.get(name),
    create(description) {
      describe(description)
      const queue: Queue = { description, messages: new Map(), waiting: new Set() }
      queues.set(description.name, queue)
      return queue
    },
    setAttributes(queue, attributes) {
      const description = { ...queue.description, attributes, modifiedAt: Date.now() }
      describe(description)
      queue.description = description
    },
    put(queue, message) {
      files.write(messageFile(queue, message.messageId), message)
      queue.messages.set(message.messageId, message)
      wake(queue)
    },
    remove(queue, messageId) {
      files.remove(messageFile(queue, messageId))
      queue.messages.delete(messageId)
    },
    move(messageId, from, to) {
      const message = from.messages.get(messageId)
      if (!message) return
      files.move(messageFile(from, messageId), messageFile(to, messageId))
      from.messages.delete(messageId)
      to.messages.set(messageId, message)
      wake(to)
    },
  }
}

const messagesOf = ({ name }: QueueDescription) => `sqs/${name}/messages/`

function readMessages(files: JsonFiles, description: QueueDescription): Map<string, Message> {
  const messages = files
    .names(messagesOf(description))
    .flatMap((file) => files.read(file, messageSchema) ?? [])
    .sort((a, b) => a.sentAt - b.sentAt)
  return new Map(messages.map((message) => [message.messageId, message]))
}

function wake(queue: Queue): void {
  for (const notify of [...queue.waiting]) notify()
}
