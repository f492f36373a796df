import { setTimeout as wait } from 'node:timers/promises'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import { dynamoKeptContracts } from '../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { dynamoSettledDigests } from '../../lib/adapters/dynamodb/keeping/settled-digests.ts'
import { followChain } from '../../lib/domain/following/follow-chain.ts'
import type { FollowSettings } from '../../lib/domain/following/take-step.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import { countsOf, inContainer } from '../scenario/containers.ts'
import {
  beginContract,
  keepContracts,
  keeping,
  keepWallet,
  kept,
  prepareSnapshot,
  putList,
  tableIn,
} from '../scenario/keeping.ts'
import { type Operation, playerNfts } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import { chain, connectContracts, seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import type { Capacity } from '../stubs/capacity.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { dayChain } from './day-chain.ts'
import { dayIndexer } from './day-world.ts'
import { randomNumbers, transfersOf } from './transfers.ts'

/** The time for which a container uses what it has read of kept contracts, and a little more, in milliseconds. */
const usedMilliseconds = 1_100

/**
 * Counts the units that keeping adds to a read by a player with a wallet of 10, of a product with three contracts on one chain, in a
 * container that has read nothing for a second.
 */
export async function unitsOfReads(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<Capacity> {
  const wallet = newWallet(surroundings, 10)
  const product = seedProduct(surroundings.table, 100)
  connectContracts(surroundings.table, product, 2)
  keepContracts(surroundings.table, product)
  await keepWallet(surroundings, wallet, 10)
  const player = await signIn(subjects, surroundings, [wallet])
  const asked = playerNfts(product, player)
  const around = keeping(surroundings)
  const warmUnits = (operation: Operation, in_: Surroundings) =>
    inContainer(operation.functionName, subjects, in_, async (container) => {
      // The first read keeps the metadata.
      await countsOf(operation, container, in_)
      await wait(usedMilliseconds)
      const { capacity } = await countsOf(operation, container, in_)
      return capacity
    })
  const before = await warmUnits(asked, surroundings)
  const after = await warmUnits(kept(asked, around), around)
  return {
    readUnits: after.readUnits - before.readUnits,
    writeUnits: after.writeUnits - before.writeUnits,
  }
}

/** The minutes before the snapshots are handed over, and those that are counted. */
const [minutesBefore, minutes] = [3, 30]

/** Counts the units of a follower in a minute, at the rate of two movements of each wallet a day. */
export async function unitsOfFollower(
  { counter, variables }: Surroundings,
  settings: FollowSettings,
  walletCount: number,
): Promise<Capacity> {
  const start = Date.now()
  let now = start
  const begin = start + minutesBefore * 60_000
  const end = begin + minutes * 60_000
  const transfers = transfersOf(begin, walletCount, 2, randomNumbers(14))
  const world = dayChain(walletCount, transfers, () => now)
  const table = tableIn(variables)
  const keptContracts = dynamoKeptContracts(table)
  const followNotes = dynamoFollowNotes(table)
  for (const address of world.contracts) await beginContract({ chain, address }, keptContracts)
  const touched = transfers.filter(({ at }) => at < end).flatMap(({ from, to }) => [from, to])
  for (const index of new Set(touched)) {
    const wallet = world.wallets[index] as Address
    const its = Map.groupBy(world.holdingsOf(wallet).tokens, ([, address]) => address)
    for (const [address, tokens] of its) {
      const tokenIds = tokens.map(([tokenId]) => tokenId)
      await putList({ chain, address }, wallet, tokenIds, keptContracts)
    }
  }
  const ports = {
    ...{ followNotes, chainEvents: dayIndexer(world).chainEvents, now: () => now },
    keeping: { keptContracts, settledDigests: dynamoSettledDigests(table) },
    async sleep(milliseconds: number) {
      now += milliseconds
    },
  }
  const follow = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      const follower = { chain, holder: `minute of ${now}` } as const
      const { failures, reason } = await followChain(follower, ports, settings, now + 60_000)
      if (failures > 0) throw new Error(`following failed: ${reason}`)
    }
  }
  await follow(minutesBefore)
  for (const address of world.contracts) {
    await prepareSnapshot({ chain, address }, { keptContracts, followNotes })
  }
  counter.take()
  await follow(minutes)
  const { readUnits, writeUnits } = counter.take().capacity
  return { readUnits: readUnits / minutes, writeUnits: writeUnits / minutes }
}
