import type { ChainEvents } from '../../domain/ports/chain-events.ts'
import { indexerSettings } from '../../settings/indexer.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { answerPlaces, type TakePlace } from './answer-places.ts'
import { alchemyChainBlocks, hex } from './chain-blocks.ts'
import { computeUnits } from './compute-units.ts'
import { askedTopics, eventsIn } from './event-log.ts'
import { askingWith, countingFailures } from './indexer-call.ts'
import { rpcResponse } from './json-rpc.ts'
import { failedCall, refusedCall } from './refused-range.ts'

/** About 10,000 events. A longer answer counts as too large, and is asked for in parts. */
const maxEventsBytes = 8 * 1_048_576

/** A 400 can repeat the addresses that were asked about. */
const maxErrorBytes = 16 * 1_024

/** The answers with events that are held in memory at once, whatever the number of followed chains (D152). */
const maxAnswers = 2

/**
 * The events of chains, by the JSON-RPC of the indexer (D152). As with every call of it, anything but a complete,
 * well-formed response is an IndexerUnavailable that contains neither the key nor the URL (D30). Its reason has what the node says
 * against a range, unless that is a limit (D139).
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
