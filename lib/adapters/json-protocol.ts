import type { IncomingMessage } from 'node:http'
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** The protocol option of an AWS client; all clients have the same type of it. */
type ClientProtocol = NonNullable<DynamoDBClientConfig['protocol']>

/** How a service uses the protocol. */
export interface JsonService {
  /** The name of the service in the header X-Amz-Target, with its version if it has one. */
  target: string
  version: '1.0' | '1.1'
  /** Further headers of every request. */
  headers?: Readonly<Record<string, string>>
  /** The names of all members in responses whose text is bytes in base64, also as elements of a list. */
  bytes?: readonly string[]
  /** The names of the errors that the service declares as temporary, and that the SDK does not know by name. */
  retryable?: readonly string[]
}

interface Operation {
  name: string
}

interface Context {
  endpoint(): Promise<{ protocol: string; hostname: string; port?: number; path: string }>
}

interface Response {
  statusCode: number
  headers: Record<string, string>
  body: IncomingMessage
}

/**
 * The AWS JSON protocol: each request and response is one JSON document. It takes the place of the SDK's own,
 * which reads and writes the same documents member by member, following the schemas of all operations.
 * A member that is null counts as not sent, in requests and in responses. Times in responses stay numbers. An error
 * has the name that the service gives it, but no class of its own.
 */
export function jsonProtocol(service: JsonService): ClientProtocol {
  const { target, version, bytes = [], retryable = [] } = service
  const mayHaveBytes = new RegExp(`"(${bytes.join('|')})"\\s*:`)
  const protocol = {
    setSerdeContext: () => undefined,

    async serializeRequest({ name }: Operation, input: object, { endpoint }: Context) {
      const { protocol, hostname, port, path } = await endpoint()
      return {
        method: 'POST',
        protocol,
        hostname,
        port,
        path: path.endsWith('/') ? path : `${path}/`,
        query: {},
        headers: {
          'content-type': `application/x-amz-json-${version}`,
          'x-amz-target': `${target}.${name}`,
          ...service.headers,
        },
        body: JSON.stringify(input, asSent),
      }
    },

    async deserializeResponse(_: Operation, __: Context, { statusCode, headers, body }: Response) {
      const text = await textOf(body)
      // Nobody reads a member of a document that is not an object.
      const output = Object.assign({}, text && JSON.parse(text))
      if (text.includes('null') || mayHaveBytes.test(text)) readMembers(output, bytes)
      const $metadata = { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] }
      if (statusCode < 300) return Object.assign(output, { $metadata })
      const error = serviceError(output, headers, $metadata)
      throw retryable.includes(error.name) ? Object.assign(error, { $retryable: {} }) : error
    },
  }
  // The clients call no more of the SDK's interface than this.
  return protocol as unknown as ClientProtocol
}

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

const fromBase64 = (text: string) => new Uint8Array(Buffer.from(text, 'base64'))

function textOf(body: IncomingMessage): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  body.on('data', (chunk) => chunks.push(chunk))
  body.on('end', () => resolve(Buffer.concat(chunks).toString()))
  body.on('error', reject)
  return promise
}

/** The error of a response, with the members by which the SDK decides whether to try again. */
function serviceError(
  output: { __type?: string; code?: string; Code?: string; message?: string; Message?: string },
  headers: Response['headers'],
  $metadata: { httpStatusCode: number },
): Error {
  const { __type, message, Message, ...members } = output
  const named = __type ?? output.code ?? output.Code ?? headers['x-amzn-errortype']
  const [type = ''] = String(named ?? headers['x-amzn-query-error'] ?? 'Unknown').split(/[,:;]/)
  return Object.assign(new Error(message || Message || 'UnknownError'), members, {
    name: type.slice(type.indexOf('#') + 1),
    $fault: $metadata.httpStatusCode < 500 ? 'client' : 'server',
    $metadata,
  })
}
