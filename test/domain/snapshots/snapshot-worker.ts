import { expect } from 'vitest'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import type { ChainState } from '../../../lib/domain/ports/chain-events.ts'
import type { OwnedAmount } from '../../../lib/domain/ports/indexer.ts'
import { holdingsSum } from '../../../lib/domain/snapshots/snapshot-balances.ts'
import type { SnapshotPorts } from '../../../lib/domain/snapshots/snapshot-work.ts'
import { type SnapshotProgress, takeSnapshot } from '../../../lib/domain/snapshots/take-snapshot.ts'
import type { Turn } from '../../../simulation/followed-table.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { tablePorts } from '../../../simulation/table-ports.ts'
import { alice, beforeEachCall, bob, contract } from '../../support/follower/followed.ts'
import {
  chainStateOf,
  change,
  type HeldState,
  holdersIn,
  tellOwners,
  tokensOf,
} from '../../support/kept-model/held-state.ts'
import { keptFollower } from '../keeping/kept-follower.ts'
import { id } from '../keeping/said-events.ts'

export const carol = addressOf(0xd)

/** What the worker waits between two looks, and how far the indexer can be behind, in milliseconds. */
export const [look, settling] = [5_000, 30_000]

const wallets = [alice, bob, carol]

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
  const queries = {
    owners: [] as Parameters<ChainState['ownersOf']>[0][],
    balances: [] as Parameters<ChainState['balancesOf']>[0][],
  }
  let ids = 0

  /** Who holds what after a block. */
  function heldAt(number: number): HeldState {
    const amount = standard === 'ERC721' ? 1n : 5n
    const held = new Map(
      wallets.map((wallet, index) => [id(index + 1), new Map([[wallet, amount]])]),
    )
    const add = (wallet: Address | null, tokenId: TokenId, more: bigint) => {
      const of = held.get(tokenId) ?? new Map<Address, bigint>()
      if (wallet) change(of, wallet, more)
      held.set(tokenId, of)
    }
    for (const tokenId of ofBob) add(bob, tokenId, amount)
    for (const { block, details } of chain.logs) {
      const { content } = details
      if (block.number > number || content?.kind !== 'transfer') continue
      for (const moved of content.tokens) {
        add(content.from, moved.tokenId, -BigInt(moved.amount))
        add(content.to, moved.tokenId, BigInt(moved.amount))
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
      const held = heldAt(Math.floor((now() - indexer.behind) / 2_000))
      const owners = holdersIn(held).filter((wallet) => wallet > pageKey)
      const some = owners.sort().slice(0, indexer.ownersPerPage)
      indexer.pages.push(...some)
      const owned: OwnedAmount[] = []
      tellOwners(held, (each) => void owned.push(each), some)
      const page = indexer.tamper(owned)
      const { error, after = page.length } = indexer.failure ?? {}
      for (const each of page.slice(0, after)) await take(each)
      if (error) throw error
      return some.at(-1)
    },
  }
  const said = chainStateOf(async ({ number }) => heldAt(number))
  const chainState: SnapshotPorts['chainState'] = {
    ...said,
    ownersOf(query) {
      queries.owners.push(query)
      return said.ownersOf(query)
    },
    balancesOf(query) {
      queries.balances.push(query)
      return said.balancesOf(query)
    },
  }

  /** Works at the snapshot once. `turn`: called before each call of a port. */
  function work(turn: Turn = async () => undefined): Promise<SnapshotProgress> {
    const all = {
      ...tablePorts(now, turn, { followed: table, kept }),
      tokenOwners: beforeEachCall(tokenOwners, turn),
      chainState: beforeEachCall(chainState, turn),
      chainEvents: beforeEachCall(ports.chainEvents, turn),
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
    ...{ ...follower, indexer, queries, work, workUntil, finish },
    attempt: () => kept.attempts.get(contract),
    /** Expects that a read says of each wallet what it holds, and returns that. */
    async expectHeld(message?: string) {
      await step()
      const state = heldAt(Math.floor(now() / 2_000))
      const held = await Promise.all(wallets.map((wallet) => follower.held(wallet)))
      expect(held, message).toEqual(
        wallets.map((wallet) => Object.fromEntries(tokensOf(state, wallet))),
      )
      return held
    },
  }
}

/** A {@link snapshotWorker} of a contract that is kept, and whose log has begun. */
export async function begunWorker(...how: Parameters<typeof snapshotWorker>) {
  const worker = snapshotWorker(...how)
  const { kept, step, work } = worker
  kept.contracts.set(contract, newKeptContract(contract))
  await step()
  await work()
  await step()
  return worker
}
