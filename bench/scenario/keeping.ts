import { marshall } from '@aws-sdk/util-dynamodb'
import { awsClient } from '../../lib/adapters/aws/aws-client.ts'
import { contractItemOf } from '../../lib/adapters/dynamodb/keeping/kept-contract-item.ts'
import { dynamoKeptContracts } from '../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { readersKey } from '../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { dynamodb, type Table } from '../../lib/adapters/dynamodb/table.ts'
import {
  newKeptContract,
  type Snapshot,
  settledBlock,
} from '../../lib/domain/holdings/kept-contract.ts'
import type { KeptEvent } from '../../lib/domain/holdings/kept-event.ts'
import { type Address, toAddress } from '../../lib/domain/nft/address.ts'
import type { ContractKey } from '../../lib/domain/nft/nft.ts'
import type { FollowNotes } from '../../lib/domain/ports/follow-notes.ts'
import type { KeptContracts } from '../../lib/domain/ports/kept-contracts.ts'
import type { MemoryTable } from '../stubs/memory-table.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Operation } from './operations.ts'
import { chain, collection, itemKey, tokenIds } from './products.ts'

/** The same surroundings for functions of a deployment that keeps the contracts of the chain of the products. */
export const keeping = (surroundings: Surroundings): Surroundings => ({
  ...surroundings,
  variables: { ...surroundings.variables, FOLLOWED_CHAINS: chain },
})

/** The snapshot of every contract, and the block up to which everything is in its lists. */
const snapshot: Snapshot = {
  ...{ id: 'bench', standard: 'ERC721', step: 1, since: 1_000 },
  at: Date.now(),
}
const settledUpTo = 1_000

/** Keeps {@link collection}, the contract of all products. What its holders hold is kept with {@link keepWallet}. */
export const keepContract = (table: MemoryTable): void => putContract(table, [])

/** Keeps that a wallet holds the NFTs 1 to a number of {@link collection}, as the worker writes it. */
export async function keepWallet(
  { variables }: Surroundings,
  wallet: string,
  nfts: number,
): Promise<void> {
  const balances = new Map(tokenIds(nfts).map((tokenId) => [tokenId, 1n]))
  const list = { chain, address: collection, id: snapshot.id } as const
  const { change } = dynamoKeptContracts(tableIn(variables))
  await change(list, toAddress(wallet), undefined, { settledUpTo, balances })
}

/** Begins to keep a contract, as the worker does. */
export async function beginContract(
  { chain, address }: ContractKey,
  keptContracts: Pick<KeptContracts, 'write'>,
): Promise<void> {
  await keptContracts.write(chain, { ...newKeptContract(address), version: 1 })
}

/** Lets the follower take over a snapshot of what has settled of a contract, once it has read the chain for some time. */
export async function prepareSnapshot(
  contract: ContractKey,
  {
    keptContracts,
    followNotes,
  }: { keptContracts: KeptContracts; followNotes: Pick<FollowNotes, 'position'> },
): Promise<void> {
  const position = await followNotes.position(contract.chain)
  const item = await keptContracts.contract(contract)
  if (!position?.settling || !item) throw new Error('nothing has settled')
  const since = settledBlock(position.settling, item)
  const prepared = { ...snapshot, step: position.step, since }
  await keptContracts.write(contract.chain, { ...item, version: item.version + 1, prepared })
}

/** A read of a player's NFTs of kept contracts, while the follower of the chain is up to date. */
export const kept = ({ event, ...read }: Operation, { table }: Surroundings): Operation => ({
  ...read,
  event: () => {
    putPosition(table)
    return event()
  },
})

/** The same right after the wallet has received an NFT once more, in a block that has not settled. */
export function moved(read: Operation, surroundings: Surroundings, wallet: string): Operation {
  const { event } = kept(read, surroundings)
  let block = settledUpTo
  return {
    ...read,
    event: () => {
      block += 1
      putContract(surroundings.table, [received(toAddress(wallet), block)])
      return event()
    },
  }
}

const received = (wallet: Address, block: number): KeptEvent => ({
  ...{ block, hash: block.toString(16).padStart(12, '0'), index: 0 },
  ...{
    from: collection,
    to: wallet,
    moved: tokenIds(1).map((tokenId) => ({ tokenId, amount: 1n })),
  },
})

function putContract(table: MemoryTable, events: readonly KeptEvent[]): void {
  const places = { settledUpTo, eventsAfter: settledUpTo, readUpTo: Number.MAX_SAFE_INTEGER }
  const contract = { ...newKeptContract(collection), version: 1, snapshot, ...places, events }
  table.put(marshall(contractItemOf(chain, contract), { removeUndefinedValues: true }))
}

/** Notes that the follower has read the chain up to now, whenever that is: reading all pages can take longer than a position may be old. */
export function putPosition(table: MemoryTable): void {
  const now = () => ({ N: String(Date.now()) })
  table.put({
    ...itemKey(readersKey(chain)),
    step: { N: String(snapshot.step) },
    get confirmedUpTo() {
      return now()
    },
    get askedAt() {
      return now()
    },
  })
}

/** The table of functions with these variables, for the adapters of the service. */
export const tableIn = (variables: Record<string, string>): Table => ({
  client: awsClient(dynamodb, {
    endpoint: variables['AWS_ENDPOINT_URL'],
    region: variables['AWS_REGION'] ?? '',
    credentials: {
      accessKeyId: variables['AWS_ACCESS_KEY_ID'] ?? '',
      secretAccessKey: variables['AWS_SECRET_ACCESS_KEY'] ?? '',
    },
  }),
  name: variables['TABLE_NAME'] ?? '',
  requestsAtOnce: 40,
})
