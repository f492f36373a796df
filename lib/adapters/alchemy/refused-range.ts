import { IndexerUnavailable } from '../../domain/failures.ts'
import { RangeTooLarge } from '../../domain/ports/chain-events.ts'
import { unverified } from '../../json/unverified.ts'
import { strikeOut } from '../../observability/log.ts'
import { FailedExchange, ResponseTooLarge } from './http-exchange.ts'
import { malformedResponse } from './malformed-response.ts'
import { isRangeLimit } from './range-limits.ts'

/**
 * What a failed call for events is thrown as: RangeTooLarge if the answer is too large, or if a 413 or the message of a 400 says
 * that the range is (D139). The reason of any other 400 has its message.
 */
export function failedCall(failure: unknown, url: string): unknown {
  if (failure instanceof ResponseTooLarge) return new RangeTooLarge()
  if (!(failure instanceof FailedExchange)) return failure
  if (failure.status === 413) return new RangeTooLarge()
  const message = messageIn(failure.body?.toString() ?? '')
  if (message === '') return failure
  if (isRangeLimit(message)) return new RangeTooLarge()
  return new IndexerUnavailable(
    `${failure.reason}: ${shown(message, url)}`,
    failure.retryAfterSeconds,
  )
}

/** What an error in place of the events is thrown as (D139): RangeTooLarge, or an IndexerUnavailable with its message. */
export function refusedCall(error: unknown, url: string): Error {
  const { message } = unverified(error)
  if (typeof message !== 'string') return malformedResponse('a JSON-RPC error')
  if (isRangeLimit(message)) return new RangeTooLarge()
  return malformedResponse(`a JSON-RPC error: ${shown(message, url)}`)
}

/** The message of an error of JSON-RPC, or the text of an answer that is none. */
function messageIn(body: string): string {
  try {
    const { error, message: ofBody } = unverified(JSON.parse(body))
    const { message = error ?? ofBody } = unverified(error)
    return typeof message === 'string' ? message : ''
  } catch {
    return body
  }
}

/** The characters of a message that the log has. */
const maxShownLength = 200

/**
 * A message of a node for the log, in one line: without the key and whatever else can be a credential or a wallet, without
 * numbers, so that the same fault has the same message, and shortened.
 */
function shown(message: string, url: string): string {
  // The URL ends with the key.
  const key = url.slice(url.lastIndexOf('/') + 1)
  const keys = [key, decodeURIComponent(key)].filter((text) => text !== '')
  const struck = keys.reduce((text, secret) => text.replaceAll(secret, '[key]'), message)
  return strikeOut(struck)
    .replace(/[^\x20-\x7e]+/g, ' ')
    .replace(/0x[0-9a-f]+|\d+/gi, '#')
    .slice(0, maxShownLength)
}
