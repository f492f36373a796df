import { awsClient } from '../../lib/adapters/aws/aws-client.ts'
import { dynamoFollowNotes } from '../../lib/adapters/dynamodb/follow-notes.ts'
import { dynamodb } from '../../lib/adapters/dynamodb/table.ts'
import { followChain } from '../../lib/domain/following/follow-chain.ts'
import type { FollowSettings } from '../../lib/domain/following/take-step.ts'
import { countsOf, inContainer } from '../counts/containers.ts'
import { followed, kept, noteFollowing, remembered } from '../scenario/following.ts'
import { type Operation, playerNfts, type Scene } from '../scenario/operations.ts'
import { signIn } from '../scenario/players.ts'
import { chain, connectContracts, seedProduct } from '../scenario/products.ts'
import { newWallet } from '../scenario/wallets.ts'
import type { Capacity } from '../stubs/capacity.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { dayWorld } from './day-world.ts'
import { randomNumbers, transfersOf } from './transfers.ts'

/** The request units of DynamoDB that remembering adds. */
export interface AddedUnits {
  /** For a read that is remembered, and for one that asks the indexer, beside those of the read itself. */
  remembered: Capacity
  kept: Capacity
}

/** Counts the units of reads by a player with a wallet of 10, of a product with three contracts on one chain. */
export async function unitsOfReads(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<AddedUnits> {
  const { table } = surroundings
  const [wallet, moving] = [newWallet(surroundings, 10), newWallet(surroundings, 10)]
  const product = seedProduct(table, 100)
  connectContracts(table, product, { chain, count: 2 })
  const read = async (held: string): Promise<Operation> => {
    const player = await signIn(subjects, surroundings, [held])
    const scene: Scene = { product, players: new Map([[10, player]]) }
    return playerNfts(scene, 10)
  }
  const asked = await read(wallet)
  const around = followed(surroundings)
  const warmUnits = (operation: Operation, in_: Surroundings) =>
    inContainer(operation.functionName, subjects, in_, async (container) => {
      // The second read finds the answer that the first one keeps, and the contracts that it leases.
      await countsOf(operation, container, in_)
      const { capacity } = await countsOf(operation, container, in_)
      return capacity
    })
  const off = await warmUnits(asked, surroundings)
  return {
    remembered: difference(await warmUnits(remembered(asked, around, product), around), off),
    kept: difference(
      await warmUnits(kept(await read(moving), around, product, moving), around),
      off,
    ),
  }
}

const difference = (a: Capacity, b: Capacity): Capacity => ({
  readUnits: a.readUnits - b.readUnits,
  writeUnits: a.writeUnits - b.writeUnits,
})

const minutes = 30

/** Counts the units of a follower in a minute, at the rate of two movements of each wallet a day. */
export async function unitsOfFollower(
  { counter, table, variables }: Surroundings,
  settings: FollowSettings,
  walletCount: number,
): Promise<Capacity> {
  const start = Date.now()
  let now = start
  const transfers = transfersOf(start, walletCount, 2, randomNumbers(14))
  const { chainEvents, contracts } = dayWorld(walletCount, transfers, () => now)
  noteFollowing(table, contracts)
  const followNotes = dynamoFollowNotes({
    client: clientIn(variables),
    name: variables['TABLE_NAME'] ?? '',
    requestsAtOnce: 40,
  })
  const sleep = async (milliseconds: number) => {
    now += milliseconds
  }
  const ports = { chainEvents, followNotes, now: () => now, sleep }
  counter.take()
  for (let minute = 0; minute < minutes; minute += 1) {
    const follower = { chain, holder: `minute ${minute}` } as const
    const until = start + (minute + 1) * 60_000
    const { failures, reason } = await followChain(follower, ports, settings, until)
    if (failures > 0) throw new Error(`following failed: ${reason}`)
  }
  const { readUnits, writeUnits } = counter.take().capacity
  return { readUnits: readUnits / minutes, writeUnits: writeUnits / minutes }
}

const clientIn = ({ AWS_ENDPOINT_URL, AWS_REGION = '', ...variables }: Record<string, string>) =>
  awsClient(dynamodb, {
    endpoint: AWS_ENDPOINT_URL,
    region: AWS_REGION,
    credentials: {
      accessKeyId: variables['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: variables['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  })
