import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { IndexerUnavailable } from '../../domain/failures.ts'
import { malformedAnswer } from './malformed-answer.ts'

/** An HTTP request. The key is in the URL, so no error may ever hold it. */
export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  /** The largest answer that is read, in bytes, before and after decompression. */
  maxAnswerBytes: number
}

/** An exchange that came to no answer, and what may be done about it. */
export class FailedExchange extends IndexerUnavailable {
  /** The HTTP status, if there was one. */
  readonly status: number | undefined
  /** Whether it may pass: the same request is worth another try. */
  readonly passing: boolean
  /** How long Retry-After asks to wait; 0 if it does not. */
  readonly waitSeconds: number
  constructor(
    reason: string,
    { status, passing, wait }: { status?: number; passing: boolean; wait?: number | undefined },
  ) {
    super(reason, wait === undefined ? undefined : Math.min(Math.max(wait, 1), 60))
    this.status = status
    this.passing = passing
    this.waitSeconds = wait ?? 0
  }
}

/** An answer over what was allowed, which was left: whoever asks for less may get it. */
export class AnswerTooLarge extends IndexerUnavailable {
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
 * Sends a request once and answers the body of a 200, decompressed. Everything else throws: another
 * status or a lost connection a {@link FailedExchange}, a body that is cut short, too large or badly
 * compressed an IndexerUnavailable. `signal` ends it wherever it is; what it throws then is undefined.
 */
export async function exchange(request: HttpRequest, signal: AbortSignal): Promise<Buffer> {
  const { maxAnswerBytes } = request
  const response = await responseTo(request, signal)
  try {
    if (response.statusCode !== 200) throw refused(response)
    const announced = Number(response.headers['content-length'])
    if (announced > maxAnswerBytes) throw new AnswerTooLarge(maxAnswerBytes)
    const body = await bodyOf(response, maxAnswerBytes)
    return await decoded(body, maxAnswerBytes, response.headers['content-encoding'])
  } finally {
    // Of no effect on an answer that was read to its end: its connection is used again.
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
    // Stays to the end: an error that comes while the body is read is told there too.
    outgoing.on('error', (error: NodeJS.ErrnoException) => reject(lostConnection(error)))
    outgoing.end(body)
  })
}

/** The body as it was sent. One that ends before its announced end is an error of the stream. */
async function bodyOf(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes > maxBytes) break
      chunks.push(chunk)
    }
  } catch {
    throw new IndexerUnavailable('connection lost within an answer')
  }
  if (bytes > maxBytes) throw new AnswerTooLarge(maxBytes)
  return Buffer.concat(chunks)
}

const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)

async function decoded(body: Buffer, maxBytes: number, encoding = 'identity'): Promise<Buffer> {
  if (encoding === 'identity') return body
  if (encoding !== 'gzip') throw malformedAnswer('an encoding that was not asked for')
  try {
    return await gunzip(body, { maxOutputLength: maxBytes })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw new AnswerTooLarge(maxBytes)
    throw malformedAnswer('bad compression')
  }
}

const passingStatuses: readonly unknown[] = [429, 503]

const refused = ({ statusCode: status = 0, headers }: IncomingMessage): FailedExchange =>
  new FailedExchange(`HTTP ${status}`, {
    status,
    passing: passingStatuses.includes(status),
    wait: secondsOf(headers['retry-after']),
  })

/** The seconds that a Retry-After header means: a number, or an HTTP date (RFC 9110, 10.2.3). */
function secondsOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined
  const seconds = /^\d+$/.test(retryAfter)
    ? Number(retryAfter)
    : Math.ceil((Date.parse(retryAfter) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0)
}

const resetCodes: readonly unknown[] = ['ECONNRESET', 'EPIPE']

/** Of the error, only the code is told: its text may name the URL. */
const lostConnection = ({ code = 'unknown' }: NodeJS.ErrnoException): FailedExchange =>
  new FailedExchange(`no connection: ${code}`, { passing: resetCodes.includes(code) })
