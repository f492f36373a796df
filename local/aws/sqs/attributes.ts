import * as v from 'valibot'
import { AwsError } from '../protocol.ts'

const redrivePolicySchema = v.object({
  deadLetterTargetArn: v.string(),
  maxReceiveCount: v.pipe(
    v.union([v.number(), v.pipe(v.string(), v.digits(), v.transform(Number))]),
    v.integer(),
    v.minValue(1),
    v.maxValue(1000),
  ),
})

const wholeNumber = (min: number, max: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max))

/** The attributes that callers can set on a queue, times in seconds. Source: Amazon SQS API Reference, CreateQueue. */
export const queueAttributesSchema = v.object({
  VisibilityTimeout: wholeNumber(0, 43_200),
  MessageRetentionPeriod: wholeNumber(60, 1_209_600),
  RedrivePolicy: v.optional(redrivePolicySchema),
})

export type QueueAttributes = v.InferOutput<typeof queueAttributesSchema>

/** The default attributes of a queue. */
export const defaultAttributes: QueueAttributes = {
  VisibilityTimeout: 30,
  MessageRetentionPeriod: 345_600,
}

/** Parses attributes from their wire format, in which all values are text. An empty RedrivePolicy removes it. */
export function parseAttributes(wire: Record<string, string>): Partial<QueueAttributes> {
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
export function formatAttributes(attributes: Partial<QueueAttributes>): Record<string, string> {
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
