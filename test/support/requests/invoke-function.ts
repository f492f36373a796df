import type { LambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { expect } from 'vitest'
import type { OperationId } from '../../../functions/operations.ts'
import { workerName } from '../../../infra/bundle/bundle.ts'
import { functionName } from '../../../lib/contract/route.ts'
import { rowOf } from '../operations.ts'
import { contentOf, headersOf, type Received, type Sent } from './client.ts'

/**
 * Calls the function of an operation with the event that API Gateway creates for a request. `until`: when the time of
 * the call ends at the latest, in milliseconds since 1970.
 */
export async function invokeFunction(
  host: LambdaHost,
  id: OperationId,
  sent: Sent,
  until?: number,
): Promise<Received> {
  const result = await host.invoke(functionName(id), eventOf(id, sent), until)
  if (!result.ok) throw new Error(`${result.errorType}: ${result.message}`)
  const { statusCode: status, headers, body: text } = JSON.parse(result.payload)
  return {
    status,
    headers: new Headers(headers),
    text,
    // Parsed on demand, because most responses are not read, and some are large.
    get json() {
      return JSON.parse(text)
    },
  }
}

/** The same, for a request that must be accepted. */
export async function acceptedBy(host: LambdaHost, id: OperationId, sent: Sent): Promise<Received> {
  const answer = await invokeFunction(host, id, sent)
  expect(answer.status, answer.text).toBe(200)
  return answer
}

/** Passes a message to the worker, which must process it. */
export async function processedBy(host: Pick<LambdaHost, 'invoke'>, body: unknown): Promise<void> {
  const result = await host.invoke(workerName, { Records: [{ messageId: 'message', body }] })
  expect(result).toEqual({ ok: true, payload: '{"batchItemFailures":[]}' })
}

/** The members of an event (payload format 2.0) that the functions read. */
function eventOf(id: OperationId, sent: Sent) {
  const { playerToken, query = {}, headers = {}, path } = sent
  const search = new URLSearchParams(playerToken === undefined ? {} : { playerToken })
  for (const [name, value] of Object.entries(query)) {
    for (const item of [value].flat()) search.append(name, String(item))
  }
  return {
    version: '2.0',
    routeKey: `${rowOf(id).method} ${rowOf(id).paths[0]}`,
    rawQueryString: search.toString(),
    ...(path && { pathParameters: path }),
    headers: { ...headersOf(sent), ...headers },
    requestContext: { requestId: 'generated' },
    ...bodyOf(contentOf(sent)),
  }
}

function bodyOf(content: string | Uint8Array | undefined) {
  if (content instanceof Uint8Array) {
    return { body: Buffer.from(content).toString('base64'), isBase64Encoded: true }
  }
  return { ...(content !== undefined && { body: content }), isBase64Encoded: false }
}
