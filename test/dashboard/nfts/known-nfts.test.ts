import { expect, test } from 'vitest'
import { nftsOf } from '../../../dashboard/views/nfts/contract-words.ts'
import { KnownNfts } from '../../../dashboard/views/nfts/known-nfts.ts'

const contract = { productId: 'one', chain: 'POLYGON', address: '0xA' }
const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)

test('what a tab knows of a contract is what it has added, less what it has removed since', () => {
  const known = new KnownNfts()
  expect(known.of(contract)).toBe(0)
  known.added('a', contract, ids(2_500))
  known.added('a', contract, [...ids(2_500), '1..9'])
  expect(known.of({ ...contract, address: '0xa' })).toBe(5_000)
  // They can be the same NFTs.
  known.added('b', contract, ids(3_000))
  expect(known.of(contract)).toBe(5_000)
  known.removed(contract, ids(600))
  known.added('a', contract, ids(100))
  expect(known.of(contract)).toBe(4_500)
  expect(known.of({ ...contract, chain: 'BSC' })).toBe(0)
  expect(known.of({ ...contract, productId: 'two' })).toBe(0)
})

test.each([
  ['a range', ['1..9']],
  ['the whole collection', ['*']],
  ['the contract', undefined],
])('after the removal of %s, nothing is known', (_, elements) => {
  const known = new KnownNfts()
  known.added('a', contract, ids(5_000))
  known.removed(contract, elements)
  expect(known.of(contract)).toBe(0)
})

test.each([
  [{ nftCount: 21 }, 5_000, '21 NFTs'],
  [{ nftCount: 5, ranges: ['*'] }, 0, 'the whole collection'],
  [{}, 0, 'more than 1,000 NFTs'],
  [{}, 1_000, 'more than 1,000 NFTs'],
  [{}, 12_000, 'at least 12,000 NFTs'],
])('%j, of which %i are known, are %s', (size, known, text) => {
  expect(nftsOf(size, known)).toBe(text)
})
