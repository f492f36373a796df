import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { atFileEnd } from '../vitest/at-file-end.ts'

/** An AWS call that the proxy has received. */
export interface AwsCall {
  /** The access key id of its signature. */
  caller: string
  /** The permissions that it needs, such as `dynamodb:GetItem on Table`; several for a batch over tables. */
  permissions: string[]
  // biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
  body: any
}

/** A running proxy. */
export interface IamProxy {
  url: string
  /** The calls that it has passed on, in the order of arrival. */
  calls: AwsCall[]
  /** The denied permissions with their callers: `get-product: dynamodb:PutItem on Table`. */
  refused: string[]
}

export interface IamProxyOptions {
  /** The URL of an AWS that allows every call. */
  target: string
  isAllowed(caller: string, permission: string): boolean
  /** The name of a resource in permissions, by its name, URL or ARN in a call. */
  nameOf(address: string): string
}

/**
 * A proxy on 127.0.0.1 that denies, like IAM, every call that its caller has no permission for. Ends
 * with the test file.
 */
export async function startIamProxy(options: IamProxyOptions): Promise<IamProxy> {
  const { target, isAllowed, nameOf } = options
  const calls: AwsCall[] = []
  const refused: string[] = []

  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    const bytes = await buffer(incoming)
    const call = describe(incoming, bytes, nameOf)
    const denied = call.permissions.filter((permission) => !isAllowed(call.caller, permission))
    if (denied.length > 0) {
      refused.push(...denied.map((permission) => `${call.caller}: ${permission}`))
      return refuse(response)
    }
    calls.push(call)
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
): AwsCall {
  const [, caller = 'nobody'] = /Credential=([^/]+)\//.exec(headers.authorization ?? '') ?? []
  const [prefix = '', action] = String(headers['x-amz-target']).split('.')
  const body = JSON.parse(bytes.toString())
  const { TableName, QueueUrl, KeyId, SecretId, RequestItems } = body
  const addresses = RequestItems
    ? Object.keys(RequestItems)
    : [TableName ?? QueueUrl ?? KeyId ?? SecretId ?? 'nothing']
  const permissions = addresses.map(
    (address) => `${services[prefix]}:${action} on ${nameOf(address)}`,
  )
  return { caller, permissions, body }
}

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
