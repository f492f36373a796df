import { NormalizedSchema } from '@smithy/core/schema'
import fc from 'fast-check'
import { anyText } from '../../support/vitest/seeded.ts'
import type { Answer } from './wire.ts'

const unknownMember = 'memberThatNobodyKnows'

/** Names of tables, which have at least three characters. */
const tableNames = fc.stringMatching(/^[a-zA-Z_.-]{3,6}$/)

/** Names of attributes. Some are also names of members whose text is bytes. */
const attributeNames = fc.oneof(
  fc.constantFrom('B', 'BS', 'null', 'a b'),
  fc.stringMatching(/^[a-zA-Z#_.]{1,6}$/),
)

const maxDepth = 3

/** Any document that the SDK reads with this schema, with members that are null or unknown. */
export function anyDocument(schema: unknown, depth = 0): fc.Arbitrary<unknown> {
  const shape = NormalizedSchema.of(schema as Parameters<typeof NormalizedSchema.of>[0])
  // Of an operation without an output.
  if (shape.isUnitSchema()) return fc.constantFrom({}, { [unknownMember]: 'text' })
  if (shape.isUnionSchema()) return anyUnion(shape, depth)
  if (shape.isStructSchema()) return anyStructure(shape, depth)
  if (shape.isListSchema())
    return fc.array(anyDocument(shape.getValueSchema(), depth), { maxLength: 3 })
  if (shape.isMapSchema()) return anyMap(shape.getValueSchema(), depth)
  if (shape.isBlobSchema())
    return fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64'))
  if (shape.isTimestampSchema())
    return fc.oneof(
      fc.nat(),
      fc.nat().map((time) => time / 1000),
    )
  if (shape.isNumericSchema())
    return fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  if (shape.isBooleanSchema()) return fc.boolean()
  if (shape.isStringSchema()) return anyText(20)
  throw new Error(`${shape.getName(true)} has a kind that the protocol does not read`)
}

function anyMap(values: NormalizedSchema, depth: number): fc.Arbitrary<unknown> {
  const names = values.isUnionSchema() ? attributeNames : tableNames
  return fc.dictionary(names, anyDocument(values, depth), { maxKeys: 3 })
}

function anyStructure(shape: NormalizedSchema, depth: number): fc.Arbitrary<unknown> {
  const members = Array.from(shape.structIterator(), ([name, member]) => [
    name,
    fc.option(anyDocument(member, depth), { freq: 7 }),
  ])
  return fc.record(
    { ...Object.fromEntries(members), [unknownMember]: fc.constantFrom('text', 5, { B: 'AAE=' }) },
    { requiredKeys: [] },
  )
}

/** A union has exactly one member. Deep inside, it has no further unions. */
function anyUnion(shape: NormalizedSchema, depth: number): fc.Arbitrary<unknown> {
  const members = [...shape.structIterator()].filter(
    ([, member]) => depth < maxDepth || !(member.isListSchema() || member.isMapSchema()),
  )
  return fc.oneof(
    ...members.map(([name, member]) =>
      anyDocument(member, depth + 1).map((value) => ({ [name]: value })),
    ),
  )
}

/** An output without members that the SDK does not know, and with times as numbers of seconds, as they are sent. */
export function asSent(value: unknown): unknown {
  if (value instanceof Date) return value.getTime() / 1000
  if (Array.isArray(value)) return value.map(asSent)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  const known = Object.entries(value).filter(([name]) => name !== unknownMember)
  return Object.fromEntries(known.map(([name, member]) => [name, asSent(member)]))
}

/** Errors that services have without declaring them, and by which the SDK decides whether to send a request again. */
const commonErrors = [
  ['AccessDeniedException', 400],
  ['BandwidthLimitExceeded', 400],
  ['ExpiredTokenException', 400],
  ['IncompleteSignatureException', 400],
  ['InternalFailure', 500],
  ['InvalidSignatureException', 403],
  ['MissingAuthenticationTokenException', 400],
  ['PriorRequestNotComplete', 400],
  ['RequestExpired', 400],
  ['RequestThrottledException', 400],
  ['RequestTimeTooSkewed', 403],
  ['RequestTimeout', 408],
  ['RequestTimeoutException', 400],
  ['SerializationException', 400],
  ['ServiceUnavailable', 503],
  ['ServiceUnavailableException', 503],
  ['SignatureDoesNotMatch', 403],
  ['SlowDown', 503],
  ['Throttling', 400],
  ['ThrottlingException', 400],
  ['TooManyRequestsException', 429],
  ['UnknownOperationException', 404],
  ['UnrecognizedClientException', 400],
  ['ValidationException', 400],
] as const

export type NamedError = readonly [name: string, status: number]

type ErrorClass = new (options: object) => Error & { $fault: string }

/** The errors that a client of the SDK declares, with the least exact status that fits them. */
export function declaredErrors(
  client: object,
  base: abstract new (...args: never) => Error,
): NamedError[] {
  const classes = Object.values(client).filter(
    (value): value is ErrorClass => typeof value === 'function' && value.prototype instanceof base,
  )
  return classes.map((declared) => {
    const { name, $fault } = new declared({ $metadata: {} })
    return [name, $fault === 'server' ? 500 : 400]
  })
}

const namespaces = ['com.amazon.coral.service#', 'com.amazonaws.dynamodb.v20120810#', '']
const endings = ['', ':http://internal.amazon.com/coral/com.amazon.coral.service/', ',more']

const requestIds = fc.constantFrom({}, { 'x-amzn-requestid': 'id' }, { 'X-Amzn-RequestId': 'id' })
const waits = fc.constantFrom({}, { 'retry-after': '7' }, { 'x-amz-retry-after': '1500' })

/** Members of an error that have nothing to do with its name. */
const furtherMembers = fc.dictionary(
  fc.constantFrom('Reason', 'Item', 'detail', 'ThrottlingReasons', 'nothing'),
  fc.oneof(anyText(10), fc.integer(), fc.constant(null), fc.constant({ a: { S: 'text' } })),
)

const messages = fc.oneof(
  fc.constant({}),
  anyText().map((message) => ({ message })),
  anyText().map((Message) => ({ Message })),
  fc.constant({ message: null }),
)

/** Responses that are one of these errors, named in any of the places in which services name them. */
export function anyError(errors: readonly NamedError[]): fc.Arbitrary<Answer> {
  return fc
    .record({
      error: fc.constantFrom(...errors, ...commonErrors),
      other: fc.stringMatching(/^[A-Z][A-Za-z]{3,12}$/),
      isOther: fc.nat(9).map((number) => number === 0),
      namespace: fc.constantFrom(...namespaces),
      ending: fc.constantFrom(...endings),
      place: fc.constantFrom('__type', 'code', 'Code', 'header', 'nowhere'),
      message: messages,
      members: furtherMembers,
      requestId: requestIds,
      wait: waits,
    })
    .map(({ error: [name, status], other, isOther, namespace, ending, place, ...rest }) => {
      const text = `${namespace}${isOther ? other : name}${ending}`
      const inBody = place === 'header' || place === 'nowhere' ? {} : { [place]: text }
      return {
        status,
        headers: {
          ...rest.requestId,
          ...rest.wait,
          ...(place === 'header' && { 'X-Amzn-ErrorType': text }),
        },
        body: JSON.stringify({ ...inBody, ...rest.message, ...rest.members }),
      }
    })
}
