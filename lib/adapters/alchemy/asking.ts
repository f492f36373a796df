import { IndexerUnavailable } from '../../domain/failures.ts'
import { type Chain, chains, isCovered } from '../../domain/nft/chain.ts'
import { type Deadline, indexerCallMilliseconds } from '../../domain/time-budget.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { indexerSettings } from '../../settings/indexer.ts'
import type { IndexerKey } from '../indexer-key.ts'
import { FailedExchange } from './http-exchange.ts'

// Apart from what calls alchemy-sdk, for functions that do not load it.

interface IndexerUrls {
  nft: string
  jsonRpc: string
}

/**
 * The URLs of a chain's APIs, at Alchemy or under `baseUrl`. Throws a RangeError for a chain that the
 * indexer does not cover (D56).
 */
export function indexerUrls(
  chain: Chain,
  apiKey: string,
  baseUrl: string | undefined,
): IndexerUrls {
  if (!isCovered(chain)) throw new RangeError(`${chain} is not covered: the indexer is not asked`)
  const { network } = chains[chain]
  const root = baseUrl ? `${baseUrl}/${network}` : `https://${network}.g.alchemy.com`
  const key = encodeURIComponent(apiKey)
  return { nft: `${root}/nft/v3/${key}`, jsonRpc: `${root}/v2/${key}` }
}

/** The URLs of a chain, and the time that a response may take. */
export interface Endpoint extends IndexerUrls {
  timeoutMs: number
}

/** Where the indexer is, if it is not at Alchemy. */
export interface IndexerPlace {
  baseUrl?: string | undefined
}

/** Calls the indexer about a chain, with a deadline for the response. */
export type Ask = <Result>(
  chain: Chain,
  deadline: Deadline,
  send: (endpoint: Endpoint) => Promise<Result>,
) => Promise<Result>

/**
 * Calls the indexer where it is, by default as the settings say, with a key, for 8 seconds by default. When the indexer refuses the
 * key, the key is read again once. The reason of a second 403 names the network (D56).
 */
export function askingWith(
  indexerKey: IndexerKey,
  { baseUrl }: IndexerPlace = indexerSettings(),
  longestMilliseconds = indexerCallMilliseconds,
): Ask {
  return async (chain, deadline, send) => {
    const until = Math.min(deadline, Date.now() + longestMilliseconds)
    const attempt = async (options?: { anew: boolean }) => {
      const urls = indexerUrls(chain, await indexerKey(options), baseUrl)
      const timeoutMs = Math.floor(until - Date.now())
      if (timeoutMs <= 0) throw new IndexerUnavailable('no time was left to ask')
      return send({ ...urls, timeoutMs })
    }
    try {
      return await attempt()
    } catch (error) {
      if (!isKeyRejection(error)) throw error
      return attempt({ anew: true }).catch((again) => {
        throw explained(again, chain)
      })
    }
  }
}

/** The result of a call, whose failure is counted (D30). */
export async function countingFailures<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call
  } catch (error) {
    if (error instanceof IndexerUnavailable) downstreamCalls.countFailure('indexer')
    throw error
  }
}

/** Whether the indexer refuses the key. */
export const isKeyRejection = (error: unknown): error is FailedExchange =>
  error instanceof FailedExchange && (error.status === 401 || error.status === 403)

/** Names the network in the place of a 403, which Alchemy returns for a network that is not enabled (D56). */
function explained(error: unknown, chain: Chain): unknown {
  if (!isKeyRejection(error) || error.status !== 403) return error
  return new IndexerUnavailable(
    `HTTP 403: is the network ${chains[chain].network} enabled in the app of the key?`,
    error.retryAfterSeconds,
  )
}
