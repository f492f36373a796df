import { expect, test } from 'vitest'
import { type ComparedNft, changesOf } from '../../../dashboard/views/nfts/nft-changes.ts'

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
