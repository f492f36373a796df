import fc from 'fast-check'
import { anyText } from '../../support/vitest/seeded.ts'
import type { Answer } from './wire.ts'

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

/** An error of a service, with its status. */
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
