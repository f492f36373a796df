import http, { type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { awsAttemptMilliseconds } from '../../domain/time-budget.ts'
import type { JsonResponse } from './json-protocol.ts'

/**
 * Returns a function that sends a request to an endpoint, over connections that are used again, and reads the whole
 * response. `signal` aborts the exchange with its reason. An exchange in which nothing arrives for
 * {@link awsAttemptMilliseconds} fails with a TimeoutError: at its connection, before its response and within it.
 */
export function exchangeWith(endpoint: URL) {
  // Not fetch: undici would add 20 ms to every cold start.
  const { request, Agent } = endpoint.protocol === 'http:' ? http : https
  const options = {
    ...urlToHttpOptions(endpoint),
    method: 'POST',
    agent: new Agent({ keepAlive: true }),
  }
  return (
    { headers, body }: { headers: OutgoingHttpHeaders; body: string },
    signal: AbortSignal | undefined,
  ): Promise<JsonResponse> => {
    const { promise, resolve, reject } = Promise.withResolvers<JsonResponse>()
    const outgoing = request({ ...options, headers })
    const timer = setTimeout(() => outgoing.destroy(timeout()), awsAttemptMilliseconds)
    const abort = () => outgoing.destroy(signal?.reason)
    signal?.addEventListener('abort', abort)
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    const fail = (error: Error) => {
      end()
      reject(error)
    }
    // The listener stays: an error within the response is also emitted on the request.
    outgoing.on('error', fail)
    outgoing.once('response', (response) => {
      timer.refresh()
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        timer.refresh()
      })
      // Also of a response whose connection ends before it does.
      response.on('error', fail)
      response.on('end', () => {
        end()
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, text: Buffer.concat(chunks).toString() })
      })
    })
    outgoing.end(body)
    return promise
  }
}

const timeout = () =>
  Object.assign(new Error(`nothing arrived for ${awsAttemptMilliseconds} ms`), {
    name: 'TimeoutError',
  })
