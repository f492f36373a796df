import type { Chain } from '../nft/chain.ts'
import type { ContractWithRanges } from '../nft/nft.ts'
import type { LoggedPart, NftEventLog } from '../ports/nft-event-log.ts'
import type { LogPlace, NftEvent } from './nft-event.ts'

/**
 * Where a reader goes on: at a place, or with what happens from a time on (milliseconds since 1970), never before the
 * place.
 */
export type ChainStart = (LogPlace & { since?: number | undefined }) | { since: number }

/**
 * Where a reader goes on: in some chains, and from a time on in the others. All that it has not seen is of that time,
 * or later.
 */
export interface EventStart {
  chains: ReadonlyMap<Chain, ChainStart>
  since: number
}

/** Where a reader is in the events of a chain, and the time before which they are not kept. */
export interface Reader {
  from: ChainStart
  position: LoggedPart
  earliest: number
  /** Everything that the reader has not seen is of this time, or later. */
  unseenSince: number
}

/** Where the logs of a chain are read from. `expired`: by contract, what the reader has not seen in time. */
export async function beginningOf(
  contracts: readonly ContractWithRanges[],
  { from, position: { loggedUpTo }, earliest, unseenSince }: Reader,
  nftEventLog: Pick<NftEventLog, 'milestonesAround'>,
): Promise<{ first: LogPlace; expired: NftEvent[] }> {
  const isPlace = 'block' in from
  const isKept = unseenSince >= earliest
  if (isPlace && isKept) return { first: from, expired: [] }
  const [{ chain } = { chain: undefined }] = contracts
  if (!chain) return { first: { block: 0 }, expired: [] }
  const time = Math.max(unseenSince, earliest)
  const { before, after = loggedUpTo.number + 1 } = await nftEventLog.milestonesAround(chain, time)
  const hasSeenAll = isPlace ? from.block >= after : loggedUpTo.at < unseenSince
  if (isKept || hasSeenAll) return { first: isPlace ? from : { block: before }, expired: [] }
  const content = {
    kind: 'missed',
    reason: 'expired',
    ...(isPlace && { fromBlock: from.block }),
    toBlock: after - 1,
  } as const
  const expired = contracts.map(({ address: contract }) => ({
    ...{ chain, contract, place: 0, content },
    block: { number: after, hash: '', at: unseenSince },
  }))
  return { first: { block: after }, expired }
}
