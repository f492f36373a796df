import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { AwsError, accountId, type Call } from '../protocol.ts'
import { type Queue, type QueueAttributes, type Queues, queueAttributesSchema } from './queues.ts'
import { expire } from './receive.ts'

const defaultAttributes: QueueAttributes = {
  VisibilityTimeout: 30,
  MessageRetentionPeriod: 345_600,
}

/** Parses attributes from their wire format, in which all values are text. An empty RedrivePolicy removes it. */
function parseAttributes(wire: Record<string, string>): Partial<QueueAttributes> {
  return Object.fromEntries(
    Object.entries(wire).map(([name, text]) => {
      if (!isAttributeName(name))
        throw new AwsError('InvalidAttributeName', `Unknown Attribute ${name}.`)
      if (name === 'RedrivePolicy' && text === '') return [name, undefined]
      const parsed = v.safeParse(queueAttributesSchema.entries[name], parseJson(text))
      if (parsed.success) return [name, parsed.output]
      throw new AwsError('InvalidAttributeValue', `Invalid value for the parameter ${name}.`)
    }),
  )
}

/** Converts attributes to their wire format. */
function formatAttributes(attributes: Partial<QueueAttributes>): Record<string, string> {
  const set = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return Object.fromEntries(set.map(([name, value]) => [name, JSON.stringify(value)]))
}

const isAttributeName = (name: string): name is keyof QueueAttributes =>
  Object.hasOwn(queueAttributesSchema.entries, name)

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

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
