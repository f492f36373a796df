import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { atFileEnd } from '../vitest/at-file-end.ts'

/** An AWS call that the proxy has received. */
interface AwsCall {
  /** The access key id of its signature. */
  caller: string
  /** The permissions of its caller that allow it. */
  permissions: string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  body: any
}

/** What a call does with one resource. */
interface Access {
  /** Such as `dynamodb:GetItem on Table`. */
  permission: string
  /** The partition keys of the items of a table. */
  leadingKeys: readonly string[]
}

/** A running proxy. */
export interface IamProxy {
  url: string
  /** The calls that it has passed on, in the order of arrival. */
  calls: AwsCall[]
  /** The denied accesses with their callers: `get-product: dynamodb:PutItem on Table for PLAYER#1`. */
  refused: string[]
}

interface IamProxyOptions {
  /** The URL of an AWS that allows every call. */
  target: string
  /** The permissions of the caller that allow an access; none if it is denied. */
  allowing(caller: string, access: Access): string[]
  /** The name of a resource in permissions, by its name, URL or ARN in a call. */
  nameOf(address: string): string
}

/**
 * A proxy on 127.0.0.1 that denies, like IAM, every call that its caller has no permission for. Ends
 * with the test file.
 */
export async function startIamProxy(options: IamProxyOptions): Promise<IamProxy> {
  const { target, allowing, nameOf } = options
  const calls: AwsCall[] = []
  const refused: string[] = []

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const bytes = await buffer(incoming)
    const { caller, accesses, body } = describe(incoming, bytes, nameOf)
    const permissions = accesses.map((access) => allowing(caller, access))
    const denied = accesses.filter((_, index) => permissions[index]?.length === 0)
    if (denied.length > 0) {
      refused.push(...denied.map((access) => `${caller}: ${textOf(access)}`))
      return refuse(response)
    }
    calls.push({ caller, permissions: permissions.flat(), body })
    await forward(target, incoming, bytes, response)
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atFileEnd(async () => {
    const closed = promisify(server.close.bind(server))()
    server.closeAllConnections()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, calls, refused }
}

/** The names of services in policies, by the prefix of `X-Amz-Target`. */
const services: Record<string, string> = {
  DynamoDB_20120810: 'dynamodb',
  TrentService: 'kms',
  AmazonSQS: 'sqs',
  secretsmanager: 'secretsmanager',
}

function describe(
  { headers }: IncomingMessage,
  bytes: Buffer,
  nameOf: (address: string) => string,
): Pick<AwsCall, 'caller' | 'body'> & { accesses: Access[] } {
  const [, caller = 'nobody'] = /Credential=([^/]+)\//.exec(headers.authorization ?? '') ?? []
  const [prefix = '', action] = String(headers['x-amz-target']).split('.')
  const body = JSON.parse(bytes.toString())
  const { TableName, QueueUrl, KeyId, SecretId, RequestItems } = body
  const addresses: [string, unknown][] = RequestItems
    ? Object.entries(RequestItems)
    : [[TableName ?? QueueUrl ?? KeyId ?? SecretId ?? 'nothing', body]]
  const accesses = addresses.map(([address, items]) => ({
    permission: `${services[prefix]}:${action} on ${nameOf(address)}`,
    leadingKeys: leadingKeysIn(items),
  }))
  return { caller, accesses, body }
}

/** The partition keys of the items that a request names. A query names none. */
// biome-ignore lint/suspicious/noExplicitAny: requests are any JSON
function leadingKeysIn(part: any): string[] {
  if (Array.isArray(part)) return part.flatMap(leadingKeysIn)
  const { Key, Item, Keys, PutRequest, DeleteRequest, pk } = part ?? {}
  if (pk) return [pk.S]
  return [Key, Item, Keys, PutRequest, DeleteRequest].flatMap((each) =>
    each ? leadingKeysIn(each) : [],
  )
}

const textOf = ({ permission, leadingKeys }: Access) =>
  leadingKeys.length > 0 ? `${permission} for ${leadingKeys.join(', ')}` : permission

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
function refuse(response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(
    JSON.stringify({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      Message: 'User is not authorized: no identity-based policy allows the action',
    }),
  )
}

async function forward(
  target: string,
  { method, url = '/', headers }: IncomingMessage,
  bytes: Buffer,
  response: ServerResponse,
): Promise<void> {
  const outgoing = request(new URL(url, target), { method, headers })
  outgoing.end(bytes)
  const [answered] = (await once(outgoing, 'response')) as [IncomingMessage]
  response.writeHead(answered.statusCode ?? 500, answered.headers).end(await buffer(answered))
}
