import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import type { ChainState } from '../../../lib/domain/ports/chain-events.ts'
import type { OwnedAmount } from '../../../lib/domain/ports/indexer.ts'
import { holdingsSum } from '../../../lib/domain/snapshots/snapshot-balances.ts'
import type { SnapshotPorts } from '../../../lib/domain/snapshots/snapshot-work.ts'
import { type SnapshotProgress, takeSnapshot } from '../../../lib/domain/snapshots/take-snapshot.ts'
import { alice, beforeEachCall, bob, contract } from '../../support/follower/followed.ts'
import { addressOf } from '../../support/follower/memory-chain.ts'
import { memoryAttempts, memoryKeptContracts } from '../../support/kept-model/kept-table.ts'
import { memoryFollowNotes, type Turn } from '../../support/simulated-chain/followed-table.ts'
import { keptFollower } from '../keeping/kept-follower.ts'
import { id } from '../keeping/said-events.ts'

export const carol = addressOf(0xd)

/** What the worker waits between two looks, and how far the indexer can be behind, in milliseconds. */
export const [look, settling] = [5_000, 30_000]

const wallets = [alice, bob, carol]

type Held = Map<Address, Map<TokenId, bigint>>

/** The sum of a pass over an ERC-721 contract of which alice, bob and carol each hold an NFT. */
export function sumOfThree(): string {
  const sum = holdingsSum()
  for (const [index, wallet] of wallets.entries()) sum.add(wallet, id(index + 1), 1n)
  return sum.text()
}

/**
 * A worker that takes the snapshot of a contract of which alice, bob and carol each hold an NFT, while a follower keeps it. `ofBob`: what bob
 * holds besides.
 */
export function snapshotWorker(
  standard: NftStandard,
  {
    ofBob = [],
    milliseconds = settling,
    keptTokens = 1_000_000,
  }: { ofBob?: TokenId[]; milliseconds?: number; keptTokens?: number } = {},
) {
  const follower = keptFollower()
  const { chain, kept, table, now, step, ports } = follower
  const indexer = {
    /** How far it is behind, in milliseconds. */
    behind: 0,
    /** The owners that a page has. */
    ownersPerPage: 1,
    /** What it throws, after how many amounts of a page. */
    failure: undefined as { error: Error; after: number } | undefined,
    /** Changes what a page tells. */
    tamper: (owned: OwnedAmount[]): OwnedAmount[] => owned,
    /** The owners whose pages were read. */
    pages: [] as Address[],
    /** When it was asked for its block. */
    askedAt: [] as number[],
  }
  /** The questions for owners and for balances. */
  const asked = {
    owners: [] as Parameters<ChainState['ownersOf']>[0][],
    balances: [] as Parameters<ChainState['balancesOf']>[0][],
  }
  let ids = 0

  /** Who holds what after a block. */
  function heldAt(number: number): Held {
    const amount = standard === 'ERC721' ? 1n : 5n
    const held: Held = new Map(
      wallets.map((wallet, index) => [wallet, new Map([[id(index + 1), amount]])]),
    )
    for (const tokenId of ofBob) add(held, bob, tokenId, amount)
    for (const { block, details } of chain.logs) {
      const { content } = details ?? {}
      if (block.number > number || content?.kind !== 'transfer') continue
      for (const { tokenId, amount } of content.tokens) {
        add(held, content.from, tokenId, -BigInt(amount))
        add(held, content.to, tokenId, BigInt(amount))
      }
    }
    return held
  }

  const tokenOwners: SnapshotPorts['tokenOwners'] = {
    async statedBlock() {
      indexer.askedAt.push(now())
      const at = now() - indexer.behind
      return { number: Math.floor(at / 2_000), at }
    },
    async page({ pageKey = '' }, take) {
      const owners = [...heldAt(Math.floor((now() - indexer.behind) / 2_000))].sort()
      const some = owners.filter(([wallet]) => wallet > pageKey).slice(0, indexer.ownersPerPage)
      indexer.pages.push(...some.map(([owner]) => owner))
      const owned = some.flatMap(([owner, held]) =>
        [...held].map(([tokenId, amount]) => ({ owner, tokenId, amount })),
      )
      const told = indexer.tamper(owned.filter(({ amount }) => amount > 0n))
      const { error, after = told.length } = indexer.failure ?? {}
      for (const each of told.slice(0, after)) await take(each)
      if (error) throw error
      return some.at(-1)?.[0]
    },
  }
  const chainState: SnapshotPorts['chainState'] = {
    async ownersOf(query) {
      asked.owners.push(query)
      const held = [...heldAt(query.block.number)]
      return query.tokenIds.map(
        (tokenId) => held.find(([, of]) => (of.get(tokenId) ?? 0n) > 0n)?.[0] ?? null,
      )
    },
    countsOf: async () => [],
    async balancesOf(query) {
      asked.balances.push(query)
      const held = heldAt(query.block.number)
      return query.pairs.map(({ wallet, tokenId }) => held.get(wallet)?.get(tokenId) ?? 0n)
    },
  }

  /** Works at the snapshot once. `turn`: called before each call of a port. */
  function work(turn: Turn = async () => undefined): Promise<SnapshotProgress> {
    const all = {
      tokenOwners: beforeEachCall(tokenOwners, turn),
      chainState: beforeEachCall(chainState, turn),
      chainEvents: beforeEachCall(ports.chainEvents, turn),
      followNotes: memoryFollowNotes(table, now, turn),
      keptContracts: memoryKeptContracts(kept, turn),
      attempts: memoryAttempts(kept, turn),
      now,
      newId() {
        ids += 1
        return `${ids}`
      },
    }
    const settings = { standard, settlingMilliseconds: milliseconds, keptTokens }
    return takeSnapshot({ chain: 'POLYGON', address: contract }, all, settings, now() + 40_000)
  }

  /** Takes steps of the follower, and works after each, until the outcome is another one than to wait. */
  async function finish(turn?: Turn): Promise<SnapshotProgress> {
    for (let count = 0; count < 100; count += 1) {
      await step()
      const progress = await work(turn)
      if (progress.outcome !== 'waiting') return progress
    }
    throw new Error('the worker waits for ever')
  }

  /** Takes steps of the follower, and works after each, until something is so. */
  async function workUntil(isSo: () => boolean, turn?: Turn): Promise<void> {
    for (let count = 0; !isSo(); count += 1) {
      if (count === 100) throw new Error('what the test waits for never happens')
      await step()
      await work(turn)
    }
  }

  return {
    ...{ ...follower, indexer, asked, work, workUntil, finish },
    attempt: () => kept.attempts.get(contract),
    /** Keeps the contract, and begins its log. */
    async begin(): Promise<void> {
      kept.contracts.set(contract, newKeptContract(contract))
      await step()
      await work()
      await step()
    },
    /** What a read says of each wallet, and what is so. */
    async told() {
      await step()
      const held = heldAt(Math.floor(now() / 2_000))
      const said = await Promise.all(wallets.map((wallet) => follower.held(wallet)))
      return { said, so: wallets.map((wallet) => balancesOf(held, wallet)) }
    },
  }
}

function add(held: Held, wallet: Address | null, tokenId: TokenId, amount: bigint): void {
  if (wallet === null) return
  const of = held.get(wallet) ?? new Map()
  held.set(wallet, of.set(tokenId, (of.get(tokenId) ?? 0n) + amount))
}

const balancesOf = (held: Held, wallet: Address) =>
  Object.fromEntries([...(held.get(wallet) ?? [])].filter(([, balance]) => balance > 0n))
