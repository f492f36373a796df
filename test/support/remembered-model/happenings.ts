import type { Address } from '../../../lib/domain/address.ts'
import type { Chain } from '../../../lib/domain/chain.ts'
import type { ContractKey } from '../../../lib/domain/nft.ts'
import { readBalance } from './balance-reader.ts'
import { contractAt } from './followed-table.ts'
import type { Followers } from './followers.ts'
import type { Happening, Tampering } from './history.ts'
import { readPages } from './page-reader.ts'
import { read } from './readers.ts'
import { callerWishes } from './reads.ts'
import {
  blockOf,
  lastBlocks,
  longestArrivalMilliseconds,
  type SimulatedChain,
} from './simulated-chain.ts'
import {
  connectAnew,
  contractKeys,
  followedChain,
  playerWallets,
  setAllowed,
  type World,
  walletAddresses,
} from './world.ts'

type Kind = Happening['kind']
type Of<Name extends Kind> = Extract<Happening, { kind: Name }>

const happenings: {
  [Name in Kind]: (world: World, event: Of<Name>, followers: Followers) => unknown
} = {
  move: ({ chains }, { chain, token, to }) =>
    chains.get(chain)?.submit({ kind: 'move', token, to: walletAddresses[to] as Address }),
  announce({ chains }, { contract }) {
    const { chain, address } = contractKeys[contract] as ContractKey
    chains.get(chain)?.submit({ kind: 'metadata', contract: address })
  },
  reorganise,
  orphan,
  forget,
  sell,
  read: (world, { player, cacheControl }) => read(world, player, cacheControl),
  readPages,
  readBalance,
  allow: (world, event) => changeAllowlist(world, event),
  disallow: (world, event) => changeAllowlist(world, event),
  reconnect({ memory, allowlist }, { contract }) {
    connectAnew(memory, contract)
    allowlist.note()
  },
  refresh,
  indexer: ({ indexer }, { kind: _, ...mood }) => Object.assign(indexer, mood),
  nodes: ({ nodes }, { kind: _, ...mood }) => Object.assign(nodes, mood),
  kill: (_, { moment }, followers) => followers.kill(moment),
  stall: (_, { milliseconds }, followers) => followers.stall(milliseconds),
  double: (_, __, followers) => followers.start(),
  gap: ({ time }, { milliseconds }, followers) => pause(time, followers, milliseconds),
  tamper: (world, { what }) => tamper(world, what),
}

/** Lets an event of a history happen. Resolves when it has ended. */
export async function happen(world: World, event: Happening, followers: Followers): Promise<void> {
  const handler = happenings[event.kind] as (...args: unknown[]) => unknown
  await handler(world, event, followers)
}

function changeAllowlist(
  { memory, allowlist }: World,
  { kind, chain, token }: Of<'allow' | 'disallow'>,
): void {
  setAllowed(memory, chain, token, kind === 'allow')
  allowlist.note()
}

/** An NFT moves, a player reads, and the block of the movement vanishes. */
async function orphan(
  world: World,
  { token, to, player, milliseconds }: Of<'orphan'>,
): Promise<void> {
  const { time, history, chains } = world
  chains.get(followedChain)?.submit({ kind: 'move', token, to: walletAddresses[to] as Address })
  await time.sleep(history.blockMilliseconds + longestArrivalMilliseconds)
  const reading = read(world, player, 0)
  // An error is found after the reorganisation.
  reading.catch(() => undefined)
  await time.sleep(time.between(0, 6_000))
  reorganise(world, { milliseconds, loses: true })
  await reading
}

/** The first NFTs of a player are sold, and the rest is read in parts, past what is remembered. */
async function sell(world: World, { player }: Of<'sell'>): Promise<void> {
  const { time, history, chains } = world
  const [wallet] = playerWallets[player] as readonly [Address]
  const market = walletAddresses.at(-1) as Address
  await read(world, player, 0)
  const chain = chains.get(followedChain) as SimulatedChain
  const { owners } = chain.tipAt(time.now()).state
  const held = [...owners.keys()].filter((token) => owners[token] === wallet)
  for (const token of held.slice(0, 2)) chain.submit({ kind: 'move', token, to: market })
  await time.sleep(history.blockMilliseconds + time.between(0, 3_000))
  const cacheControl = callerWishes.findIndex(({ noCache }) => noCache)
  await readPages(world, { player, cacheControl, limit: 1, pause: 2_000 })
}

/** Ends all followers, and starts none for some time. */
async function pause(
  time: World['time'],
  followers: Followers,
  milliseconds: number,
): Promise<void> {
  followers.kill(0)
  followers.pausedUntil = Math.max(followers.pausedUntil, time.now() + milliseconds)
  await time.sleep(milliseconds)
}

/** Longer than a follower looks back when it begins anew. */
const forgottenMilliseconds = 100_000

/** An NFT moves while what was noted before is lost, at least in part, and nobody follows its contract. */
async function forget(
  world: World,
  { what, token, to, player }: Of<'forget'>,
  followers: Followers,
): Promise<void> {
  const { time, chains } = world
  await read(world, player, 0)
  chains.get(followedChain)?.submit({ kind: 'move', token, to: walletAddresses[to] as Address })
  tamper(world, what)
  if (what === 'position') await pause(time, followers, forgottenMilliseconds)
  else await time.sleep(forgottenMilliseconds)
  // The read of another player asks for the contracts to be followed, and keeps nothing of this player.
  await read(world, (player + 1) % playerWallets.length, 0)
  await time.sleep(time.between(5_000, 70_000))
  await read(world, player, 0)
}

function reorganise(
  world: World,
  { milliseconds, loses }: Pick<Of<'reorganise'>, 'milliseconds' | 'loses'>,
): void {
  const depth = Math.max(1, Math.floor(milliseconds / world.history.blockMilliseconds))
  for (const [chain, simulated] of world.chains) {
    // Without a poll in between, nobody can know that the indexer has seen a branch that vanished.
    const isSeen = chain !== followedChain || hasFollowed(world, chain, simulated, depth)
    simulated.reorganise(depth, loses && isSeen)
  }
}

/** Whether the follower has read one of the latest blocks. */
function hasFollowed(
  { time, table }: World,
  chain: Chain,
  { tipAt }: SimulatedChain,
  depth: number,
): boolean {
  const tip = tipAt(time.now())
  const head = table.positions.get(chain)?.head
  const [first] = lastBlocks(tip, depth)
  if (!head || !first || head.number < first.number) return false
  return blockOf(tip, head.number)?.hash === head.hash
}

/** A refresh (4.7): the indexer fetches the metadata of a contract anew while it is at work. */
async function refresh(world: World, { contract, milliseconds }: Of<'refresh'>): Promise<void> {
  const { time, table, fetches, refreshed } = world
  const { chain, address } = contractKeys[contract] as ContractKey
  const key = contractAt(chain, address)
  if (table.refreshed.get(key)?.isAtWork) return
  table.refreshed.set(key, { at: time.now(), isAtWork: true })
  const fetchMilliseconds = time.between(0, milliseconds)
  await time.sleep(fetchMilliseconds)
  const count = (fetches.get(key) ?? 0) + 1
  fetches.set(key, count)
  await time.sleep(milliseconds - fetchMilliseconds)
  table.refreshed.set(key, { at: time.now(), isAtWork: false })
  refreshed.set(key, count)
}

const tamperings: Record<Tampering, (world: World) => void> = {
  position: ({ table }) => table.positions.clear(),
  readings({ table, time }) {
    for (const scope of half(time, table.readings.keys())) table.readings.delete(scope)
  },
  expiry({ table, time }) {
    const kept = [...table.readings.values()].flat()
    for (const item of half(time, kept)) item.expiresAt = time.now()
  },
  contract({ table, time }) {
    for (const key of half(time, table.contracts.keys())) table.contracts.delete(key)
  },
  lease({ table, time }) {
    for (const [key, item] of half(time, table.contracts)) {
      const leasedUntil = time.now() + time.between(0, 3_600_000)
      table.contracts.set(key, { ...item, leasedUntil })
    }
  },
}

const half = <Item>(time: World['time'], items: Iterable<Item>): Item[] =>
  [...items].filter(() => time.isOneOf(2))

/** Deletes half of some items, or lets them end. */
function tamper(world: World, what: Tampering): void {
  world.tamperings += 1
  tamperings[what](world)
}
