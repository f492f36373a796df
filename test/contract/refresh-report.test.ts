import { describe, expect, test } from 'vitest'
import { maxResponseBytes, responseBytes } from '../../lib/contract/nft-entries.ts'
import { reportRefresh } from '../../lib/contract/refresh-report.ts'
import type { BindingId } from '../../lib/domain/nft/nft.ts'
import type { IndexedNft } from '../../lib/domain/nft/owned-nft.ts'
import type { ContractRefresh } from '../../lib/domain/refresh/refresh.ts'
import { writeJson } from '../../lib/json/verbatim-json.ts'
import { addressOf } from '../../simulation/memory-chain.ts'
import { nft } from '../support/memory/owned-nfts.ts'

/** An NFT whose metadata could not be fetched. */
const failed = (tokenId: number, metadataLink: string): IndexedNft => ({
  ...nft(tokenId),
  metadataLink,
  metadata: { text: '{}', fault: 'not_available' },
})

/** An NFT with a document of this number of bytes. */
const changed = (tokenId: number, bytes: number): IndexedNft => ({
  ...nft(tokenId),
  metadataLink: '',
  metadata: { text: JSON.stringify({ pad: 'x'.repeat(bytes) }) },
})

const refreshOf = (nfts: Pick<ContractRefresh, 'changed' | 'failed'>): ContractRefresh => ({
  contract: { chain: 'POLYGON', address: addressOf(1), bindingId: 'binding' as BindingId },
  state: {
    refreshId: 'refresh',
    bindingId: 'binding' as BindingId,
    refreshedAt: '2026-01-01T09:30:00.000Z',
    checked: 200,
    changed: nfts.changed.length,
    failed: nfts.failed.length,
    pending: 0,
  },
  ...nfts,
})

const report = (nfts: Partial<Pick<ContractRefresh, 'changed' | 'failed'>>) =>
  reportRefresh(addressOf(1), [refreshOf({ changed: [], failed: [], ...nfts })])

describe('D36: the NFTs that failed', () => {
  test('D36: are named with the reason, and with their link if there is one', () => {
    const link = 'https://metadata.example/8'
    expect(report({ failed: [failed(7, ''), failed(8, link)] }).failures).toEqual([
      { ...nft(7), reason: 'no_link' },
      { ...nft(8), reason: 'not_available', metadataLink: link },
    ])
  })

  test('D134: their links have the token identifier in place of {id}', () => {
    const { failures } = report({ failed: [failed(8, 'https://metadata.example/{id}')] })
    expect(failures[0]?.metadataLink).toBe(`https://metadata.example/${'0'.repeat(63)}8`)
  })

  test('D36: an NFT that the response of the indexer lacks is not available', () => {
    const missing = { ...failed(7, ''), isMissing: true } as const
    expect(report({ failed: [missing] }).failures).toEqual([{ ...nft(7), reason: 'not_available' }])
  })

  test('D36: a link of up to 2,048 characters is contained', () => {
    const [fits, long] = ['x'.repeat(2_048), 'x'.repeat(2_049)]
    const [first, second] = report({ failed: [failed(1, fits), failed(2, long)] }).failures
    expect(first).toEqual({ ...nft(1), reason: 'not_available', metadataLink: fits })
    expect(second).toEqual({ ...nft(2), reason: 'not_available' })
  })

  test('D31, D36: failures and changed NFTs together have at most 5 MB', () => {
    const failures = Array.from({ length: 200 }, (_, index) => failed(index, '"'.repeat(2_048)))
    const tokens = Array.from({ length: 60 }, (_, index) => changed(1_000 + index, 100_000))
    const answer = report({ failed: failures, changed: tokens })
    expect(answer.failures).toHaveLength(200)
    expect(answer.tokens.length + (answer.omitted ?? 0)).toBe(60)
    expect(answer.tokens.length).toBeGreaterThan(20)
    expect(responseBytes(writeJson(answer))).toBeLessThan(maxResponseBytes + 1_000)
  })
})
