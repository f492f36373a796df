import { type ChainEvents, RangeTooLarge } from '../../domain/ports/chain-events.ts'
import { unverified } from '../../json/unverified.ts'
import { indexerSettings } from '../../settings/indexer.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { answerPlaces, type TakePlace } from './answer-places.ts'
import { alchemyChainBlocks, hex } from './chain-blocks.ts'
import { computeUnits } from './compute-units.ts'
import { askedTopics, eventsIn } from './event-log.ts'
import { FailedExchange, ResponseTooLarge } from './http-exchange.ts'
import { askingWith, countingFailures } from './indexer-call.ts'
import { rpcResponse } from './json-rpc.ts'
import { malformedResponse } from './malformed-response.ts'

/** About 10,000 events. A longer answer counts as too large, and is asked for in parts. */
const maxEventsBytes = 8 * 1_048_576

/** The answers with events that are held in memory at once, whatever the number of followed chains (D89). */
const maxAnswers = 2

/**
 * The events of chains, by the JSON-RPC of the indexer (D66). As with every call of it, anything but a complete,
 * well-formed response is an IndexerUnavailable that contains neither the key nor the URL (D30).
 */
export function alchemyChainEvents(
  indexerKey: IndexerKey,
  { baseUrl }: { baseUrl?: string | undefined } = indexerSettings(),
): ChainEvents {
  const ask = askingWith(indexerKey, baseUrl)
  const places = answerPlaces(maxAnswers)
  return {
    ...alchemyChainBlocks(indexerKey, { baseUrl }),
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
    topics: [askedTopics],
    fromBlock: hex(from),
    toBlock: hex(to),
  }
  const call = {
    method: 'eth_getLogs',
    params: [filter],
    maxBodyBytes: maxEventsBytes,
    units: computeUnits.eth_getLogs,
    takePlace,
  }
  const { error, result } = await rpcResponse(url, call, timeoutMs).catch((failure) => {
    throw isTooLarge(failure) ? new RangeTooLarge() : failure
  })
  if (error === undefined) return result
  throw isRangeError(error) ? new RangeTooLarge() : malformedResponse('a JSON-RPC error')
}

/** Alchemy returns 400 for a range that its plan does not permit, with an error that is not read. */
const isTooLarge = (failure: unknown): boolean =>
  failure instanceof ResponseTooLarge ||
  (failure instanceof FailedExchange && (failure.status === 400 || failure.status === 413))

/**
 * Whether an error says that the range or the response is too large. The codes of these errors differ by network and
 * plan, and are those of other errors too, for example: `Log response size exceeded`, `up to a 10 block range`,
 * `query returned more than 10000 results`.
 */
function isRangeError(error: unknown): boolean {
  const { message } = unverified(error)
  return typeof message === 'string' && /block range|response size|more than \d+/i.test(message)
}
