import { type TokenId, tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import {
  type AuditPorts,
  auditHoldings,
  confirmSuspicion,
  type Suspicion,
} from '../../../lib/domain/audits/audit-holdings.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { type KeptContract, newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { KeptEvent, Moved } from '../../../lib/domain/holdings/kept-event.ts'
import { settleLists } from '../../../lib/domain/keeping/settle-lists.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import type { StateQuery } from '../../../lib/domain/ports/chain-events.ts'
import type { FollowPosition } from '../../../lib/domain/ports/follow-notes.ts'
import type { FollowedTable } from '../../../simulation/followed-table.ts'
import { listAt, memoryKeptContracts } from '../../../simulation/kept-table.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { tablePorts } from '../../../simulation/table-ports.ts'
import {
  chainStateOf,
  type HeldState,
  holdersIn,
  tellOwners,
  tokensOf,
} from '../../support/kept-model/held-state.ts'
import { owned } from '../../support/memory/owned-nfts.ts'

export const contract = { chain: 'POLYGON', address: addressOf(1) } as const
export const id = '7'
export const now = 1_800_000_000_000

export const token = (number: number): TokenId => tokenIdOf(BigInt(number))

/** Who holds what: each entry is a wallet, a token and an amount. */
export function heldBy(...entries: [Address, number, number?][]): HeldState {
  const state = new Map<TokenId, Map<Address, bigint>>()
  for (const [wallet, number, amount = 1] of entries) {
    const of = state.get(token(number)) ?? new Map()
    state.set(token(number), of.set(wallet, BigInt(amount)))
  }
  return state
}

export const hashOf = (number: number, branch = 'a') =>
  `0x${branch.repeat(8)}${`${number}`.padStart(56, '0')}`

/** Lets everything up to a block settle, as readers of the position see it. */
export function setSettledIn(followed: FollowedTable, number: number): void {
  const block = { number, hash: hashOf(number), at: now }
  const settling = { declared: block, declaredBefore: block }
  followed.positions.set(contract.chain, { step: number, settling } as FollowPosition)
}

/** A contract whose snapshot is in use and right at the block 1000, with its chain and its indexer. */
export function auditedContract(standard: NftStandard, state: HeldState) {
  const states = new Map([[1_000, state]])
  /** The calls of ports, in their order; those about several things with their number. */
  const calls: string[] = []
  /** Called before each call of a port. */
  const hooks: { before(call: string): void | Promise<void> } = { before: () => undefined }
  const node = {
    /** The latest block that it has. */
    head: Number.POSITIVE_INFINITY,
    /** What it says in place of the state of a block. */
    says: undefined as HeldState | undefined,
  }
  const indexer = { state, pageKey: undefined as string | undefined }
  const turn = async (call: string) => {
    calls.push(call)
    await hooks.before(call)
  }
  const { followed, kept, ...table } = tablePorts(() => now, turn)
  const keptContracts = memoryKeptContracts(kept, async () => undefined)

  async function stateAt({ number, hash }: StateQuery['block'], call: string): Promise<HeldState> {
    await turn(call)
    if (number > node.head || hash !== hashOf(number)) throw new IndexerUnavailable('no such block')
    return node.says ?? (states.get(number) as HeldState)
  }

  const ports: AuditPorts = {
    ...{ ...table, now: () => now },
    chainEvents: {
      async block(_chain, number) {
        await turn('block')
        return number > node.head ? undefined : { number, hash: hashOf(number), at: now }
      },
    },
    chainState: chainStateOf(stateAt),
    tokenOwners: {
      async page(_query, take) {
        await turn('owners page')
        tellOwners(indexer.state, take)
        return undefined
      },
    },
    indexer: {
      async contractNfts({ limit, pageKey = 'none' }) {
        await turn(`${limit} nfts after ${pageKey}`)
        const all = [...indexer.state].flatMap(([tokenId, of]) => (of.size > 0 ? [tokenId] : []))
        const tokenIds = all.slice(0, limit)
        return { tokenIds, ...(indexer.pageKey !== undefined && { pageKey: indexer.pageKey }) }
      },
      async ownedNfts({ owner }) {
        await turn('owned nfts')
        const tokens = [...tokensOf(indexer.state, owner).keys()]
        return { nfts: tokens.map((tokenId) => owned({ ...contract, tokenId }, owner)) }
      },
    },
  }

  const item = () => kept.contracts.get(contract.address) as KeptContract
  const snapshot = { id, standard, step: 1, since: 5, at: 0 }
  kept.contracts.set(contract.address, {
    ...newKeptContract(contract.address),
    ...{ version: 1, settledUpTo: 1_000, eventsAfter: 1_000, readUpTo: 1_000, snapshot },
  })
  setSettledIn(followed, 1_000)

  /** Replaces the list of a wallet. */
  const setList = (wallet: Address, tokens: ReadonlyMap<TokenId, bigint>, settledUpTo = 1_000) =>
    kept.lists.set(listAt({ ...contract, id }, wallet), { settledUpTo, tokens })
  for (const wallet of holdersIn(state)) setList(wallet, tokensOf(state, wallet))

  return {
    ...{ kept, ports, calls, hooks, node, indexer, item, setList },
    /** Changes the list of a wallet: a balance of 0 is none. */
    setToken(wallet: Address, number: number, balance: number): void {
      const list = kept.lists.get(listAt({ ...contract, id }, wallet))
      const tokens = new Map(list?.tokens).set(token(number), BigInt(balance))
      if (balance === 0) tokens.delete(token(number))
      setList(wallet, tokens, list?.settledUpTo)
    },
    /** Adds a block in which NFTs move, and in whose events the item has. `after`: who holds what after it. */
    addBlock(number: number, after: HeldState, moves: Pick<KeptEvent, 'from' | 'to' | 'moved'>[]) {
      states.set(number, after)
      const events = moves.map((move, index): KeptEvent => {
        return { ...move, block: number, hash: hashOf(number).slice(2, 14), index }
      })
      const { version, events: before } = item()
      const next = { ...item(), version: version + 1, events: [...before, ...events] }
      kept.contracts.set(contract.address, { ...next, readUpTo: number })
    },
    /** Lets all events up to a block settle, as the follower does. `isCrashed`: it dies before it writes the item. */
    async settle(number: number, { isCrashed = false } = {}): Promise<void> {
      const due = item().events.filter(({ block }) => block > item().settledUpTo && block <= number)
      await settleLists({ ...contract, id, standard }, due, number, keptContracts)
      if (isCrashed) return
      const { version, settledUpTo } = item()
      const places = {
        settledUpTo: due.length > 0 ? number : settledUpTo,
        eventsAfter: settledUpTo,
      }
      kept.contracts.set(contract.address, { ...item(), version: version + 1, ...places })
      if (!states.has(number)) states.set(number, [...states.values()].at(-1) as HeldState)
      setSettledIn(followed, number)
    },
    audit: (recentWallets: readonly Address[] = [], random = () => 0.5, nftsPageKey?: string) =>
      auditHoldings(contract, { recentWallets, random, nftsPageKey }, ports, now + 40_000),
    confirm: (suspicion: Suspicion) => confirmSuspicion(contract, suspicion, ports, now + 40_000),
  }
}

export const one = (number: number, amount = 1): Moved => ({
  tokenId: token(number),
  amount: BigInt(amount),
})
