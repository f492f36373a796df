import { describe, expect, test } from 'vitest'
import { maxIndexerResponseBytes } from '../../../lib/adapters/alchemy/sdk-transport.ts'
import { largestTokenId, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import {
  apiKey,
  contract,
  elsewhere,
  expectMalformed,
  failureOf,
  inTime,
  onBsc,
  stubIndexer,
} from './alchemy-stub.ts'

type Query = Parameters<Indexer['contractNfts']>[0]

const ask = (indexer: Indexer, query: Partial<Query> = {}) =>
  indexer.contractNfts({ contract: onBsc, limit: 100, deadline: inTime(), ...query })

const pageJson = (entries: readonly object[], pageKey?: string) =>
  JSON.stringify({ nfts: entries, pageKey })

async function readAll(indexer: Indexer): Promise<void> {
  let next: Partial<Awaited<ReturnType<Indexer['contractNfts']>>> | undefined
  do {
    const { pageKey, progress } = next ?? {}
    next = await ask(indexer, {
      ...(pageKey !== undefined && { pageKey }),
      ...(progress && { progress }),
    })
  } while (next.pageKey !== undefined)
}

describe('D59: the NFTs of a contract', () => {
  test('D59: asks for token identifiers without metadata, with the page key in both parameters', async () => {
    const { indexer, requests } = await stubIndexer(pageJson([{ tokenId: '0x1F' }], 'next'))
    const page = await ask(indexer, { pageKey: '0x1f', limit: 30 })
    expect(page).toMatchObject({ tokenIds: ['31'], pageKey: 'next', progress: { pages: 1 } })
    const [request] = requests
    expect(request?.path).toBe(
      `/bnb-mainnet/nft/v3/${encodeURIComponent(apiKey)}/getNFTsForContract`,
    )
    expect(Object.fromEntries(request?.query ?? [])).toEqual({
      contractAddress: contract,
      withMetadata: 'false',
      limit: '30',
      pageKey: '0x1f',
      startToken: '0x1f',
    })
  })

  test.each([
    ['its token identifier alone', { tokenId: '1' }],
    ['contractAddress', { tokenId: '1', contractAddress: `0x${'C1'.repeat(20)}` }],
    ['contract', { tokenId: '1', contract: { address: contract } }],
  ])('D59: an NFT is named by %s', async (_, entry) => {
    const { indexer } = await stubIndexer(pageJson([entry]))
    expect(await ask(indexer)).toEqual({ tokenIds: ['1'] })
  })

  test('D59: a page that is too large is read in parts', async () => {
    const large = 'x'.repeat(maxIndexerResponseBytes)
    const { indexer, requests } = await stubIndexer((response, { query }) => {
      const limit = Number(query.get('limit'))
      const entries = Array.from({ length: limit }, (_, index) => ({ tokenId: `${index}` }))
      response.end(JSON.stringify({ nfts: entries, ...(limit > 1 && { large }) }))
    })
    expect(await ask(indexer)).toEqual({ tokenIds: ['0'] })
    expect(requests.map(({ query }) => query.get('limit'))).toEqual(['100', '10', '1'])
  })

  test('D59: a call for no NFTs or for more than 100 is a defect', async () => {
    const { indexer, requests } = await stubIndexer('{}')
    for (const limit of [0, 101]) {
      await expect(ask(indexer, { limit })).rejects.toThrow(RangeError)
    }
    expect(requests).toEqual([])
  })
})

describe('D39, D59: malformed pages of the NFTs of a contract', () => {
  const numbered = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ tokenId: `${index}` }))

  test.each<[reason: string, json: string]>([
    ['an NFT of another contract', pageJson([{ tokenId: '1', contractAddress: elsewhere }])],
    ['an NFT of another contract', pageJson([{ tokenId: '1', contract: { address: elsewhere } }])],
    ['an NFT of another contract', pageJson([{ tokenId: '1', contractAddress: 7 }])],
    [
      `an NFT without a token identifier, of ${contract}`,
      pageJson([{ contractAddress: contract }]),
    ],
    ['an NFT twice', pageJson([{ tokenId: '16' }, { tokenId: '0x10' }])],
    ['a token identifier that is none', pageJson([{ tokenId: 'sixteen' }])],
    ['more NFTs than asked for', pageJson(numbered(101))],
    ['the page key that was asked with', pageJson(numbered(2), 'asked')],
    ['no nfts', '{"ownedNfts":[]}'],
    ['an error beside the NFTs', '{"nfts":[],"error":{"message":"x"}}'],
    ['not JSON', '{"nfts":[{"tokenId":"1\\x"}]}'],
    ['not a JSON object', '<html>'],
  ])('D39: %s', async (reason, json) => {
    await expectMalformed(json, ({ indexer }) => ask(indexer, { pageKey: 'asked' }), reason)
  })

  test('D39: page keys that form a circle', async () => {
    const { indexer } = await stubIndexer((response, _, call) =>
      response.end(pageJson([{ tokenId: `${call}` }], `key ${call % 3}`)),
    )
    const failure = await failureOf(readAll(indexer))
    expect(failure.reason).toBe('malformed answer: page keys in a circle')
  })
})

const askFrom = (indexer: Indexer, from: string) =>
  indexer.nftsFrom({ contract: onBsc, from: from as TokenId, deadline: inTime() })

const idsJson = (tokenIds: readonly string[], pageKey?: string) =>
  pageJson(
    tokenIds.map((tokenId) => ({ tokenId })),
    pageKey,
  )

const offset = (number: bigint) => `0x${number.toString(16).padStart(64, '0')}`

describe('D60: the NFTs of a contract from an identifier on', () => {
  test('D60: asks with the identifier as the offset', async () => {
    const { indexer, requests } = await stubIndexer(idsJson(['500', '0x1F5'], 'opaque'))
    expect(await askFrom(indexer, '499')).toEqual({ tokenIds: ['500', '501'], next: '502' })
    expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
      contractAddress: contract,
      withMetadata: 'false',
      limit: '100',
      pageKey: offset(499n),
      startToken: offset(499n),
    })
  })

  test('D60: a page without NFTs continues at its page key', async () => {
    const { indexer } = await stubIndexer(idsJson([], '0x2710'))
    expect(await askFrom(indexer, '5')).toEqual({ tokenIds: [], next: '10000' })
  })

  const unordered = 'NFTs that are not in the order of their identifiers'
  const endless = 'an empty page whose page key does not continue'

  test.each<[reason: string, tokenIds: string[], pageKey?: string]>([
    [unordered, ['4', '6']],
    [unordered, ['9', '7']],
    [endless, [], '5'],
    [endless, [], '3'],
    [endless, [], 'next'],
    ['a page after the largest token identifier', [`${largestTokenId}`], 'next'],
  ])('D39, D60: %s: %j, %j', async (reason, tokenIds, pageKey) => {
    const page = idsJson(tokenIds, pageKey)
    await expectMalformed(page, ({ indexer }) => askFrom(indexer, '5'), reason)
  })
})
