import { setTimeout as sleep } from 'node:timers/promises'
import { keepContracts, keeping, keepWallet, kept, moved } from '../scenario/keeping.ts'
import { type Operation, operationsOf, playerNfts, type Scene } from '../scenario/operations.ts'
import { type SignedInPlayer, signIn } from '../scenario/players.ts'
import { connectContracts, seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import type { CallCounts } from '../stubs/call-counter.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { countsOf, inContainer } from './containers.ts'

const allowlistSizes = [100, 10_000, 1_000_000] as const
export const walletSizes = [10, 1_000, 10_000] as const

/** The maximum number of allowlisted NFTs in a wallet, for every size of allowlist. */
const allowedPerWallet = 100

/** A delay, in milliseconds, after which concurrent requests are all in progress together. */
const roundMilliseconds = 60

/** The requests of an operation to other services, for the first call in a container and the next one. */
interface OperationCounts {
  title: string
  cold: CallCounts
  warm: CallCounts
}

/** The requests of all operations, for one size of allowlist. */
export interface SizeCounts {
  allowlistSize: number
  operations: Record<string, OperationCounts>
  /** A player's NFTs, wallet of 10, read warm but with an API key that is not cached. */
  withNewApiKey: CallCounts
  /** The same in a deployment with limits of indexer calls. */
  withLimits: CallCounts
  /**
   * The NFTs of a player with two wallets of 10 of one contract, read warm for a product that has 45 more
   * contracts on that chain and one on another chain.
   */
  withManyContracts: CallCounts
}

/** Counts the requests of our operations, for each size of allowlist and wallet. */
export async function countCalls(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<SizeCounts[]> {
  const players = new Map<number, SignedInPlayer>()
  const holder = await newHolder(subjects, surroundings)
  for (const size of walletSizes) {
    const wallet = newWallet(surroundings, size, allowedPerWallet)
    players.set(size, await signIn(subjects, surroundings, [wallet]))
  }
  const counts: SizeCounts[] = []
  for (const allowlistSize of allowlistSizes) {
    const product = seedProduct(surroundings.table, allowlistSize)
    const scene = { product, players }
    counts.push({
      allowlistSize,
      operations: {
        ...(await countOperations(subjects, surroundings, scene)),
        ...(await countKept(subjects, surroundings, scene, holder)),
      },
      withNewApiKey: await countWithNewApiKey(subjects, surroundings, scene),
      withLimits: await countWithNewApiKey(subjects, limited(surroundings), scene),
      withManyContracts: await countWithManyContracts(subjects, surroundings, allowlistSize),
    })
  }
  return counts
}

async function countOperations(subjects: Subjects, surroundings: Surroundings, scene: Scene) {
  const operations: Record<string, Operation> = {
    ...Object.fromEntries(walletSizes.map((size) => [`wallet${size}`, playerNfts(scene, size)])),
    ...operationsOf(scene),
  }
  const counts: Record<string, OperationCounts> = {}
  for (const [id, operation] of Object.entries(operations)) {
    const { title, functionName, restore } = operation
    counts[id] = await inContainer(functionName, subjects, surroundings, async (container) => {
      const cold = await countsOf(operation, container, surroundings)
      restore?.()
      const warm = await countsOf(operation, container, surroundings)
      restore?.()
      return { title, cold, warm }
    })
  }
  return counts
}

/** A player whose wallet of 10 is kept. */
interface Holder {
  wallet: string
  players: ReadonlyMap<number, SignedInPlayer>
}

async function newHolder(subjects: Subjects, surroundings: Surroundings): Promise<Holder> {
  const wallet = newWallet(surroundings, 10, allowedPerWallet)
  await keepWallet(surroundings, wallet, 10)
  const player = await signIn(subjects, surroundings, [wallet])
  return { wallet, players: new Map([[10, player]]) }
}

/** The time for which a container uses what it has read of kept contracts, and a little more, in milliseconds. */
const usedMilliseconds = 1_100

/** Counts the requests of a deployment that keeps the contracts of the chain: of one contract, right after a transfer, and of 45. */
async function countKept(
  subjects: Subjects,
  surroundings: Surroundings,
  { product }: Scene,
  { wallet, players }: Holder,
): Promise<Record<string, OperationCounts>> {
  const { table } = surroundings
  const around = keeping(surroundings)
  const many = seedProduct(table, 100)
  connectContracts(table, many, { chain: 'POLYGON', count: 44 })
  for (const each of [product, many]) keepContracts(table, each)
  const read = playerNfts({ product, players }, 10)
  const ofMany = kept(playerNfts({ product: many, players }, 10), around)
  const operations = {
    kept: kept(read, around),
    moved: moved(read, around, wallet),
    keptOfMany: { ...ofMany, title: `${ofMany.title}, 45 contracts` },
  }
  const counts: Record<string, OperationCounts> = {}
  for (const [id, operation] of Object.entries(operations)) {
    const { title, functionName } = operation
    // The first read of all asks for the metadata, and keeps it.
    await inContainer(functionName, subjects, around, (container) =>
      countsOf(operation, container, around),
    )
    counts[id] = await inContainer(functionName, subjects, around, async (container) => {
      const cold = await countsOf(operation, container, around)
      await sleep(usedMilliseconds)
      around.delays.DynamoDB = roundMilliseconds
      const warm = await countsOf(operation, container, around)
      around.delays.DynamoDB = 0
      return { title, cold, warm }
    })
  }
  return counts
}

/** The same surroundings for functions of a deployment with limits of indexer calls, which no measurement reaches. */
const limited = (surroundings: Surroundings): Surroundings => ({
  ...surroundings,
  variables: {
    ...surroundings.variables,
    INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '1000000',
    INDEXER_CALLS_PER_PRODUCT_AND_DAY: '1000000',
  },
})

function countWithNewApiKey(subjects: Subjects, surroundings: Surroundings, scene: Scene) {
  const { delays, table } = surroundings
  const other = { ...scene, product: seedProduct(table, 10) }
  const operation = playerNfts(scene, 10)
  return inContainer(operation.functionName, subjects, surroundings, async (container) => {
    await countsOf(playerNfts(other, 10), container, surroundings)
    delays.DynamoDB = roundMilliseconds
    const counts = await countsOf(operation, container, surroundings)
    delays.DynamoDB = 0
    return counts
  })
}

async function countWithManyContracts(
  subjects: Subjects,
  surroundings: Surroundings,
  allowlistSize: number,
): Promise<CallCounts> {
  const product = seedProduct(surroundings.table, allowlistSize)
  connectContracts(surroundings.table, product, { chain: 'POLYGON', count: 45 })
  connectContracts(surroundings.table, product, { chain: 'BSC', count: 1 })
  const wallets = [newWallet(surroundings, 10), newWallet(surroundings, 10)]
  const player = await signIn(subjects, surroundings, wallets)
  const operation = playerNfts({ product, players: new Map([[10, player]]) }, 10)
  return inContainer(operation.functionName, subjects, surroundings, async (container) => {
    await countsOf(operation, container, surroundings)
    return await countsOf(operation, container, surroundings)
  })
}
