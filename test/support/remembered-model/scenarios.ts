import type { Address } from '../../../lib/domain/nft/address.ts'
import { contractAt } from './followed-table.ts'
import type { Followers } from './followers.ts'
import type { HappeningOf } from './history.ts'
import { readPages } from './page-reader.ts'
import { read } from './readers.ts'
import { callerWishes } from './reads.ts'
import { reorganise } from './reorganise.ts'
import { longestArrivalMilliseconds, type SimulatedChain } from './simulated-chain.ts'
import type { IndexerMood } from './simulated-indexer.ts'
import { tamper } from './tampering.ts'
import { followedChain, playerWallets, type World, walletAddresses } from './world.ts'

// Some rules matter only if several things happen one after the other, which histories do rarely by chance.

const market = walletAddresses.at(-1) as Address

/** The chain that the deployment follows. */
export const chainOf = ({ chains }: World) => chains.get(followedChain) as SimulatedChain

/** The tokens of a player's first wallet, in their order. */
export function tokensOf(world: World, player: number): number[] {
  const [wallet] = playerWallets[player] as readonly [Address]
  const { owners } = chainOf(world).tipAt(world.time.now()).state
  return [...owners.keys()].filter((token) => owners[token] === wallet)
}

/** Moves tokens to a wallet, by default to one that is no player's. */
export const sellTo = (world: World, tokens: readonly number[], to = market) => {
  for (const token of tokens) chainOf(world).submit({ kind: 'move', token, to })
}

/** An NFT moves, a player reads, and the block of the movement vanishes. */
export async function orphan(
  world: World,
  { token, to, player, milliseconds, behind, loses = true }: HappeningOf<'orphan'>,
): Promise<void> {
  const { time, history, nodes } = world
  const start = time.now()
  const [held = token] = tokensOf(world, player)
  sellTo(world, [time.isOneOf(2) ? held : token], walletAddresses[to])
  await time.sleep(history.blockMilliseconds + longestArrivalMilliseconds)
  const reading = read(world, player, 0)
  // An error is found after the reorganisation.
  reading.catch(() => undefined)
  await time.sleep(time.between(0, time.pick([6_000, 25_000])))
  if (behind) nodes.behind = behind
  const elapsed = time.now() - start + history.blockMilliseconds
  reorganise(world, { milliseconds: Math.max(milliseconds, elapsed), loses })
  await reading
  await time.sleep(time.between(5_000, 25_000))
  nodes.behind = 0
  // The data of the indexer can still be those of the branch that has vanished.
  await readLate(world, player, { statedAge: 0 })
  await time.sleep(40_000)
  await read(world, player, 0)
}

/** The place of a wish that refuses what is kept. */
export const noCache = callerWishes.findIndex((wish) => wish.noCache)

/** A player reads from an indexer that is as late as it can be, by default past what is remembered. */
export async function readLate(
  world: World,
  player: number,
  stated: Partial<Pick<IndexerMood, 'statedAge' | 'statedFrom'>>,
  cacheControl = noCache,
): Promise<void> {
  const { indexer } = world
  const mood = { ...indexer, statedFrom: undefined }
  Object.assign(indexer, { isDown: false, isRefused: false, lag: 'full', ...stated })
  await read(world, player, cacheControl)
  Object.assign(indexer, mood)
}

/** The first NFTs of a player are sold, and the rest is read in parts, past what is remembered. */
export async function sell(world: World, { player }: HappeningOf<'sell'>): Promise<void> {
  const { time, history } = world
  await read(world, player, 0)
  sellTo(world, tokensOf(world, player).slice(0, 2))
  await time.sleep(history.blockMilliseconds + time.between(0, 3_000))
  await readPages(world, { player, cacheControl: noCache, limit: 1, pause: 2_000 })
}

/** Longer than a follower looks back when it begins anew. */
const forgottenMilliseconds = 100_000

/** An NFT moves while what was noted before is lost, at least in part, and nobody follows its contract. */
export async function forget(
  world: World,
  { what, token, to, player }: HappeningOf<'forget'>,
  followers: Followers,
): Promise<void> {
  const { time } = world
  await read(world, player, 0)
  chainOf(world).submit({ kind: 'move', token, to: walletAddresses[to] as Address })
  tamper(world, what)
  if (what === 'position') await followers.pause(forgottenMilliseconds)
  else await time.sleep(forgottenMilliseconds)
  // The read of another player asks for the contracts to be followed, and keeps nothing of this player.
  await read(world, (player + 1) % playerWallets.length, 0)
  await time.sleep(time.between(5_000, 70_000))
  await read(world, player, 0)
}

/** Pages of one reading state different blocks, and an NFT has moved between these. */
export async function stagger(world: World, { player }: HappeningOf<'stagger'>): Promise<void> {
  const { time } = world
  await read(world, player, 0)
  const tokens = tokensOf(world, player)
  const sold = time.isOneOf(2) ? tokens.at(-1) : tokens[0]
  sellTo(world, sold === undefined ? [] : [sold])
  await time.sleep(time.between(45_000, 75_000))
  await readLate(world, player, { statedAge: time.pick([45_000, 45_000, undefined]) })
  await time.sleep(time.between(5_000, 8_000))
  await read(world, player, 0)
}

/** Makes the contract of a token too busy to be followed, where few events are permitted, and returns it. */
function announceOften(world: World, token: number): Address {
  const contract = chainOf(world).contractOf[token] as Address
  const count = world.history.logsPerMinute < 5 ? 5 : 0
  for (let each = 0; each < count; each += 1) chainOf(world).submit({ kind: 'metadata', contract })
  return contract
}

/** NFTs move while nobody follows the chain, and the next follower dies in its first step. */
export async function burst(
  world: World,
  { player, call }: HappeningOf<'burst'>,
  followers: Followers,
): Promise<void> {
  const { time, table } = world
  await read(world, player, 0)
  await time.sleep(6_000)
  await read(world, player, 0)
  void followers.pause(120_000)
  const tokens = tokensOf(world, player)
  sellTo(world, tokens)
  if (tokens[0] !== undefined) announceOften(world, tokens[0])
  await time.sleep(time.between(46_000, 52_000))
  // The other read renews the leases without an interruption, if they are of this age.
  const leasedUntil = time.now() + 20 * 3_600_000
  for (const [key, item] of table.contracts) table.contracts.set(key, { ...item, leasedUntil })
  followers.killAt = call
  followers.start()
  await time.sleep(time.between(0, 500))
  await read(world, (player + 1) % playerWallets.length, 0)
  await time.sleep(3_000)
  await read(world, player, 0)
  followers.killAt = undefined
}

/** A contract is read that nobody has followed, and the follower dies when it begins with it. */
export async function lateLease(
  world: World,
  { player, call }: HappeningOf<'lateLease'>,
  followers: Followers,
): Promise<void> {
  const { time, indexer, table } = world
  const mood = { ...indexer }
  Object.assign(indexer, { isDown: false, isRefused: false, statedAge: 45_000, lag: 'full' })
  table.contracts.clear()
  sellTo(world, tokensOf(world, player))
  await time.sleep(time.between(39_000, 50_000))
  followers.killAt = call
  await read(world, player, 0)
  await time.sleep(time.between(6_000, 9_000))
  followers.killAt = undefined
  await read(world, player, 0)
  Object.assign(indexer, mood)
}

/** The time for which a contract is suspended, and some more. */
const suspendedMilliseconds = 3_660_000

/** A player's NFTs move while their contract has too many events to be followed. */
export async function suspend(
  world: World,
  { player }: HappeningOf<'suspend'>,
  followers: Followers,
): Promise<void> {
  const { time } = world
  await read(world, player, 0)
  await time.sleep(6_000)
  await read(world, player, 0)
  const [token] = tokensOf(world, player)
  if (token === undefined) return
  const contract = announceOften(world, token)
  await time.sleep(20_000)
  sellTo(world, [token])
  // Longer than the overlap.
  await time.sleep(90_000)
  if (!world.table.contracts.get(contractAt(followedChain, contract))?.suspendedUntil) return
  await followers.pause(suspendedMilliseconds)
  await time.sleep(70_000)
  await read(world, player, 0)
}
