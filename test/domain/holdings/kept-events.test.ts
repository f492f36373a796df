import { describe, expect, test } from 'vitest'
import { applyEvents, type Holdings } from '../../../lib/domain/holdings/holdings.ts'
import { understoodEvents } from '../../../lib/domain/holdings/kept-event.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftStandard } from '../../../lib/domain/nft/nft.ts'
import { alice, bob } from '../../support/follower/followed.ts'
import {
  blockHash,
  id,
  inOneBlock,
  moves,
  movesAmounts,
  movesRange,
  newMetadata,
  type Said,
  withoutContent,
} from '../keeping/said-events.ts'

const largest = 2n ** 256n - 1n

/** What a wallet holds after events, if it held some NFTs before. */
function heldAfter(
  standard: NftStandard,
  before: Record<string, bigint>,
  events: Said[],
  wallet: Address = alice,
): Record<string, bigint> {
  const holdings: Holdings = new Map(
    Object.entries(before).map(([tokenId, balance]) => [id(BigInt(tokenId)), balance]),
  )
  const understood = understoodEvents(inOneBlock(...events), standard)
  expect(understood.hasUnknown).toBe(false)
  applyEvents(holdings, wallet, understood.events, standard)
  return Object.fromEntries(holdings)
}

test.each<[string, Said[], Record<string, bigint>]>([
  ['received', [moves(bob, alice, 2)], { 1: 1n, 2: 1n }],
  ['given', [moves(alice, bob, 1)], {}],
  ['minted', [moves(null, alice, 2)], { 1: 1n, 2: 1n }],
  ['burned', [moves(alice, null, 1)], {}],
  ['sent to oneself', [moves(alice, alice, 1)], { 1: 1n }],
  [
    'given, and got back in the same block',
    [moves(alice, bob, 1), moves(bob, alice, 1)],
    { 1: 1n },
  ],
  [
    'received, and given in the same block',
    [moves(bob, alice, 2), moves(alice, null, 2)],
    { 1: 1n },
  ],
  ['moved between others', [moves(bob, null, 1)], { 1: 1n }],
  ['of the largest identifier', [moves(null, alice, largest)], { 1: 1n, [`${largest}`]: 1n }],
  ['a range (ERC-2309)', [movesRange(null, alice, [7, 9])], { 1: 1n, 7: 1n, 8: 1n, 9: 1n }],
  ['a range of one', [movesRange(null, alice, [7, 7])], { 1: 1n, 7: 1n }],
  ['a burned range', [movesRange(alice, null, [0, 3])], {}],
  [
    'a range of the largest identifiers',
    [movesRange(null, alice, [largest - 1n, largest])],
    { 1: 1n, [`${largest - 1n}`]: 1n, [`${largest}`]: 1n },
  ],
])('ERC-721: an event says who has a token: %s', (_, events, after) => {
  expect(heldAfter('ERC721', { 1: 1n }, events)).toEqual(after)
})

describe('ERC-1155: an event adds amounts and takes them away', () => {
  test.each<[string, Said[], Record<string, bigint>]>([
    ['a single NFT', [movesAmounts(bob, alice, [1, 2])], { 1: 7n }],
    ['a batch', [movesAmounts(bob, alice, [1, 2], [2, 3])], { 1: 7n, 2: 3n }],
    ['one NFT twice in a batch', [movesAmounts(alice, bob, [1, 2], [1, 3])], {}],
    ['minted', [movesAmounts(null, alice, [2, 4])], { 1: 5n, 2: 4n }],
    ['burned in part', [movesAmounts(alice, null, [1, 4])], { 1: 1n }],
    ['burned', [movesAmounts(alice, null, [1, 5])], {}],
    ['sent to oneself', [movesAmounts(alice, alice, [1, 5])], { 1: 5n }],
    [
      'an amount of 0',
      [movesAmounts(alice, bob, [1, 0]), movesAmounts(bob, alice, [2, 0])],
      { 1: 5n },
    ],
    ['an empty batch', [movesAmounts(alice, bob)], { 1: 5n }],
    [
      'several events of a block',
      [movesAmounts(alice, bob, [1, 5]), movesAmounts(bob, alice, [1, 2])],
      { 1: 2n },
    ],
    ['the largest amount', [movesAmounts(null, alice, [2, largest])], { 1: 5n, 2: largest }],
    [
      'the largest amount, less one',
      [movesAmounts(null, alice, [largest, largest]), movesAmounts(alice, null, [largest, 1])],
      { 1: 5n, [`${largest}`]: largest - 1n },
    ],
  ])('%s', (_, events, after) => {
    expect(heldAfter('ERC1155', { 1: 5n }, events)).toEqual(after)
  })

  test('a contract that takes away more than there was leaves none', () => {
    expect(heldAfter('ERC1155', { 1: 5n }, [movesAmounts(alice, bob, [1, 6])])).toEqual({})
  })
})

describe('what is understood of the events of a contract', () => {
  test('an event has its block, the first 12 digits of the hash, its index, and what it moves', () => {
    const events = inOneBlock(
      movesRange(null, alice, [7, 9]),
      movesAmounts(alice, bob, [1, 2], [3, 4]),
    )
    expect(understoodEvents(events, undefined)).toEqual({
      hasUnknown: false,
      events: [
        {
          ...{ block: 100, hash: blockHash.slice(2, 14), index: 0, from: null, to: alice },
          moved: [{ fromTokenId: '7', toTokenId: '9' }],
        },
        {
          ...{ block: 100, hash: 'abcdef012345', index: 1, from: alice, to: bob },
          moved: [
            { tokenId: '1', amount: 2n },
            { tokenId: '3', amount: 4n },
          ],
        },
      ],
    })
  })

  test('the order is that of the chain, whatever that of the answer is', () => {
    const events = inOneBlock(moves(null, alice, 1), moves(alice, bob, 1), moves(bob, null, 1))
    const earlier = inOneBlock(moves(null, alice, 2)).map((event) => ({
      ...{ ...event, index: 9, block: { ...event.block, number: 99 } },
    }))
    const { events: understood } = understoodEvents([...events, ...earlier].reverse(), 'ERC721')
    expect(understood.map(({ block, index }) => [block, index])).toEqual([
      [99, 9],
      [100, 0],
      [100, 1],
      [100, 2],
    ])
  })

  test('what moves nothing at all is left out', () => {
    const events = inOneBlock(movesAmounts(alice, bob))
    expect(understoodEvents(events, 'ERC1155')).toEqual({ events: [], hasUnknown: false })
  })

  test('new metadata (ERC-4906) moves nothing, and is not unknown', () => {
    for (const standard of ['ERC721', 'ERC1155', undefined] as const) {
      expect(understoodEvents(inOneBlock(newMetadata), standard)).toEqual({
        ...{ events: [], hasUnknown: false },
      })
    }
  })

  test.each<[string, Said, NftStandard | undefined]>([
    ['without content', withoutContent, undefined],
    ['of ERC-1155 in an ERC-721 contract', movesAmounts(null, alice, [1, 1]), 'ERC721'],
    ['of ERC-721 in an ERC-1155 contract', moves(null, alice, 1), 'ERC1155'],
  ])('an event %s is unknown', (_, said, standard) => {
    const understood = understoodEvents(inOneBlock(newMetadata, said), standard)
    expect(understood.hasUnknown).toBe(true)
  })

  test('before there is a snapshot, events of both standards are understood', () => {
    const events = inOneBlock(moves(null, alice, 1), movesAmounts(null, alice, [1, 1]))
    expect(understoodEvents(events, undefined)).toMatchObject({ hasUnknown: false })
  })
})
