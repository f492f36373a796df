import { type Answer, readResponse } from './answer.ts'
import { cancellation } from './cancellation.ts'
import { ConnectionError, PlayerNftsError } from './errors.ts'
import type { Operation } from './operation.ts'
import type { Settings } from './options.ts'
import { headersOf, type Request } from './request.ts'

/**
 * Sends one request and reads its response. Resolves with an error of the client if it fails, and rejects
 * only if a credential or a header cannot be sent. Calls `onSend` before it sends.
 */
export async function exchange(
  operation: Operation,
  request: Request,
  settings: Settings & { onSend: () => void },
): Promise<Answer<unknown> | PlayerNftsError> {
  const cancel = cancellation(operation.id, settings.signals, settings.timeoutMs)
  try {
    const { cacheControl } = settings
    const age = operation.hasAge && cacheControl !== undefined && { 'Cache-Control': cacheControl }
    const headers = await cancel.race(headersOf(request, { ...age, ...settings.headers }))
    const init: RequestInit = {
      ...settings.fetchOptions,
      method: operation.method,
      headers,
      // A redirect would take the credentials to another address.
      redirect: 'manual',
      signal: cancel.signal,
    }
    if (request.body !== undefined) init.body = request.body
    settings.onSend()
    // Browsers reject a call of their fetch as a method of another object.
    const { fetch } = settings
    return await cancel.race(fetchOnce(operation, async () => fetch(request.url, init)))
  } catch (error) {
    if (error instanceof PlayerNftsError) return error
    throw error
  } finally {
    cancel.end()
  }
}

async function fetchOnce(operation: Operation, fetch: () => Promise<Response>) {
  try {
    const response = await fetch()
    return readResponse(operation, response, await response.text())
  } catch (cause) {
    const { code, cause: inner } = cause as { code?: unknown; cause?: { code?: unknown } }
    const reason = inner?.code ?? code
    const facts = typeof reason === 'string' ? ` (${reason})` : ''
    const detail = `There was no complete response${facts}. Check the network and baseUrl.`
    return new ConnectionError({
      code: 'connection_failed',
      detail,
      operation: operation.id,
      cause,
    })
  }
}
