import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { dynamoKeptContracts } from '../../../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { dynamoKeptHoldings } from '../../../../lib/adapters/dynamodb/keeping/kept-holdings.ts'
import { dynamoSnapshotAttempts } from '../../../../lib/adapters/dynamodb/keeping/snapshot-attempts.ts'
import { dynamoSnapshotLists } from '../../../../lib/adapters/dynamodb/keeping/snapshot-lists.ts'
import { readersKey } from '../../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { tokenIdOf } from '../../../../lib/domain/allowlist/token-id.ts'
import { newKeptContract } from '../../../../lib/domain/holdings/kept-contract.ts'
import type { KeptEvent } from '../../../../lib/domain/holdings/kept-event.ts'
import type { KeptList, WalletLists } from '../../../../lib/domain/ports/kept-contracts.ts'
import { memoryKeptHoldings } from '../../../../simulation/kept-table.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import { tablePorts } from '../../../../simulation/table-ports.ts'
import { checkAsync } from '../../../support/vitest/seeded.ts'
import {
  alice,
  all,
  balances,
  bob,
  longIds,
  snapshot,
  startKeptLists,
} from './kept-list-fixture.ts'

const { table, items } = await startKeptLists()
const { chain, address } = snapshot

/** The ports in one of their implementations, with lists that a process has read before. */
type Kept = ReturnType<typeof inTable>

function inMemory(): Kept {
  const { followed, kept, keptContracts, attempts, snapshotLists } = tablePorts(Date.now)
  return {
    ...{ contracts: keptContracts, attempts, snapshotLists },
    holdings: memoryKeptHoldings({ followed, kept }, Date.now, async () => undefined),
    lists: new Map(),
    async putPosition(position, isStale) {
      if (isStale) followed.readers.delete(chain)
      else followed.readers.set(chain, position)
    },
  }
}

const inTable = () => ({
  contracts: dynamoKeptContracts(table),
  attempts: dynamoSnapshotAttempts(table),
  snapshotLists: dynamoSnapshotLists(table),
  holdings: dynamoKeptHoldings(table),
  lists: new Map<string, KeptList | undefined>(),
  /** `isStale`: a release that keeps nothing has moved the position since. */
  putPosition: (position: { step: number; confirmedUpTo: number }, isStale: boolean) =>
    items.put(readersKey(chain), isStale ? {} : position),
})

const addresses = [address, addressOf(0xc2)]
const wallets = [alice, bob]

const balancesOf = (its: readonly (readonly [bigint | number, bigint])[]) =>
  new Map(its.flatMap(([id, balance]) => [...balances([id], balance)]))

const held = fc.oneof(
  fc.array(fc.tuple(fc.nat(9), fc.bigInt({ min: 1n, max: 3n })), { maxLength: 5 }).map(balancesOf),
  // Of several parts.
  fc.nat(300).map((count) => balances(longIds(count))),
)

const call = fc.record({
  kind: fc.constantFrom(
    ...(['write', 'lists', 'change', 'change', 'log', 'attempt', 'end'] as const),
    ...(['addToList', 'addToList', 'follow', 'read', 'read', 'read', 'read'] as const),
    ...(['begin', 'note', 'mark', 'delete'] as const),
  ),
  address: fc.constantFrom(...addresses),
  id: fc.constantFrom('a', 'b'),
  wallet: fc.constantFrom(...wallets),
  /** How far a version is from the next one. */
  off: fc.constantFrom(-1, 0, 0, 0, 1),
  held,
  /** Which of two pages are added, of which a list can have one. */
  page: fc.constantFrom(undefined, undefined, undefined, undefined, 0, 1),
  gone: fc.array(fc.nat(9), { maxLength: 2 }),
  isStale: fc.boolean(),
  isTooLong: fc.constantFrom(undefined, undefined, undefined, undefined, true),
  isAnew: fc.boolean(),
  since: fc.constantFrom(-600, 0),
  milliseconds: fc.constantFrom(0, 1, 400, 600, 1_000),
})

const pages = [0, 1].map((page) =>
  balances(Array.from({ length: 6_000 }, (_, index) => page * 6_000 + index)),
)

type Call = (typeof call extends fc.Arbitrary<infer Value> ? Value : never) & { number: number }

const event = (block: number): KeptEvent => ({
  ...{ block, hash: '5c5c5c5c5c5c', index: 0, from: null, to: alice },
  moved: [{ tokenId: tokenIdOf(7n), amount: 1n }],
})

/** What a list says, as far as both implementations must say the same. */
const said = ({ settledUpTo, tokens, isTooLong }: KeptList) =>
  isTooLong ? { settledUpTo, isTooLong } : { settledUpTo, tokens }

const allSaid = (lists: WalletLists) => new Map([...lists].map(([key, list]) => [key, said(list)]))

const placeOf = (each: Call): string => `${each.address} ${each.id} ${each.wallet}`

const make: Record<Call['kind'], (kept: Kept, call: Call) => Promise<unknown>> = {
  async write({ contracts }, { address: contractAddress, off, number }) {
    const found = await contracts.contracts(chain)
    const before =
      found.find((each) => each.address === contractAddress) ?? newKeptContract(contractAddress)
    const changed = { version: before.version + 1 + off, readUpTo: number, events: [event(number)] }
    const isWritten = await contracts.write(chain, { ...before, ...changed })
    const inOrder = found.toSorted((a, b) => (a.address < b.address ? -1 : 1))
    return [isWritten, inOrder]
  },

  async lists({ contracts, lists }, each) {
    const wanted = new Map(wallets.map((wallet) => [wallet, [all]]))
    const found = await contracts.lists({ chain, address: each.address, id: each.id }, wanted)
    lists.set(placeOf(each), found.get(each.wallet))
    return new Map([...found].map(([wallet, list]) => [wallet, said(list)]))
  },

  // From a list as it is, or as it was read before. Each change has another block, so that it is no repetition.
  async change({ contracts, lists }, each) {
    const key = { chain, address: each.address, id: each.id }
    const fresh = (await contracts.lists(key, new Map([[each.wallet, [all]]]))).get(each.wallet)
    const isStale = each.isStale && lists.has(placeOf(each))
    const from = isStale ? lists.get(placeOf(each)) : fresh
    lists.set(placeOf(each), fresh)
    // It stays so, whatever changes.
    if (from?.isTooLong) return said(from)
    const changed = new Map([...each.held, ...balances(each.gone, 0n)])
    const { number: settledUpTo, isTooLong } = each
    const change = { settledUpTo, balances: changed, isTooLong }
    const isChanged = await contracts.change(key, each.wallet, from, change)
    return isChanged
  },

  async log({ contracts }, { number, off }) {
    const contract = { chain, address }
    await contracts.log(contract, [event(number), event(number + off)])
    const blocks = { after: number - 9, upTo: number }
    const logged: KeptEvent[] = []
    for await (const each of contracts.logged(contract, blocks)) logged.push(each)
    return logged
  },

  async attempt({ attempts }, { address: contractAddress, off, number, isStale }) {
    const contract = { chain, address: contractAddress }
    const before = await attempts.get(contract)
    const isWritten = await attempts.write(contract, {
      ...{ version: (before?.version ?? 0) + 1 + off, takenUntil: isStale ? 0 : number },
      ...{ standard: 'ERC1155', statedAt: 5, first: { id: 'a', count: 1, sum: '7' } },
    })
    return [before, isWritten]
  },

  async end({ attempts }, { address: contractAddress, off }) {
    const contract = { chain, address: contractAddress }
    const before = await attempts.get(contract)
    await attempts.end(contract, (before?.version ?? 1) + off)
    const after = await attempts.get(contract)
    return after
  },

  async addToList({ attempts, lists }, each) {
    // It goes on from no list that was read before.
    lists.delete(placeOf(each))
    const snapshotOf = { chain, address: each.address, id: each.id }
    const page = pages[each.page ?? -1] ?? each.held
    const hasIt = await attempts.addToList(snapshotOf, each.wallet, page)
    return hasIt
  },

  begin: ({ attempts }, { address: contractAddress, id }) =>
    attempts.beginLists({ chain, address: contractAddress, id }),

  note: ({ contracts }, { address: contractAddress, id, wallet, isStale }) =>
    contracts.noteHolders({ chain, address: contractAddress, id }, isStale ? wallets : [wallet]),

  async mark({ snapshotLists }, { address: contractAddress, id, number, isStale }) {
    await snapshotLists.markUnused(
      { chain, address: contractAddress, id },
      isStale ? undefined : number,
    )
    const all = await snapshotLists.all(chain)
    return all.map((each) => `${each.address} ${each.id} ${each.unusedSince}`).sort()
  },

  delete: ({ snapshotLists }, { address: contractAddress, id }) =>
    snapshotLists.delete({ chain, address: contractAddress, id }, Number.POSITIVE_INFINITY),

  follow: ({ putPosition }, { number, off, isStale }) =>
    putPosition({ step: number, confirmedUpTo: off }, isStale),

  async read({ holdings }, each) {
    const contracts = await holdings.contracts(chain, addresses, Date.now() + each.since)
    const [both, one] = await Promise.all(
      [addresses, [each.address]].map((some) =>
        holdings.lists(
          chain,
          each.wallet,
          Promise.resolve(new Map(some.map((it) => [it, each.id]))),
        ),
      ),
    )
    const position = await holdings.position(chain, each.isAnew)
    const items = contracts.map(
      ({ readAt, value: { address: contractAddress, readUpTo, events, snapshot: its } }) => ({
        ...{ readAt, contractAddress, readUpTo, events, its },
      }),
    )
    return [position, items, both && allSaid(both), one && allSaid(one)]
  },
}

test('what is kept is the same in memory and in the table, after any calls', {
  timeout: 120_000,
}, async () => {
  await checkAsync(
    fc.asyncProperty(fc.array(call, { maxLength: 30, size: 'max' }), async (made) => {
      await items.empty()
      const [memory, stored] = [inMemory(), inTable()]
      for (const [index, each] of made.entries()) {
        vi.setSystemTime(Date.now() + each.milliseconds)
        const numbered = { ...each, number: 100 + index }
        const expected = await make[each.kind](memory, numbered)
        expect(await make[each.kind](stored, numbered)).toEqual(expected)
      }
    }),
    60,
  )
})
