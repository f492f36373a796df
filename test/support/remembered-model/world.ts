import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { BindingId, ContractKey } from '../../../lib/domain/nft/nft.ts'
import { emptyMemory, type Memory } from '../memory/memory-ports.ts'
import { addressOf, productId } from '../memory/owned-nfts.ts'
import { emptyTable, type FollowedTable } from './followed-table.ts'
import type { History, ReaderCall } from './history.ts'
import { type AskedCall, sliceOf } from './reads.ts'
import { type SimulatedChain, simulatedChain } from './simulated-chain.ts'
import { goodNodes, type NodeMood } from './simulated-events.ts'
import type { IndexedWorld } from './simulated-indexer.ts'
import { type SimulatedTime, simulatedTime } from './simulated-time.ts'

/** The chain that the deployment follows. Another chain is not followed. */
export const followedChain = 'POLYGON'

/** A chain that is followed beside it in some histories, whose nodes do not answer. */
export const silentChain = 'ETHEREUM'

/** Everything that a history takes place in. */
export interface World extends IndexedWorld {
  history: History
  time: SimulatedTime
  nodes: NodeMood
  table: FollowedTable
  memory: Memory
  allowlist: AllowlistLog
  /** The time of the latest block that a response of the indexer has stated, by wallet and chain. */
  lastStated: Map<string, number>
  /** The wallets and chains that a request is about, as far as the contracts stayed connected meanwhile. */
  slicesOf(request: {
    wallets: readonly Address[]
    start: number
    end: number
  }): Pick<AskedCall, 'chain' | 'owner'>[]
  /** How often the refreshes that have ended fetched the metadata of each contract (4.7). */
  refreshed: Map<string, number>
  /** The port call before which the process of the next request ends that makes it. */
  killReaderAt?: ReaderCall | undefined
  /** The number of times that items of the table were deleted or expired. */
  tamperings: number
  /** The most readings that have lost a part, which nobody has noticed. */
  readingsLost: number
  counts: { reads: number; remembered: number; stale: number; expired: number; failed: number }
}

/** The contracts of the product. */
export const contractKeys: readonly ContractKey[] = [
  { chain: 'POLYGON', address: addressOf(1) },
  { chain: 'POLYGON', address: addressOf(2) },
  { chain: 'BSC', address: addressOf(3) },
]

const [first, second, third] = contractKeys.map(({ address }) => address) as [
  Address,
  Address,
  Address,
]
const contractOf: Record<'POLYGON' | 'BSC', readonly Address[]> = {
  POLYGON: Array.from({ length: 10 }, (_, token) => (token < 5 ? first : second)),
  BSC: Array.from({ length: 10 }, () => third),
}

/** The wallets of the players, and a market that is nobody's. */
export const walletAddresses = [0xa1, 0xa2, 0xa3, 0xff].map(addressOf)

const [wallet, otherWallet, sharedWallet] = walletAddresses as [Address, Address, Address]

/** The wallets of each player. */
export const playerWallets: readonly (readonly Address[])[] = [
  [wallet],
  [otherWallet, sharedWallet],
  [sharedWallet],
]

export const nftAt = (chain: Chain, token: number): string => `${chain} ${token}`

/** What was on the allowlist when. */
interface AllowlistLog {
  alwaysAllowed(nft: string, from: number, to: number): boolean
  everAllowed(nft: string, from: number, to: number): boolean
  wasAlwaysConnected(chain: Chain, from: number, to: number): boolean
  /** Whether every contract has kept its connection. */
  hasKeptConnections(from: number, to: number): boolean
  /** Notes what is on the list now. */
  note(): void
}

export function newWorld(history: History): World {
  const time = simulatedTime(history.seed)
  const memory = emptyMemory()
  for (const [contract] of contractKeys.entries()) connectAnew(memory, contract)
  const chains = new Map<Chain, SimulatedChain>(
    (['POLYGON', 'BSC'] as const).map((chain) => {
      const owners = contractOf[chain].map(() => time.pick(walletAddresses))
      return [chain, simulatedChain(time, history.blockMilliseconds, contractOf[chain], owners)]
    }),
  )
  const allowlist = allowlistLog(memory, time.now)
  return {
    ...{ history, time, memory, chains, followedChain, allowlist, pageSize: history.pageSize },
    indexer: { isDown: false, isRefused: false, statedAge: 0, lag: 'random', latency: 300 },
    nodes: { ...goodNodes },
    settlingMilliseconds: 30_000,
    fetches: new Map(),
    refreshed: new Map(),
    tamperings: 0,
    readingsLost: 0,
    table: emptyTable(),
    lastStated: new Map(),
    slicesOf: ({ wallets, start, end }) =>
      [...chains.keys()]
        .filter((chain) => allowlist.wasAlwaysConnected(chain, start, end))
        .flatMap((chain) => wallets.map((owner) => ({ chain, owner }))),
    counts: { reads: 0, remembered: 0, stale: 0, expired: 0, failed: 0 },
  }
}

const bindingOf = ({ contracts }: Memory, { chain, address }: ContractKey) =>
  contracts.get(`${productId} ${chain} ${address}`)?.bindingId

let connections = 0

/** Connects a contract, with a new allowlist of all its NFTs, in place of an earlier connection. */
export function connectAnew(memory: Memory, contract: number): void {
  const key = contractKeys[contract] as ContractKey
  connections += 1
  const bindingId = `binding ${connections}` as BindingId
  memory.contracts.set(`${productId} ${key.chain} ${key.address}`, {
    ...{ ...key, bindingId, productId, ranges: [] },
  })
  const tokens = [...contractOf[key.chain as 'POLYGON'].entries()]
    .filter(([, address]) => address === key.address)
    .map(([token]) => `${token}` as TokenId)
  memory.allowed.set(bindingId, new Set(tokens))
}

/** Ends the connection of a contract. */
export function disconnect(memory: Memory, contract: number): void {
  const { chain, address } = contractKeys[contract] as ContractKey
  memory.contracts.delete(`${productId} ${chain} ${address}`)
}

/** Puts an NFT on the allowlist, or takes it away. */
export function setAllowed(
  memory: Memory,
  chain: 'POLYGON' | 'BSC',
  token: number,
  isAllowed: boolean,
) {
  const address = contractOf[chain][token] as Address
  const bindingId = bindingOf(memory, { chain, address })
  const allowed = bindingId && memory.allowed.get(bindingId)
  if (isAllowed) allowed?.add(`${token}` as TokenId)
  else allowed?.delete(`${token}` as TokenId)
}

function allowlistLog(memory: Memory, now: () => number): AllowlistLog {
  const log: { at: number; nfts: Set<string>; chains: Set<string>; bindings: string }[] = []
  const during = (from: number, to: number) =>
    log.filter(
      ({ at }, index) => at <= to && (log[index + 1]?.at ?? Number.POSITIVE_INFINITY) >= from,
    )
  const note = () => {
    const connected = contractKeys.filter((key) => bindingOf(memory, key))
    const nfts = connected.flatMap((key) => {
      const allowed = memory.allowed.get(bindingOf(memory, key) as BindingId) ?? []
      return [...allowed].map((token) => nftAt(key.chain, Number(token)))
    })
    const chains = new Set(connected.map(({ chain }) => chain))
    const bindings = contractKeys.map((key) => bindingOf(memory, key)).join()
    log.push({ at: now(), nfts: new Set(nfts), chains, bindings })
  }
  note()
  return {
    note,
    alwaysAllowed: (nft, from, to) => during(from, to).every(({ nfts }) => nfts.has(nft)),
    everAllowed: (nft, from, to) => during(from, to).some(({ nfts }) => nfts.has(nft)),
    hasKeptConnections: (from, to) =>
      new Set(during(from, to).map(({ bindings }) => bindings)).size === 1,
    wasAlwaysConnected: (chain, from, to) =>
      during(from, to).every(({ chains }) => chains.has(chain)),
  }
}

/** Notes what the indexer has said. */
export function noteStated({ lastStated }: World, call: AskedCall): void {
  const key = sliceOf(call)
  if (call.statedAt !== undefined)
    lastStated.set(key, Math.max(lastStated.get(key) ?? 0, call.statedAt))
}
