import { IndexerUnavailable } from '../../domain/failures.ts'
import { type ChainEvents, RangeTooLarge } from '../../domain/ports/chain-events.ts'
import { unverified } from '../../json/unverified.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { answerPlaces, type TakePlace } from './answer-places.ts'
import { askingWith, countingFailures, type IndexerPlace } from './asking.ts'
import { chainBlocks, hex } from './chain-blocks.ts'
import { computeUnits } from './compute-units.ts'
import { eventsIn, eventTopics } from './event-log.ts'
import { FailedExchange, ResponseTooLarge } from './http-exchange.ts'
import { rpcResponse } from './json-rpc.ts'
import { malformedResponse } from './malformed-response.ts'
import { isRangeLimit } from './range-limits.ts'
import { shownMessage } from './shown-message.ts'

/** About 10,000 events. A longer answer counts as too large, and is asked for in parts. */
const maxEventsBytes = 8 * 1_048_576

/** A 400 can repeat the addresses that were asked about. */
const maxErrorBytes = 16 * 1_024

/** The answers with events that are held in memory at once, whatever the number of followed chains (D152). */
const maxAnswers = 2

/**
 * The events of chains, by the JSON-RPC of the indexer (D152), with its failures (D30). The reason of one has what the
 * node says against a range, unless that is a limit (D139).
 */
export function alchemyChainEvents(indexerKey: IndexerKey, place?: IndexerPlace): ChainEvents {
  const ask = askingWith(indexerKey, place)
  const places = answerPlaces(maxAnswers)
  return {
    ...chainBlocks(ask),
    events: ({ chain, ...query }, deadline) =>
      countingFailures(
        ask(chain, deadline, async ({ jsonRpc, timeoutMs }) =>
          places.during(async (takePlace) =>
            eventsIn(await eventLog(jsonRpc, { ...query, takePlace }, timeoutMs), query),
          ),
        ),
      ),
  }
}

async function eventLog(
  url: string,
  {
    contracts,
    from,
    to,
    takePlace,
  }: { contracts: readonly string[]; from: number; to: number; takePlace: TakePlace },
  timeoutMs: number,
): Promise<unknown> {
  const filter = {
    address: contracts,
    topics: [eventTopics],
    fromBlock: hex(from),
    toBlock: hex(to),
  }
  const call = {
    method: 'eth_getLogs',
    params: [filter],
    maxBodyBytes: maxEventsBytes,
    maxErrorBytes,
    units: computeUnits.eth_getLogs,
    takePlace,
  }
  const { error, result } = await rpcResponse(url, call, timeoutMs).catch((failure) => {
    throw failedCall(failure, url)
  })
  if (error === undefined) return result
  throw refusedCall(error, url)
}

/**
 * What a failed call for events is thrown as: RangeTooLarge if the answer is too large, or if a 413 or the message of a 400 says
 * that the range is (D139). The reason of any other 400 has its message.
 */
function failedCall(failure: unknown, url: string): unknown {
  if (failure instanceof ResponseTooLarge) return new RangeTooLarge()
  if (!(failure instanceof FailedExchange)) return failure
  if (failure.status === 413) return new RangeTooLarge()
  const message = messageIn(failure.body?.toString() ?? '')
  if (message === '') return failure
  if (isRangeLimit(message)) return new RangeTooLarge()
  return new IndexerUnavailable(
    `${failure.reason}: ${shownMessage(message, url)}`,
    failure.retryAfterSeconds,
  )
}

/** What an error in place of the events is thrown as (D139): RangeTooLarge, or an IndexerUnavailable with its message. */
function refusedCall(error: unknown, url: string): Error {
  const { message } = unverified(error)
  if (typeof message !== 'string') return malformedResponse('a JSON-RPC error')
  if (isRangeLimit(message)) return new RangeTooLarge()
  return malformedResponse(`a JSON-RPC error: ${shownMessage(message, url)}`)
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
