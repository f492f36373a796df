import { describe, expect, test } from 'vitest'
import { withTokenId } from '../../../lib/domain/nft/token-uri.ts'

describe('D134: the {id} of ERC-1155', () => {
  test.each([
    ['https://a.example/{id}.json', '314592', `https://a.example/${'0'.repeat(59)}4cce0.json`],
    ['ipfs://Qm1/%7Bid%7D?x=%7bid%7d', '0', `ipfs://Qm1/${'0'.repeat(64)}?x=${'0'.repeat(64)}`],
    ['{id}', `${2n ** 256n - 1n}`, 'f'.repeat(64)],
    ['https://a.example/{ID}/{tokenId}/%7Bid', '7', 'https://a.example/{ID}/{tokenId}/%7Bid'],
    ['', '7', ''],
  ])('D134: in %j is the token identifier %s', (uri, tokenId, expected) => {
    expect(withTokenId(uri, tokenId)).toBe(expected)
  })

  test('D134: a URI of 2,048 characters has it, and a longer one is unchanged', () => {
    const longest = `${'x'.repeat(2_044)}{id}`
    expect(withTokenId(longest, '7')).toHaveLength(2_044 + 64)
    expect(withTokenId(`x${longest}`, '7')).toBe(`x${longest}`)
  })
})
