import { expect, test } from 'vitest'
import type { DailyUsage } from '../../../clients/typescript/src/types.ts'
import { notKeptReasons } from '../../../lib/domain/holdings/ownership.ts'
import { nftsOf, ownershipSentence } from '../../views/nfts/contract-words.ts'
import { firstSteps } from '../../views/nfts/first-steps.tsx'
import { type ComparedNft, changesOf } from '../../views/nfts/nft-changes.ts'

test.each([
  [{ nftCount: 21 }, '21 NFTs'],
  [{ nftCount: 5, ranges: ['*'] }, 'the whole collection'],
  [{}, 'more than 1,000 NFTs'],
])('%j is %s', (size, text) => {
  expect(nftsOf(size)).toBe(text)
})

test('D157: each reason for which a contract is not kept has a sentence of its own', () => {
  const sentences = notKeptReasons.map((reason) => ownershipSentence({ kept: false, reason }))
  for (const text of sentences) expect(text).toMatch(/^Read from the indexer: .*\.$/)
  expect(new Set(sentences).size).toBe(notKeptReasons.length)
  const later = ownershipSentence({ kept: false, reason: 'constructor' as 'busy' })
  expect(later).toBe('Read from the indexer: constructor')
})

const day = (...calls: [operation: string, outcome: string, count: number][]) =>
  ({
    calls: calls.map(([operation, outcome, count]) => ({ operation, outcome, count })),
  }) as DailyUsage

test.each([
  ['nothing is done', false, [], 0, [false, false, false]],
  [
    'other calls and refused ones are no reads of a game',
    true,
    [day(['getNfts', 'success', 4], ['getRawMetadata', 'rate_limited', 2])],
    0,
    [true, false, false],
  ],
  [
    'the calls of Try it are those of no game',
    true,
    [day(['getStructuredMetadata', 'success', 2])],
    2,
    [true, true, false],
  ],
  ['Try it ticks before its calls are counted', true, [], 1, [true, true, false]],
  [
    'a read more is that of a game',
    true,
    [day(['getStructuredMetadata', 'success', 1]), day(['getRawMetadata', 'success', 2])],
    2,
    [true, true, true],
  ],
  [
    'a game that reads needs no Try it',
    true,
    [day(['getRawMetadata', 'success', 1])],
    0,
    [true, true, true],
  ],
] as const)('%s', (_, hasNfts, usage, tried, [...done]) => {
  const { hasTried, hasCalled, ...rest } = firstSteps(hasNfts, usage, tried)
  expect([rest.hasNfts, hasTried, hasCalled]).toEqual(done)
})

const nft = (
  metadata: Partial<ComparedNft['formattedMetadata']>,
  metadataLink = '',
): ComparedNft => ({
  metadataLink,
  formattedMetadata: { name: 'Keeper', description: '', image: null, attributes: [], ...metadata },
})

test('the changes of an NFT are its different texts and attributes', () => {
  const before = nft({
    attributes: [
      { name: 'tier', value: '3' },
      { name: 'maker', value: 'Row' },
    ],
  })
  const after = nft(
    { name: 'Keeper 2', image: 'ipfs:x', attributes: [{ name: 'tier', value: '4' }] },
    'https://a.example/1',
  )
  expect(changesOf(before, after)).toEqual([
    { field: 'name', isAttribute: false, before: 'Keeper', after: 'Keeper 2' },
    { field: 'tier', isAttribute: true, before: '3', after: '4' },
    { field: 'maker', isAttribute: true, before: 'Row', after: undefined },
    { field: 'image', isAttribute: false, before: undefined, after: 'ipfs:x' },
    { field: 'metadataLink', isAttribute: false, before: undefined, after: 'https://a.example/1' },
  ])
})

test('attributes of one name are compared in their order, and are apart from texts of that name', () => {
  const attributes = [
    { name: 'name', value: 'a' },
    { name: 'name', value: 'b' },
  ]
  const swapped = nft({ attributes: [...attributes].reverse() })
  expect(changesOf(nft({ attributes }), swapped)).toEqual([
    { field: 'name', isAttribute: true, before: 'a', after: 'b' },
    { field: 'name', isAttribute: true, before: 'b', after: 'a' },
  ])
  expect(changesOf(nft({ attributes }), nft({ attributes }))).toEqual([])
})
