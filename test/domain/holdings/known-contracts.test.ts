import { describe, expect, test } from 'vitest'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { askedMetadata } from '../../../lib/domain/holdings/asked-metadata.ts'
import {
  changesOf,
  isPrepared,
  isUnknown,
  type KnownContract,
} from '../../../lib/domain/holdings/known-contracts.ts'
import type { ReadContract } from '../../../lib/domain/ports/kept-holdings.ts'
import type { KeptNft } from '../../../lib/domain/ports/token-metadata.ts'
import { addressOf, nft, owned } from '../../support/memory/owned-nfts.ts'

const contract = (number: number, item?: Partial<ReadContract>): KnownContract => ({
  contract: { chain: 'POLYGON', address: addressOf(number) },
  item: item && { address: addressOf(number), events: [], readUpTo: 9, ...item },
})

const log = { standard: 'ERC721' } as const
const snapshot = { id: 'a', standard: 'ERC721', step: 1, since: 1, at: 0 } as const

test.each<[string, Partial<ReadContract> | undefined, boolean, boolean]>([
  ['without an item', undefined, true, false],
  ['about to be kept', { log }, false, true],
  ['in use', { snapshot }, false, false],
  ['whose snapshot has ended', { ended: { reason: 'gap', at: 0 } }, false, true],
  ['that was let go', { ended: { reason: 'letGo', at: 0 } }, true, false],
  ['that is wanted again', { log, ended: { reason: 'letGo', at: 0 } }, false, true],
])('D153: whether a contract %s is unknown, or prepared', (_, item, unknown, prepared) => {
  expect([isUnknown(contract(1, item)), isPrepared(contract(1, item))]).toEqual([unknown, prepared])
})

test('D155: the latest change of an NFT is that of the latest range that has it', () => {
  const range = (from: number, to: number, at: number) => ({
    ...{ fromTokenId: `${from}` as TokenId, toTokenId: `${to}` as TokenId, at },
  })
  const changedAt = changesOf([
    contract(1, { changed: [range(2, 9, 5), range(0, 100, 3), range(9, 9, 4)] }),
    contract(2, { changed: [] }),
  ])
  expect([1, 2, 9, 10, 101].map((id) => changedAt(nft(id)))).toEqual([3, 5, 5, 3, undefined])
  expect(changedAt(nft(2, 2))).toBeUndefined()
  expect(changedAt(nft(2, 3))).toBeUndefined()
})

describe('D155: metadata of asked NFTs', () => {
  const textOf = (length: number) => ({ metadata: { text: 'x'.repeat(length) } })

  /** Passes pages on, and returns what is kept. */
  async function keptOf(known: KnownContract[], ...pages: ReturnType<typeof owned>[][]) {
    const kept: KeptNft[] = []
    const keep = askedMetadata(Promise.resolve(known), {
      keepAsked: (some, takes) => void kept.push(...some.filter(takes)),
    })
    for (const page of pages) await keep(page, 77)
    return kept
  }

  const of = (tokenId: number, address: number) => owned(nft(tokenId, address), addressOf(0xa))

  test('is kept of contracts that are about to be kept, with when it was asked for and the change by then', async () => {
    const changed = [{ fromTokenId: '0' as TokenId, toTokenId: '5' as TokenId, at: 5 }]
    const known = [contract(1, { log, changed }), contract(2, { snapshot }), contract(3)]
    const kept = await keptOf(known, [of(1, 1), of(1, 2), of(1, 3), of(1, 4)], [of(6, 1)])
    const metadata = { metadataLink: '', metadata: { text: '{}' }, readAt: 77, retries: 0 }
    expect(kept).toEqual([
      { ...nft(1), ...metadata, changedAt: 5 },
      { ...nft(6), ...metadata, changedAt: undefined },
    ])
  })

  test('is kept up to a bound for each request', async () => {
    const known = [contract(1, { log })]
    const [small, large] = [
      { ...of(1, 1), ...textOf(10) },
      { ...of(2, 1), ...textOf(1_999_991) },
    ]
    expect(
      await keptOf(known, [small, large], [{ ...of(3, 1), ...textOf(1_999_990) }]),
    ).toHaveLength(2)
    expect(await keptOf(known, [{ ...of(3, 1), ...textOf(2_000_001) }])).toEqual([])
  })
})
