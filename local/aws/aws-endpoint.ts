import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readBody } from '../read-body.ts'
import { openDynamodb } from './dynamodb/dynamodb.ts'
import { openEntries } from './entries.ts'
import { openKms } from './kms/kms.ts'
import { lockDataFolder } from './level-folder.ts'
import {
  AwsError,
  type AwsResponse,
  checkHost,
  dispatch,
  errorResponse,
  type Service,
} from './protocol.ts'
import { openSecretsManager } from './secrets-manager/secrets-manager.ts'
import { openSqs } from './sqs/sqs.ts'

interface EndpointState {
  services: readonly Service[]
  /** Those in progress. */
  calls: Set<Promise<void>>
  closing: AbortSignal
  log: (line: string) => void
}

/** The largest request of DynamoDB. */
const maxBodyBytes = 16 * 1024 * 1024

/**
 * Serves DynamoDB, KMS, SQS and Secrets Manager on 127.0.0.1 with AWS's protocols, for unmodified AWS SDKs and the AWS CLI.
 * It accepts any credentials and does not check signatures, but only requests to a loopback name. Each write is in a file
 * under `dataDir` before its response, so that it survives the end of the process. `log` receives the reasons of actions
 * that fail for another reason than their input, for example a full disk. Rejects with a message for the user if another
 * process uses the folder, or if a file in it is unreadable or damaged.
 */
export async function startAwsEndpoint(options: { dataDir: string; log?: (line: string) => void }) {
  const { dataDir, log = console.error } = options
  mkdirSync(dataDir, { recursive: true })
  await using opened = new AsyncDisposableStack()
  opened.defer(await lockDataFolder(dataDir))
  const entries = await openEntries(join(dataDir, 'dynamodb'), join(dataDir, 'dynamodb-writes'))
  opened.defer(entries.close)
  const services = [
    openDynamodb(entries),
    await openKms(entries),
    await openSqs(entries),
    await openSecretsManager(entries),
  ]
  const closing = new AbortController()
  const calls = new Set<Promise<void>>()
  opened.defer(async () => void (await Promise.all(calls)))
  const server = await listen({
    services,
    calls,
    closing: closing.signal,
    log: withoutRepetition(log),
  })
  opened.defer(() => closeServer(server))
  opened.defer(() => closing.abort())
  const running = opened.move()
  const { port } = server.address() as AddressInfo
  return {
    /** The value for AWS_ENDPOINT_URL. */
    url: `http://127.0.0.1:${port}`,
    /** Ends long polls, waits for calls in progress, also of clients that are gone, and releases the folder. */
    close: () => running.disposeAsync(),
  }
}

async function listen(state: EndpointState): Promise<Server> {
  const server = createServer((request, response) => {
    response.setHeader('x-amzn-RequestId', randomUUID())
    const call = handle(state, request, response)
      .catch((error) => send(response, errorResponse(error)))
      .finally(() => state.calls.delete(call))
    state.calls.add(call)
  })
  // Longer than clients keep idle connections, so that no request meets a connection that closes.
  server.keepAliveTimeout = 120_000
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

async function handle(state: EndpointState, request: IncomingMessage, response: ServerResponse) {
  checkHost(request.headers.host)
  const body = await readBody(request, maxBodyBytes)
  if (!body) {
    throw new AwsError('RequestEntityTooLargeException', 'The request is over 16 MiB', {
      status: 413,
      headers: { Connection: 'close' },
    })
  }
  const target = String(request.headers['x-amz-target'] ?? '')
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort())
  const call = {
    region: signedRegion(request) ?? 'us-east-1',
    origin: `http://${request.headers.host}`,
    signal: AbortSignal.any([state.closing, disconnected.signal]),
  }
  send(response, await dispatch(state.services, target, body, call, state.log))
}

/** Drops lines that are the same as the last line: clients retry an action that fails. */
function withoutRepetition(log: (line: string) => void): (line: string) => void {
  let last: string | undefined
  return (line) => {
    if (line !== last) log(line)
    last = line
  }
}

/** Returns `eu-west-1` from `AWS4-HMAC-SHA256 Credential=AKIA…/20261101/eu-west-1/kms/aws4_request, …`. */
function signedRegion(request: IncomingMessage): string | undefined {
  return /Credential=[^/,]*\/\d{8}\/([\w-]+)\//.exec(request.headers.authorization ?? '')?.[1]
}

function send(response: ServerResponse, { status, headers, body }: AwsResponse): void {
  if (response.destroyed) return
  const bytes = Buffer.from(JSON.stringify(body))
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length }).end(bytes)
}

async function closeServer(server: Server): Promise<void> {
  const closed = promisify(server.close.bind(server))()
  // A busy connection becomes idle after its response. A stalled connection never does.
  const idle = setInterval(() => server.closeIdleConnections(), 10)
  const stalled = setTimeout(() => server.closeAllConnections(), 2_000)
  await closed
  clearInterval(idle)
  clearTimeout(stalled)
}
