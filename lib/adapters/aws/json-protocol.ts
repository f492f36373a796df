import type { IncomingHttpHeaders } from 'node:http'
import { retryAfterSeconds } from '../retry-after.ts'

export interface JsonService {
  /** The name of the service in the header X-Amz-Target, with its version if it has one. */
  target: string
  version: '1.0' | '1.1'
  headers?: Readonly<Record<string, string>>
  /** The names of all members in responses whose text is bytes in base64, also as elements of a list. */
  bytes?: readonly string[]
  /** The names of the errors that the service declares as temporary, and that the retries do not know by name. */
  retryable?: readonly string[]
}

/** A request without its signature. */
export interface JsonRequest {
  headers: Record<string, string>
  body: string
}

/** A response that was read to its end. */
export interface JsonResponse {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

/** An error that a service answered. Its name is the one that the service gives it, and it has the members of its document. */
export class ServiceError extends Error {
  readonly $metadata: {
    httpStatusCode: number
    requestId: unknown
    /** Whether the time of the signature was wrong, and is right in the next attempt, which the retries make. */
    clockSkewCorrected?: boolean
  }
  /** Present if the service declares the error as temporary. */
  declare readonly $retryable?: object
  /** When the request may be sent again, if the response says so. */
  declare readonly retryAt?: Date

  constructor(document: object, { status, headers }: JsonResponse, retryable: readonly string[]) {
    const { __type, message, Message, ...members }: ErrorDocument = document
    super(message || Message || 'UnknownError')
    const named = __type ?? members.code ?? members.Code ?? headers['x-amzn-errortype']
    const [type = ''] = String(named ?? headers['x-amzn-query-error'] ?? 'Unknown').split(/[,:;]/)
    const name = type.slice(type.indexOf('#') + 1)
    const retryAt = retryTimeIn(headers)
    Object.assign(this, members, { name }, retryable.includes(name) && { $retryable: {} })
    if (retryAt) this.retryAt = retryAt
    this.$metadata = { httpStatusCode: status, requestId: headers['x-amzn-requestid'] }
  }
}

/** The members of an error's document, as far as anything is known of them. */
interface ErrorDocument {
  __type?: unknown
  code?: unknown
  Code?: unknown
  message?: string
  Message?: string
}

/** The time that a response names in milliseconds from now, as services of AWS do, or in the standard header. */
function retryTimeIn(headers: JsonResponse['headers']): Date | undefined {
  const milliseconds = Number(headers['x-amz-retry-after'] ?? Number.NaN)
  const seconds = Number.isNaN(milliseconds)
    ? retryAfterSeconds(headers['retry-after'])
    : milliseconds / 1000
  return seconds === undefined ? undefined : new Date(Date.now() + seconds * 1000)
}

/**
 * The AWS JSON protocol (awsJson1_0 and awsJson1_1 of Smithy): each request and response is one JSON document.
 * A member that is null counts as not sent, in requests and in responses. Times in responses stay numbers.
 */
export function requestOf(service: JsonService, operation: string, document: object): JsonRequest {
  return {
    headers: {
      'content-type': `application/x-amz-json-${service.version}`,
      'x-amz-target': `${service.target}.${operation}`,
      ...service.headers,
    },
    body: JSON.stringify(document, asSent),
  }
}

/** The document of a response. Throws a {@link ServiceError}, which is named SyntaxError if the body is not JSON. */
export function documentOf(service: JsonService, response: JsonResponse): object {
  const { bytes = [], retryable = [] } = service
  const { status, text } = response
  // Nobody reads a member of a document that is not an object.
  const document: object = Object.assign({}, parsed(response))
  if (text.includes('null') || mayHaveBytes(text, bytes)) readMembers(document, bytes)
  if (status < 300) return document
  throw new ServiceError(document, response, retryable)
}

function parsed(response: JsonResponse): unknown {
  try {
    return response.text && JSON.parse(response.text)
  } catch (error) {
    throw new ServiceError({ __type: 'SyntaxError', message: String(error) }, response, [])
  }
}

const mayHaveBytes = (text: string, names: readonly string[]) =>
  names.some((name) => text.includes(`"${name}"`))

/** A replacer for JSON.stringify. For a Buffer, `value` is already the result of its toJSON. */
function asSent(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const member = this[name]
  return member instanceof Uint8Array
    ? Buffer.from(member).toString('base64')
    : (value ?? undefined)
}

/** An attribute of DynamoDB may have a name of `bytes` too; its value is an object. */
function readMembers(value: unknown, bytes: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return
  // An object of whose members nothing is known.
  const members = value as Record<string, unknown>
  for (const [name, member] of Object.entries(members)) {
    if (member === null && !Array.isArray(value)) delete members[name]
    else if (bytes.includes(name) && typeof member === 'string') members[name] = fromBase64(member)
    else if (bytes.includes(name) && Array.isArray(member)) members[name] = member.map(fromBase64)
    else readMembers(member, bytes)
  }
}

function fromBase64(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text, 'base64')
  return new Uint8Array(buffer, byteOffset, length)
}
