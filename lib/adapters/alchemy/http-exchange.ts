import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import zlib from 'node:zlib'
import { IndexerUnavailable } from '../../domain/failures.ts'
import { unverified } from '../../json/unverified.ts'
import { retryAfterSeconds } from '../retry-after.ts'
import type { TakePlace } from './answer-places.ts'
import { malformedResponse } from './malformed-response.ts'

/** An HTTP request. The URL contains the key, so no error may contain the URL. */
export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  /** The largest body that is read, in bytes, before and after decompression. */
  maxBodyBytes: number
  /** The largest body of a 400 that is read, in bytes; by default, none is. */
  maxErrorBytes?: number | undefined
  /** Whether the body of every other status is read too. */
  readsEveryStatus?: true
  /** The compute units that the indexer bills for the request. */
  units: number
  /** Waits until the body of the answer may be read. */
  takePlace?: TakePlace | undefined
  /** Takes the decompressed body of a 200 while it arrives, in place of the caller. */
  takeChunk?: ((chunk: Buffer) => Promise<void>) | undefined
}

/** An exchange without a usable response, and whether a retry can help. */
export class FailedExchange extends IndexerUnavailable {
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined
  /** The number of attempts after which a request that fails in this way is not retried. */
  readonly maxAttempts: number
  /** The wait that Retry-After asks for, in seconds; 0 without that header. */
  readonly waitSeconds: number
  /** The body, if it was asked for and could be read. */
  readonly body: Buffer | undefined
  constructor(
    reason: string,
    failure: Pick<FailedExchange, 'maxAttempts'> &
      Partial<Pick<FailedExchange, 'status' | 'body'>> & { wait?: number | undefined },
  ) {
    const { wait } = failure
    super(reason, wait === undefined ? undefined : Math.min(Math.max(wait, 1), 60))
    this.status = failure.status
    this.maxAttempts = failure.maxAttempts
    this.waitSeconds = wait ?? 0
    this.body = failure.body
  }
}

/** A response over the size limit, which was not read. A request for fewer NFTs can succeed. */
export class ResponseTooLarge extends IndexerUnavailable {
  constructor(maxBytes: number) {
    super(`an answer over ${maxBytes / 1_048_576} MiB`)
  }
}

// Not fetch: undici would add 20 ms to every cold start.
const schemes = {
  'http:': { request: http.request, agent: new http.Agent({ keepAlive: true }) },
  'https:': { request: https.request, agent: new https.Agent({ keepAlive: true }) },
}

/**
 * Sends a request once and returns the decompressed body of a 200, which is empty if the request takes it. Another status
 * or a lost connection throws a {@link FailedExchange}; a body that is cut short, too large or badly compressed throws an
 * IndexerUnavailable. `signal` aborts the exchange at any point; the error is then unspecified.
 */
export async function exchange(request: HttpRequest, signal: AbortSignal): Promise<Buffer> {
  const { maxBodyBytes, takePlace, takeChunk } = request
  const response = await responseTo(request, signal)
  try {
    if (response.statusCode !== 200) throw await failedStatus(response, request)
    const announced = Number(response.headers['content-length'])
    if (announced > maxBodyBytes) throw new ResponseTooLarge(maxBodyBytes)
    const place: Promise<void> | undefined = takePlace?.(signal)
    await place
    if (!takeChunk) return await bodyOf(response, maxBodyBytes)
    for await (const chunk of chunksOf(response, maxBodyBytes)) await takeChunk(chunk)
    return Buffer.alloc(0)
  } finally {
    // No effect on a response that was read completely: its connection is reused.
    response.destroy()
  }
}

function responseTo(request: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { method, headers, body } = request
  const url = new URL(request.url)
  const scheme = schemes[url.protocol === 'http:' ? 'http:' : 'https:']
  return new Promise((resolve, reject) => {
    const outgoing = scheme.request(url, { method, headers, agent: scheme.agent, signal })
    outgoing.once('response', resolve)
    // The listener stays: an error during the body is also emitted on the request.
    outgoing.on('error', (error: NodeJS.ErrnoException) => reject(lostConnection(error)))
    outgoing.end(body)
  })
}

async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of chunksOf(response, maxBytes)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * The decompressed body of a response, in the chunks in which it arrives; the next one is read when the last one was
 * taken. Throws an IndexerUnavailable if the connection is lost within it or it is badly compressed, and
 * ResponseTooLarge as soon as it has more than `maxBytes`, compressed or not.
 */
async function* chunksOf(response: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const body = decodedBody(response, maxBytes)
  try {
    yield* limited(body, maxBytes)
  } catch (error) {
    if (error instanceof ResponseTooLarge) throw error
    // Of this loop only: what the taker of a chunk throws does not come here.
    throw String(unverified(error)['code']).startsWith('Z_')
      ? malformedResponse('bad compression')
      : new IndexerUnavailable('connection lost within an answer')
  }
}

async function* limited(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new ResponseTooLarge(maxBytes)
    yield chunk
  }
}

function decodedBody(response: IncomingMessage, maxBytes: number): Readable {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return response
  if (encoding !== 'gzip') throw malformedResponse('an encoding that was not asked for')
  // The error of a lost connection reaches the reader of the decompressed body, which throws it.
  const compressed = limited(response, maxBytes)
  return pipeline(compressed, zlib.createGunzip(), () => undefined)
}

/** The attempts that are worthwhile for each status; a status that is not listed is not retried. */
const attemptsByStatus: Readonly<Record<number, number>> = {
  429: 3,
  500: 2,
  502: 2,
  503: 3,
  504: 2,
}

async function failedStatus(
  response: IncomingMessage,
  { maxErrorBytes, readsEveryStatus }: HttpRequest,
): Promise<FailedExchange> {
  const { statusCode: status = 0, headers } = response
  const isRead = (status === 400 || readsEveryStatus) && maxErrorBytes !== undefined
  return new FailedExchange(`HTTP ${status}`, {
    status,
    maxAttempts: attemptsByStatus[status] ?? 1,
    wait: retryAfterSeconds(headers['retry-after']),
    // Without its body, the status says enough.
    body: isRead ? await bodyOf(response, maxErrorBytes).catch(() => undefined) : undefined,
  })
}

const resetCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE']

/** The reason contains only the code of the error: its message can contain the URL. */
const lostConnection = ({ code = 'unknown' }: NodeJS.ErrnoException): FailedExchange =>
  new FailedExchange(`no connection: ${code}`, { maxAttempts: resetCodes.includes(code) ? 3 : 1 })
