import { describe, expect, test } from 'vitest'
import { understoodEvents } from '../../../lib/domain/holdings/kept-event.ts'
import { settleLists } from '../../../lib/domain/keeping/settle-lists.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import type {
  KeptContracts,
  KeptList,
  ListChange,
} from '../../../lib/domain/ports/kept-contracts.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { alice, bob, contract } from '../../support/follower/followed.ts'
import { id, inOneBlock, moves, movesAmounts, movesRange, type Said } from './said-events.ts'

/** Lists in memory, and what settling has read and changed of them. */
function settling(standard: NftStandard, lists: [Address, KeptList][]) {
  const wanted: Parameters<KeptContracts['lists']>[1][] = []
  const changes: [Address, from: number | undefined, ListChange][] = []
  const noted: { wallets: readonly Address[]; changesBefore: number }[] = []
  const ports: Pick<KeptContracts, 'lists' | 'noteHolders' | 'change'> = {
    async lists(_, wantedOf) {
      wanted.push(wantedOf)
      return new Map(lists)
    },
    async noteHolders(_, wallets) {
      noted.push({ wallets, changesBefore: changes.length })
    },
    async change(_, wallet, from, change) {
      changes.push([wallet, from?.settledUpTo, change])
      return true
    },
  }
  const snapshot = { chain: 'POLYGON', address: contract, id: 'snapshot', standard } as const
  /** Settles events of the block 100 up to a block. */
  const settle = (events: Said[], upTo = 110) =>
    settleLists(snapshot, understoodEvents(inOneBlock(...events), standard).events, upTo, ports)
  return { wanted, noted, changes, settle }
}

const listOf = (settledUpTo: number, ...held: [number, bigint][]): KeptList => ({
  settledUpTo,
  tokens: new Map(held.map(([tokenId, balance]) => [id(tokenId), balance])),
})

const balances = (...held: [number, bigint][]) =>
  new Map(held.map(([tokenId, balance]) => [id(tokenId), balance]))

describe('the list of a wallet', () => {
  test('is read and changed once, although several events touch it', async () => {
    const { wanted, changes, settle } = settling('ERC1155', [[alice, listOf(90, [1, 5n], [2, 1n])]])
    const events = [
      movesAmounts(alice, bob, [1, 2]),
      movesAmounts(bob, alice, [1, 1], [3, 4]),
      movesAmounts(alice, alice, [3, 4]),
    ]
    expect(await settle(events)).toBe(true)
    expect(wanted).toHaveLength(1)
    expect(changes).toEqual([
      [alice, 90, { settledUpTo: 110, balances: balances([1, 4n], [3, 4n]) }],
      [bob, undefined, { settledUpTo: 110, balances: balances([1, 1n], [3, 0n]) }],
    ])
  })

  test('is asked for what the events move, and a range is not taken apart', async () => {
    const { wanted, settle } = settling('ERC721', [])
    await settle([moves(alice, bob, 1), movesRange(null, bob, [5, 2n ** 256n - 1n])])
    const one = { fromTokenId: '1', toTokenId: '1' }
    expect(wanted).toEqual([
      new Map([
        [alice, [one]],
        [bob, [one, { fromTokenId: '5', toTokenId: `${2n ** 256n - 1n}` }]],
      ]),
    ])
  })

  test('has the events of its block and of those before it already', async () => {
    const { changes, settle } = settling('ERC1155', [[alice, listOf(100, [1, 5n])]])
    await settle([movesAmounts(alice, null, [1, 2])])
    expect(changes).toEqual([[alice, 100, { settledUpTo: 110, balances: new Map() }]])
  })

  test.each([110, 111])(
    'whose block is %i stays as it is: its block never goes back',
    async (at) => {
      const { changes, settle } = settling('ERC721', [[alice, listOf(at, [1, 1n])]])
      expect(await settle([moves(alice, null, 1)])).toBe(true)
      expect(changes).toEqual([])
    },
  )

  test('is noted before it is made, with all others, so that it can be deleted', async () => {
    const { noted, settle } = settling('ERC721', [[alice, listOf(90, [1, 1n])]])
    await settle([moves(alice, bob, 1), moves(bob, addressOf(0xc), 1)])
    expect(noted).toEqual([{ wallets: [bob, addressOf(0xc)], changesBefore: 0 }])
  })

  test('is made for a wallet that has none, also if it holds nothing afterwards', async () => {
    const { changes, settle } = settling('ERC721', [])
    await settle([moves(null, alice, 1), moves(alice, bob, 1)])
    expect(changes).toEqual([
      [alice, undefined, { settledUpTo: 110, balances: balances([1, 0n]) }],
      [bob, undefined, { settledUpTo: 110, balances: balances([1, 1n]) }],
    ])
  })
})

describe('a list that is too long', () => {
  const tooLong = { settledUpTo: 110, balances: new Map(), isTooLong: true }

  test('has more than 10,000 NFTs of events', async () => {
    const { changes, settle } = settling('ERC721', [])
    await settle([movesRange(null, alice, [1, 10_000])])
    expect(changes[0]?.[2]).toMatchObject({ settledUpTo: 110 })
    expect(changes[0]?.[2]).not.toHaveProperty('isTooLong')
    expect(changes[0]?.[2].balances.size).toBe(10_000)
    await settle([movesRange(null, alice, [1, 10_001])])
    expect(changes[1]).toEqual([alice, undefined, tooLong])
  })

  test('does not have an NFT twice that is sent to oneself', async () => {
    const { changes, settle } = settling('ERC721', [])
    await settle([movesRange(alice, alice, [1, 10_000])])
    expect(changes[0]?.[2]).not.toHaveProperty('isTooLong')
  })

  test('can have every NFT there is, and none of them is counted one by one', async () => {
    const { changes, settle } = settling('ERC721', [])
    await settle([movesRange(null, alice, [0, 2n ** 256n - 1n])])
    expect(changes).toEqual([[alice, undefined, tooLong]])
  })

  test('stays so, whatever is moved', async () => {
    const { changes, settle } = settling('ERC721', [[alice, { ...listOf(90), isTooLong: true }]])
    await settle([moves(alice, bob, 1)])
    expect(changes).toEqual([
      [alice, 90, tooLong],
      [bob, undefined, { settledUpTo: 110, balances: balances([1, 1n]) }],
    ])
  })
})
