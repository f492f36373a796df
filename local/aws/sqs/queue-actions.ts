import { isDeepStrictEqual } from 'node:util'
import { AwsError, accountId, type Call } from '../protocol.ts'
import {
  defaultAttributes,
  formatAttributes,
  parseAttributes,
  type QueueAttributes,
} from './attributes.ts'
import type { Queue, Queues } from './queues.ts'
import { expire } from './receive.ts'

/** CreateQueue. Returns an existing queue if it has the same attributes. */
export async function createQueue(
  queues: Queues,
  { QueueName: name, Attributes }: { QueueName: string; Attributes: Record<string, string> },
  call: Call,
) {
  if (!/^[\w-]{1,80}$/.test(name)) {
    const message = 'A queue name is 1 to 80 letters, digits, hyphens and underscores.'
    throw new AwsError('InvalidParameterValue', message)
  }
  const existing = queues.get(name)
  const base = existing?.description.attributes ?? defaultAttributes
  const attributes = mergeAttributes(queues, base, Attributes)
  if (existing) {
    if (isDeepStrictEqual(attributes, base)) return { QueueUrl: urlOf(existing, call) }
    throw new AwsError('QueueNameExists', `The queue ${name} already exists with other attributes.`)
  }
  const arn = `arn:aws:sqs:${call.region}:${accountId}:${name}`
  const queue = await queues.describe({ name, arn, attributes })
  return { QueueUrl: urlOf(queue, call) }
}

/** SetQueueAttributes. Attributes that are not given do not change. */
export async function setQueueAttributes(
  queues: Queues,
  { description }: Queue,
  wire: Record<string, string>,
) {
  const attributes = mergeAttributes(queues, description.attributes, wire)
  await queues.describe({ ...description, attributes })
}

/** GetQueueAttributes. `All` selects every attribute. */
export async function getQueueAttributes(queues: Queues, queue: Queue, names: readonly string[]) {
  await expire(queues, queue)
  return { Attributes: selectAttributes(describe(queue), names) }
}

/** Returns the queue for a queue name or a queue URL with any host and port. */
export function findQueue(queues: Queues, urlOrName: string): Queue {
  const queue = queues.get(urlOrName.slice(urlOrName.lastIndexOf('/') + 1))
  if (queue) return queue
  throw new AwsError('QueueDoesNotExist', `The queue ${urlOrName} does not exist.`)
}

/** Returns the URL of a queue, with the origin of the caller's request. */
export function urlOf({ description }: Queue, { origin }: Call): string {
  return `${origin}/${accountId}/${description.name}`
}

/** Returns the requested attributes. */
export function selectAttributes(all: Record<string, string>, names: readonly string[]) {
  if (names.includes('All')) return all
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
}

function mergeAttributes(queues: Queues, base: QueueAttributes, wire: Record<string, string>) {
  const attributes: QueueAttributes = { ...base, ...parseAttributes(wire) }
  const target = attributes.RedrivePolicy?.deadLetterTargetArn
  if (target && !queues.all().some(({ description }) => description.arn === target)) {
    throw new AwsError('InvalidParameterValue', `The dead-letter queue ${target} does not exist.`)
  }
  return attributes
}

function describe(queue: Queue): Record<string, string> {
  const { arn, attributes } = queue.description
  const now = Date.now()
  const hidden = [...queue.messages.values()].filter(({ visibleAt }) => visibleAt > now)
  const delayed = hidden.filter(({ receiveCount }) => receiveCount === 0)
  return {
    QueueArn: arn,
    ApproximateNumberOfMessages: String(queue.messages.size - hidden.length),
    ApproximateNumberOfMessagesNotVisible: String(hidden.length - delayed.length),
    ApproximateNumberOfMessagesDelayed: String(delayed.length),
    ...formatAttributes(attributes),
  }
}
