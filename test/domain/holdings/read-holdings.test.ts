import { describe, expect, test } from 'vitest'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { understoodEvents } from '../../../lib/domain/holdings/kept-event.ts'
import { type HoldingsQuery, readHoldings } from '../../../lib/domain/holdings/read-holdings.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import type {
  KeptHoldings,
  KeptList,
  KeptPosition,
  ReadContract,
} from '../../../lib/domain/ports/kept-contracts.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import {
  id,
  inOneBlock,
  moves,
  movesAmounts,
  movesRange,
  type Said,
} from '../keeping/said-events.ts'

const now = 1_700_000_000_000

const position: KeptPosition = { readBy: now, step: 7, confirmedUpTo: now - 60_000 }

/** A contract with events in the block 100, whose snapshot counts from the step 7 on. */
function kept(address: Address, standard: NftStandard, ...events: Said[]): ReadContract {
  const { events: understood } = understoodEvents(inOneBlock(...events), standard)
  const snapshot = { id: 'new', standard, step: 7, since: 5, at: now }
  return { address, snapshot, events: understood, readUpTo: 110 }
}

const listOf = (settledUpTo: number, tokenId: number, balance = 1n): KeptList => ({
  settledUpTo,
  tokens: new Map([[id(tokenId), balance]]),
})

interface Table {
  position?: KeptPosition | undefined
  contracts: ReadContract[]
  /** By wallet, contract and snapshot. */
  lists: [Address, Address, string, KeptList][]
  /** How long each read of lists takes, in milliseconds. */
  slow?: number[]
  isOverloaded?: boolean
}

/** Reads what alice and bob hold of two contracts. */
async function read(
  table: Table,
  wallets: readonly Address[] = [alice, bob],
  more: Partial<HoldingsQuery> = {},
) {
  let time = now
  const calls: string[] = []
  const slow = [...(table.slow ?? [])]
  const port: KeptHoldings = {
    async position(_, isAnew) {
      calls.push(isAnew ? 'position anew' : 'position')
      return table.position && { ...table.position, readBy: time }
    },
    async contracts(_, addresses, since) {
      calls.push(`contracts ${addresses.length} since ${since - now}`)
      return table.contracts.map((value) => ({ value, readAt: time }))
    },
    async lists(_, wallet, snapshots) {
      calls.push(`lists ${wallet === alice ? 'alice' : 'bob'}`)
      if (table.isOverloaded) throw new ServiceUnavailable('throttled')
      if (wallet === wallets[0]) time += slow.shift() ?? 0
      const named = await snapshots
      const its = table.lists.filter(
        ([owner, of, snapshot]) => owner === wallet && named.get(of) === snapshot,
      )
      return new Map(its.map(([, of, , list]) => [of, list]))
    },
  }
  const query = { chain: 'POLYGON', wallets, contracts: [contract, other], ...more } as const
  const { contracts, moment, known } = await readHoldings(query, port, () => time)
  const held = (address: Address) =>
    [...(contracts.get(address) ?? [])].map(([, holdings]) => Object.fromEntries(holdings))
  return { contracts: [...contracts.keys()], held, moment, known, calls }
}

const nothing = { contracts: [], moment: undefined }

describe('what wallets hold', () => {
  test('is what their lists have, with the events after the block of each list', async () => {
    const events = [moves(alice, bob, 1), moves(null, alice, 2)]
    const { held, contracts, moment } = await read({
      position,
      contracts: [kept(contract, 'ERC721', ...events)],
      lists: [
        [alice, contract, 'new', listOf(99, 1)],
        [bob, contract, 'new', listOf(100, 3)],
      ],
    })
    expect(contracts).toEqual([contract])
    expect(held(contract)).toEqual([{ 2: 1n }, { 3: 1n }])
    expect(moment).toBe(now - 60_000)
  })

  test('is nothing without a list and events, and what events say without a list', async () => {
    const { held } = await read({
      ...{ position, lists: [] },
      contracts: [kept(contract, 'ERC1155', movesAmounts(null, bob, [1, 2]))],
    })
    expect(held(contract)).toEqual([{}, { 1: 2n }])
  })

  test('is not in the lists of another snapshot', async () => {
    const { held } = await read({
      ...{ position, contracts: [kept(contract, 'ERC721')] },
      lists: [[alice, contract, 'old', listOf(99, 1)]],
    })
    expect(held(contract)).toEqual([{}, {}])
  })

  test('of two contracts, one of them kept, is said of that one', async () => {
    const { snapshot: _, ...ended } = kept(other, 'ERC721')
    const answer = await read({
      ...{ position, contracts: [kept(contract, 'ERC721'), ended] },
      lists: [[alice, contract, 'new', listOf(99, 1)]],
    })
    expect(answer).toMatchObject({ contracts: [contract], moment: now - 60_000 })
    expect(answer.held(contract)).toEqual([{ 1: 1n }, {}])
  })
})

describe('the indexer is asked', () => {
  const contracts = [kept(contract, 'ERC721')]

  test('if the snapshot is older than a month and a day, because its lists expire', async () => {
    const day = 86_400_000
    const aged = (days: number, more: number) => {
      const item = kept(contract, 'ERC721')
      const snapshot = item.snapshot && { ...item.snapshot, at: now - days * day - more }
      return read({ position, contracts: [{ ...item, snapshot }], lists: [] })
    }
    expect(await aged(31, 0)).toMatchObject({ contracts: [contract] })
    expect(await aged(31, 1)).toMatchObject(nothing)
  })

  const { snapshot: _, ...without } = kept(contract, 'ERC721')
  const calls = ['position', 'contracts 2 since -1700000000000']

  test.each<[string, Partial<Table>, object?]>([
    ['nothing of the chain is kept', { position: undefined }, { calls }],
    ['the contract has no snapshot', { contracts: [without] }],
    ['the contract is not kept', { contracts: [] }],
    ['the position is of an earlier step', { position: { ...position, step: 6 } }],
    [
      'the confirmed block is older than 60 seconds',
      { position: { ...position, confirmedUpTo: now - 60_001 } },
      { calls },
    ],
  ])('if %s', async (_, changes, more) => {
    const answer = await read({ position, contracts, lists: [], ...changes })
    expect(answer).toMatchObject({ ...nothing, ...more })
  })

  test('for the contract of which the list of one wallet is too long', async () => {
    const answer = await read({
      ...{ position, contracts: [kept(contract, 'ERC721'), kept(other, 'ERC721')] },
      lists: [[bob, contract, 'new', { ...listOf(99, 1), isTooLong: true }]],
    })
    expect(answer.contracts).toEqual([other])
  })

  test('for the contract of which one wallet has more than 10,000 NFTs by events', async () => {
    const ofRange = (last: number) =>
      read({
        ...{ position, lists: [] },
        contracts: [kept(contract, 'ERC721', movesRange(null, bob, [1, last]))],
      })
    expect((await ofRange(10_000)).contracts).toEqual([contract])
    expect((await ofRange(10_001)).contracts).toEqual([])
  })
})

describe('a read is tried three times', () => {
  const table = {
    position: { ...position, confirmedUpTo: now },
    contracts: [kept(contract, 'ERC721')],
  }
  const lists: Table['lists'] = [[alice, contract, 'new', listOf(99, 1)]]

  test('after one that took longer, with the position and the contracts anew', async () => {
    const { held, calls } = await read({ ...table, lists, slow: [3_001, 3_001, 3_000] })
    expect(held(contract)).toEqual([{ 1: 1n }, {}])
    expect(calls).toEqual([
      ...['position', 'contracts 2 since 0', 'lists alice', 'lists bob'],
      ...['position anew', 'contracts 2 since 3001', 'lists alice', 'lists bob'],
      ...['position anew', 'contracts 2 since 6002', 'lists alice', 'lists bob'],
    ])
  })

  test('the indexer is asked after the third that took longer', async () => {
    const answer = await read({ ...table, lists, slow: [3_001, 3_001, 3_001, 0] })
    expect(answer).toMatchObject(nothing)
    expect(answer.calls).toHaveLength(12)
  })

  test('or once the deadline leaves no time for another one', async () => {
    const slowReads = { ...table, lists, slow: [3_001, 3_001, 0] }
    const until = (deadline: number) => read(slowReads, [alice, bob], { deadline })
    expect((await until(now + 6_003 + 4_000)).contracts).toEqual([contract])
    const answer = await until(now + 6_002 + 4_000)
    expect(answer).toMatchObject(nothing)
    expect(answer.calls).toHaveLength(8)
  })

  test('a list that goes on in what is kept fails after the third', async () => {
    const slowReads = { ...table, lists, slow: [3_001, 3_001, 3_001] }
    const needed = read(slowReads, [alice, bob], { isNeeded: true })
    await expect(needed).rejects.toThrow(ServiceUnavailable)
  })

  test('so is a read in which a list is later than the contract was read up to', async () => {
    const at = (block: number) =>
      read({ ...table, lists: [[alice, contract, 'new', listOf(block, 1)]] })
    expect((await at(110)).calls).toHaveLength(4)
    const later = await at(111)
    expect(later).toMatchObject(nothing)
    expect(later.calls).toHaveLength(12)
  })

  test('the third try answers for the other contracts', async () => {
    const { contracts, calls } = await read({
      ...{ ...table, contracts: [kept(contract, 'ERC721'), kept(other, 'ERC721')] },
      lists: [[alice, contract, 'new', listOf(111, 1)]],
    })
    expect(contracts).toEqual([other])
    expect(calls).toHaveLength(12)
  })
})

describe('a table that is overloaded', () => {
  const table = { position, contracts: [kept(contract, 'ERC721')], lists: [], isOverloaded: true }

  test('lets the indexer be asked', async () => {
    const { known, ...answer } = await read(table)
    expect(answer).toMatchObject(nothing)
    expect([...((await known) ?? [])]).toHaveLength(1)
  })

  test('fails a list that goes on in what is kept', async () => {
    const needed = read(table, [alice, bob], { isNeeded: true })
    await expect(needed).rejects.toThrow(ServiceUnavailable)
  })
})
