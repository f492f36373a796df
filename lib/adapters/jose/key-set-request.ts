import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { keySetMilliseconds } from '../../domain/time-budget.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'

/** The largest key set that is read, in bytes. Published sets have a few kilobytes. */
const maxBytes = 262_144

/** A key set that could not be read. The reason never contains text of the endpoint. */
export class UnreadableKeySet extends ServiceUnavailable {
  constructor(reason: string) {
    super(`key set of the login: ${reason}`)
  }
}

/**
 * Reads a JSON document with one GET request to exactly this URL. Redirects are not followed, so no other
 * host can supply keys. Throws UnreadableKeySet for every other answer than a 200 with at most 256 KiB of
 * JSON, and if that takes too long (D40).
 */
export async function requestKeySet(url: string): Promise<unknown> {
  const timeout = AbortSignal.timeout(keySetMilliseconds)
  downstreamCalls.begin('keySet')
  try {
    return await downstreamCalls.timed('keySet', () => documentAt(url, timeout))
  } catch (error) {
    downstreamCalls.countFailure('keySet')
    if (timeout.aborted) throw new UnreadableKeySet('timed out')
    throw error
  }
}

async function documentAt(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await responseTo(url, signal)
  try {
    return parse(await bodyOf(response))
  } finally {
    response.destroy()
  }
}

const headers = {
  accept: 'application/json, application/jwk-set+json',
  'user-agent': 'player-nfts',
}

// Not fetch: undici would add 20 ms to every cold start.
function responseTo(url: string, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = url.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    // No agent keeps the connection: the next request is minutes away.
    const outgoing = request(url, { headers, agent: false, signal })
    outgoing.once('response', resolve)
    outgoing.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) =>
      reject(new UnreadableKeySet(`no connection: ${code}`)),
    )
    outgoing.end()
  })
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const { statusCode, headers } = response
  if (statusCode !== 200) throw new UnreadableKeySet(`HTTP ${statusCode}`)
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new UnreadableKeySet('an encoding that was not requested')
  }
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      bytes += chunk.length
      if (bytes > maxBytes) break
      chunks.push(chunk)
    }
  } catch {
    throw new UnreadableKeySet('connection lost within the answer')
  }
  if (bytes > maxBytes) throw new UnreadableKeySet(`an answer over ${maxBytes / 1024} KiB`)
  return Buffer.concat(chunks)
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new UnreadableKeySet('not JSON')
  }
}
