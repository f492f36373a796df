import { type TokenId, tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { BindingId, ContractWithRanges } from '../../../lib/domain/nft/nft.ts'
import type { ChainStart, EventStart } from '../../../lib/domain/nft-events/event-start.ts'
import type { LogEntry, NftEvent } from '../../../lib/domain/nft-events/nft-event.ts'
import {
  type NftEventPorts,
  readNftEvents,
} from '../../../lib/domain/nft-events/read-nft-events.ts'
import type { LoggedPart } from '../../../lib/domain/ports/nft-event-log.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { productId } from '../memory/owned-nfts.ts'

export const now = Date.UTC(2026, 10, 27)
export const hour = 3_600_000

/** A block of a chain with one in each second, of which the block 0 is a week old. */
export const blockOf = (number: number) => ({
  number,
  hash: `0x${number}`,
  at: now - 168 * hour + number * 1_000,
})

export const contractOf = (
  number: number,
  chain: Chain = 'POLYGON',
  ranges: ContractWithRanges['ranges'] = [],
): ContractWithRanges => ({
  ...{ chain, address: addressOf(number), ranges },
  bindingId: `${chain} ${number}` as BindingId,
})

export const transferOf = (block: number, ...tokenIds: number[]): LogEntry => ({
  ...{ block: blockOf(block), logIndex: 0, transactionHash: '0x7' },
  content: {
    ...{ kind: 'transfer', from: null, to: addressOf(9) },
    tokens: tokenIds.map((tokenId) => ({ tokenId: tokenIdOf(BigInt(tokenId)), amount: '1' })),
  },
})

export const metadataOf = (block: number, from: number, to: number): LogEntry => ({
  ...{ block: blockOf(block), logIndex: 0, transactionHash: '0x7' },
  content: {
    kind: 'metadata',
    fromTokenId: tokenIdOf(BigInt(from)),
    toTokenId: tokenIdOf(BigInt(to)),
  },
})

export const missedOf = (block: number): LogEntry => ({
  block: blockOf(block),
  content: { kind: 'missed', reason: 'gap', toBlock: block - 1 },
})

/** What is different in a deployment. */
export interface World {
  contracts?: ContractWithRanges[]
  allowed?: Record<string, number[]>
  logs?: Record<string, LogEntry[]>
  positions?: [Chain, LoggedPart][]
  watchedUntil?: number
  refusedUntil?: number
  /** Those that the follower has noted and that DynamoDB has not deleted. */
  milestones?: { number: number; at: number }[]
}

/** A block every ten minutes. */
export const milestones = Array.from({ length: 1_200 }, (_, index) => blockOf(index * 600))

/** An event in a word. */
function shown({ block, content }: NftEvent): string {
  if (content.kind === 'transfer') return `${block.number} ${content.tokenId}`
  if (content.kind === 'metadata' || content.reason !== 'expired')
    return `${block.number} ${content.kind}`
  return `expired ${content.fromBlock ?? '?'} to ${content.toBlock}`
}

/** A deployment in memory that follows Polygon and BSC. */
export function deployment({
  contracts = [contractOf(1)],
  allowed = { 'POLYGON 1': [1, 2, 3] },
  logs = {},
  positions = [['POLYGON', { loggedUpTo: blockOf(604_700), contracts: 1 }]],
  watchedUntil = 0,
  refusedUntil = 0,
  milestones: noted = milestones,
}: World) {
  const watches: [number, number][] = []
  const looked: number[] = []
  const isAllowed = (bindingId: string, tokenId: string) =>
    allowed[bindingId]?.includes(Number(tokenId)) ?? false
  const ports: NftEventPorts = {
    contracts: { list: async () => contracts },
    allowedTokenIds: {
      async findAllowed(entries) {
        looked.push(entries.length)
        return entries.filter(({ bindingId, tokenId }) => isAllowed(bindingId, tokenId))
      },
      list: async (bindingId, { after, limit }) =>
        (allowed[bindingId] ?? [])
          .filter((tokenId) => after === undefined || BigInt(tokenId) > BigInt(after))
          .slice(0, limit)
          .map((tokenId) => `${tokenId}` as TokenId),
    },
    nftEventLog: {
      positions: async () => new Map(positions),
      leases: async (all) => all.map(() => ({ watchedUntil, pushedUntil: 0, refusedUntil })),
      watch: async (all, { until }) => void watches.push([all.length, until - now]),
      entries: async ({ chain, address }, { from, upTo, limit }) => {
        const all = (logs[`${chain} ${Number(address)}`] ?? []).filter(
          ({ block }) => block.number >= from.block && block.number <= upTo,
        )
        return {
          entries: all.slice(0, limit + 1).map((entry) => ({ ...entry, place: 0 })),
          hasMore: all.length > limit + 1,
        }
      },
      milestonesAround: async (_, time) => ({
        before: noted.findLast(({ at }) => at <= time)?.number ?? 0,
        after: noted.find(({ at }) => at >= time)?.number,
      }),
    },
  }
  const settings = { followedChains: ['POLYGON', 'BSC'] as const, webhookContracts: 20 }
  /** A page of a reader with a cursor, at some time. */
  const page = async (start: EventStart, { limit = 100, at = now } = {}) => {
    const { events, ...page } = await readNftEvents(
      productId,
      { start, limit, now: at },
      ports,
      settings,
    )
    return { ...page, shown: events.map(shown) }
  }
  const read = async (start: ChainStart = { since: 0 }, limit = 100) => {
    const { next, ...rest } = await page(
      { since: now, chains: new Map([['POLYGON', start]]) },
      { limit },
    )
    return { ...rest, next: next.chains, since: next.since }
  }
  return { read, page, watches, looked }
}
