import { itemSize } from 'dynalite/db/index.js'
import { dynamoKeptContracts } from '../../../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import {
  listDirectoryKey,
  listHeadKey,
} from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import type { Table } from '../../../../lib/adapters/dynamodb/table.ts'
import {
  largestTokenId,
  type TokenId,
  tokenIdOf,
} from '../../../../lib/domain/allowlist/token-id.ts'
import type {
  KeptList,
  ListChange,
  SnapshotKey,
  TokenIds,
} from '../../../../lib/domain/ports/kept-contracts.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import { Killed } from '../../../support/memory/interruptions.ts'
import { startStored, tappedTable } from '../stored-fixture.ts'

/** Of the longest chain, with an identifier of the length that attempts have. */
export const snapshot: SnapshotKey = {
  chain: 'OPTIMISM_SEPOLIA',
  address: addressOf(0xc1),
  id: '0mh2s1x5k8f00baa7',
}
export const alice = addressOf(0xa)
export const bob = addressOf(0xb)

/** A range of token identifiers. */
export const range = (from: bigint | number, to: bigint | number): TokenIds => ({
  fromTokenId: tokenIdOf(BigInt(from)),
  toTokenId: tokenIdOf(BigInt(to)),
})
export const all = range(0, largestTokenId)

/** Token identifiers, by default with a balance of 1 each. */
export const balances = (tokenIds: Iterable<bigint | number>, balance = 1n): Map<TokenId, bigint> =>
  new Map([...tokenIds].map((tokenId) => [tokenIdOf(BigInt(tokenId)), balance]))

/** As many token identifiers of the largest size, a part for each 126. */
export const longIds = (count: number): bigint[] =>
  Array.from({ length: count }, (_, index) => BigInt(index + 1) * (largestTokenId / 20_000n))

/** The list of a wallet in the embedded AWS of a test file, whose table is empty before each test. */
export async function startKeptLists() {
  const started = await startStored()
  const { items, sentBy, table } = started
  const kept = dynamoKeptContracts(table)

  const read = async (wallet = alice, wanted = [all]) =>
    (await kept.lists(snapshot, new Map([[wallet, wanted]]))).get(wallet)

  async function changeNow(change: ListChange) {
    if (!(await kept.change(snapshot, alice, await read(), change)))
      throw new Error('the list was not changed')
  }

  return {
    ...{ ...started, kept, read },
    change: (from: KeptList | undefined, change: ListChange, wallet = alice) =>
      kept.change(snapshot, wallet, from, change),
    changeNow,
    /** Changes balances of the list as it is, by default to 1 each. */
    settle: (settledUpTo: number, tokenIds: Iterable<bigint | number>, balance?: bigint) =>
      changeNow({ settledUpTo, balances: balances(tokenIds, balance) }),
    async directory() {
      const list = { snapshot, wallet: alice }
      const { directory: name } = (await items.get(listHeadKey(list))) ?? {}
      const key = listDirectoryKey(list, name as string)
      const item = await items.get(key)
      return { key, parts: item?.['parts'] as [number, string, string, number, number][] }
    },
    /** The keys and the bytes of the items that were written while a function ran. */
    async written(run: () => Promise<unknown>) {
      return (await sentBy(run)).flatMap(({ action, body }) => {
        if (action !== 'PutItem') return []
        const { pk, sk } = body.Item
        return [{ pk: pk.S as string, sk: sk.S as string, bytes: itemSize(body.Item) }]
      })
    },
  }
}

/** What is kept, for a process that calls `beforeWrite` before each of its writes, one at a time, with their numbers from 0. */
export function keptWith(table: Table, beforeWrite: (write: number) => Promise<void> | void) {
  let writes = 0
  const tapped = tappedTable(table, async ({ operation }) => {
    if (operation !== 'PutItem') return
    writes += 1
    await beforeWrite(writes - 1)
  })
  const kept = dynamoKeptContracts({ ...tapped, requestsAtOnce: 1 })
  return { kept, writes: () => writes }
}

/** What is kept, for a process that ends before a write. */
export const keptUntil = (table: Table, lastWrite: number) =>
  keptWith(table, (write) => {
    if (write >= lastWrite) throw new Killed('ended by the test')
  })

/** Whether a change was made; `undefined`: its process has ended. */
export async function unlessKilled(change: Promise<boolean>): Promise<boolean | undefined> {
  try {
    return await change
  } catch (error) {
    if (error instanceof Killed) return undefined
    throw error
  }
}

export const state = (list: KeptList | undefined) =>
  list && { settledUpTo: list.settledUpTo, tokens: list.tokens, isTooLong: list.isTooLong }
