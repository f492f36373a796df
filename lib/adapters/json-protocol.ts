import type { IncomingMessage } from 'node:http'
import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'

/** The protocol option of an AWS client; all clients have the same type of it. */
type ClientProtocol = NonNullable<DynamoDBClientConfig['protocol']>

/** How a service uses the protocol. */
export interface JsonService {
  /** The name of the service in the header X-Amz-Target, with its version if it has one. */
  target: string
  version: '1.0' | '1.1'
  /** The names of all members in responses whose text is bytes in base64, also as elements of a list. */
  bytes?: readonly string[]
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
 * Times in responses stay numbers. An error has the name that the service gives it, but no class of its own.
 */
export function jsonProtocol({ target, version, bytes = [] }: JsonService): ClientProtocol {
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
        },
        body: JSON.stringify(input, withBase64),
      }
    },

    async deserializeResponse(_: Operation, __: Context, { statusCode, headers, body }: Response) {
      const text = await textOf(body)
      const output = text === '' ? {} : JSON.parse(text)
      const $metadata = { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] }
      if (statusCode >= 300) throw serviceError(output, headers, $metadata)
      if (mayHaveBytes.test(text)) readBytes(output, bytes)
      return Object.assign(output, { $metadata })
    },
  }
  return protocol as unknown as ClientProtocol
}

/** A replacer for JSON.stringify. For a Buffer, `value` is already the result of its toJSON. */
function withBase64(this: Record<string, unknown>, name: string, value: unknown): unknown {
  const member = this[name]
  return member instanceof Uint8Array ? Buffer.from(member).toString('base64') : value
}

/** An attribute of DynamoDB may have one of the names too; its value is an object. */
function readBytes(value: unknown, names: readonly string[]): void {
  if (typeof value !== 'object' || value === null) return
  const members = value as Record<string, unknown>
  for (const [name, member] of Object.entries(members)) {
    if (names.includes(name) && typeof member === 'string') members[name] = fromBase64(member)
    else if (names.includes(name) && Array.isArray(member)) members[name] = member.map(fromBase64)
    else readBytes(member, names)
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
  output: { __type?: string; message?: string; Message?: string },
  headers: Response['headers'],
  $metadata: { httpStatusCode: number },
): Error {
  const { __type, message, Message, ...members } = output
  const [type = ''] = (__type ?? headers['x-amzn-errortype'] ?? 'UnknownError').split(/[,:]/)
  return Object.assign(new Error(message ?? Message ?? 'UnknownError'), members, {
    name: type.slice(type.indexOf('#') + 1),
    $fault: $metadata.httpStatusCode < 500 ? 'client' : 'server',
    $metadata,
  })
}
