import { describe, expect, test } from 'vitest'
import { parseTokenId, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { type Address, toAddress } from '../../../lib/domain/nft/address.ts'
import {
  apiKey,
  askPage,
  contract,
  elsewhere,
  expectMalformed,
  inTime,
  nftJson,
  onBsc,
  owner,
  pageJson,
  pageOf,
  type Stub,
  stubIndexer,
} from './alchemy-stub.ts'

const address = (number: number) => toAddress(`0x${number.toString(16).padStart(40, '0')}`)
const addresses = (count: number): Address[] => Array.from({ length: count }, (_, n) => address(n))
const tokenIds = (...texts: string[]): TokenId[] =>
  texts.map((text) => parseTokenId(text) as TokenId)
const checksummed = `{"address":"${contract.replaceAll('c', 'C')}"}`
/** An NFT of a contract that was not asked for. */
const ofOther = (members = {}) => nftJson({ contract: `{"address":"${elsewhere}"}`, ...members })

describe('a page of owned NFTs', () => {
  test('is requested through the SDK with the contracts, a page size and a timeout for sources', async () => {
    const { indexer, requests } = await stubIndexer(pageJson([]))
    const contracts = [address(1), address(2)]
    await askPage(indexer, { chain: 'AMOY', contracts, pageKey: 'k&=' })
    const { method, path, query, headers } = requests[0] as (typeof requests)[0]
    expect(method).toBe('GET')
    expect(path).toBe(`/polygon-amoy/nft/v3/${encodeURIComponent(apiKey)}/getNFTsForOwner`)
    expect(query.getAll('contractAddresses[]')).toEqual(contracts)
    expect(Object.fromEntries(query)).toMatchObject({
      owner,
      pageKey: 'k&=',
      pageSize: '100',
      withMetadata: 'true',
    })
    expect(Number(query.get('tokenUriTimeoutInMs'))).toBeLessThanOrEqual(4000)
    expect(headers).toMatchObject({ 'alchemy-ethers-sdk-version': '3.6.5' })
  })

  test('has canonical values and a page key', async () => {
    const nfts = [
      nftJson({ contract: checksummed, tokenId: '"0x0ff"', balance: '"007"' }),
      nftJson({ tokenId: `"${2n ** 256n - 1n}"` }),
    ]
    const metadata = { text: '{}' }
    const nft = { chain: 'POLYGON', address: contract, owner, metadataLink: '', metadata }
    expect(await pageOf(` ${pageJson(nfts, '"next"')}\n`)).toMatchObject({
      nfts: [
        { ...nft, tokenId: '255', balance: '7' },
        { ...nft, tokenId: `${2n ** 256n - 1n}`, balance: '1' },
      ],
      pageKey: 'next',
    })
  })

  test.each(['null', undefined])('the last page has %s as its page key', async (pageKey) => {
    const page = pageJson([]).replace(',"pageKey":null', pageKey ? `,"pageKey":${pageKey}` : '')
    expect(await pageOf(page)).toEqual({ nfts: [] })
  })

  const validAt = (json: string) => pageJson([]).replace('{"blockNumber":1}', json)

  test('D156: has the block that the indexer states', async () => {
    const at = '2026-11-22T10:00:00Z'
    const stated = JSON.stringify({ blockNumber: 7, blockTimestamp: at })
    const block = { number: 7, at: Date.parse(at) }
    expect(await pageOf(validAt(stated))).toEqual({ nfts: [], block })
  })

  test('D156: has the time of receipt in place of the time of a block in the future', async () => {
    const stated = '{"blockNumber":7,"blockTimestamp":"2126-11-22T10:00:00.000Z"}'
    const { block } = await pageOf(validAt(stated))
    expect(block?.number).toBe(7)
    expect(block?.at).toBeLessThanOrEqual(Date.now())
  })

  test.each([
    'null',
    '[]',
    '7',
    '{"blockNumber":null,"blockTimestamp":null}',
    '{"blockTimestamp":"2026-11-22T10:00:00Z"}',
    '{"blockNumber":-7,"blockTimestamp":"2026-11-22T10:00:00Z"}',
    '{"blockNumber":"7","blockTimestamp":"2026-11-22T10:00:00Z"}',
    '{"blockNumber":7,"blockTimestamp":"yesterday"}',
    '{"blockNumber":7,"blockTimestamp":"2026-13-22T10:00:00Z"}',
    '{"blockNumber":7,"blockTimestamp":1795341600}',
  ])('D156: has no block if validAt is %s', async (json) => {
    expect(await pageOf(validAt(json))).toEqual({ nfts: [] })
  })

  test('omits NFTs with a balance of zero', async () => {
    const none = nftJson({ tokenId: '"2"', balance: '"0"' })
    expect(await pageOf(pageJson([nftJson(), none]))).toMatchObject({ nfts: [{ tokenId: '1' }] })
  })

  test.each([
    ['nothing', ''],
    ['garbage', '<html>busy</html>'],
    ['another kind of JSON', '[]'],
    ['two JSON values', `${pageJson([])}${pageJson([])}`],
    ['no list', '{"pageKey":null}'],
    ['an error beside an empty list', `{"error":{"code":-32000},${pageJson([]).slice(1)}`],
    ['the text of an error beside a list', `{"error":"busy",${pageJson([nftJson()]).slice(1)}`],
    ['no total count', pageJson([]).replace('"totalCount":0,', '')],
    ['a text as the total count', pageJson([]).replace('"totalCount":0', '"totalCount":"0"')],
    ['a negative total count', pageJson([]).replace('"totalCount":0', '"totalCount":-1')],
    ['only an NFT of another contract', pageJson([ofOther()])],
    ['an NFT of another contract beside an NFT', pageJson([nftJson(), ofOther()])],
    ['an NFT of another contract that nobody owns', pageJson([ofOther({ balance: '"0"' })])],
    ['the same NFT twice', pageJson([nftJson(), nftJson({ tokenId: '"0x1"' })])],
    ['a page key of 2,049 bytes', pageJson([nftJson()], `"${'k'.repeat(2_047)}"`)],
    ['a page key that is long in JSON', pageJson([nftJson()], `"${'\\u0001'.repeat(400)}"`)],
    ['a list that is not an array', '{"ownedNfts":{},"pageKey":null}'],
    ['a null list', '{"ownedNfts":null}'],
    ['a number as the page key', pageJson([], '7')],
    ['an empty page key', pageJson([], '""')],
    ['the page key of the request', pageJson([nftJson()], '"again"')],
    ['101 NFTs', pageJson(Array(101).fill(nftJson()))],
    ['an NFT that is not an object', pageJson(['null'])],
    ['no contract', pageJson([nftJson({ contract: undefined })])],
    ['no address', pageJson([nftJson({ contract: '{}' })])],
    ['a bad address', pageJson([nftJson({ contract: '{"address":"0x12"}' })])],
    ['no token identifier', pageJson([nftJson({ tokenId: undefined })])],
    ['a number as the token identifier', pageJson([nftJson({ tokenId: '1' })])],
    ['a malformed token identifier', pageJson([nftJson({ tokenId: '"-1"' })])],
    [
      'a token identifier of more than 256 bits',
      pageJson([nftJson({ tokenId: `"${2n ** 256n}"` })]),
    ],
    ['no balance', pageJson([nftJson({ balance: undefined })])],
    ['a bad balance', pageJson([nftJson({ balance: '"0x1"' })])],
    ['a number as the balance that is no integer', pageJson([nftJson({ balance: '1.5' })])],
    ['a number of 79 digits as the balance', pageJson([nftJson({ balance: '1'.repeat(79) })])],
    ['an object as the balance', pageJson([nftJson({ balance: '{"constructor":null}' })])],
  ])('is rejected as a whole (D30): %s', async (_, body) => {
    await expectMalformed(body, ({ indexer }) => askPage(indexer, { pageKey: 'again' }))
  })

  test('text that is not UTF-8 is rejected', async () => {
    const body = Buffer.from(pageJson(['"\xff"']), 'latin1')
    await expectMalformed(body, ({ indexer }) => askPage(indexer), 'not UTF-8')
  })

  test.each([0, 46])('%i contracts are a RangeError', async (count) => {
    const { indexer, requests } = await stubIndexer(pageJson([]))
    const page = askPage(indexer, { contracts: addresses(count) })
    await expect(page).rejects.toThrow(RangeError)
    expect(requests).toHaveLength(0)
  })

  test('45 contracts are accepted', async () => {
    const { indexer, requests } = await stubIndexer(pageJson([]))
    await askPage(indexer, { contracts: addresses(45) })
    expect(requests[0]?.query.getAll('contractAddresses[]')).toHaveLength(45)
  })
})

describe('the metadata of NFTs', () => {
  const batch = (...nfts: string[]) => `{"nfts":[${nfts.join()}]}`
  const described = (tokenId: string, metadata: string) =>
    nftJson({ tokenId, raw: `{"metadata":${metadata},"error":null}`, balance: undefined })

  test('is requested in one batch, and refreshed on request', async () => {
    const { indexer, requests } = await stubIndexer(batch())
    const query = { contract: onBsc, tokenIds: tokenIds('2', '1'), deadline: inTime() }
    await indexer.metadata({ ...query, fromSource: false })
    await indexer.metadata({ ...query, fromSource: true })
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(2).fill(`POST /bnb-mainnet/nft/v3/${encodeURIComponent(apiKey)}/getNFTMetadataBatch`),
    )
    expect(requests[0]?.headers['content-type']).toBe('application/json')
    expect(requests.map(({ body }) => JSON.parse(body))).toMatchObject(
      [false, true].map((refreshCache) => ({
        tokens: ['2', '1'].map((tokenId) => ({ contractAddress: contract, tokenId })),
        refreshCache,
      })),
    )
  })

  const askFor =
    (...texts: string[]) =>
    ({ indexer }: Stub) => {
      const query = { contract: onBsc, tokenIds: tokenIds(...texts), fromSource: true }
      return indexer.metadata({ ...query, deadline: inTime() })
    }

  test('is returned in the order of the request; a missing NFT is not available', async () => {
    const answer = batch(described('"0x3"', '{"n":3.0}'), described('"1"', '{"n":1}'))
    const nft = { ...onBsc, metadataLink: '' }
    expect(await askFor('1', '7', '3')(await stubIndexer(answer))).toEqual([
      { ...nft, tokenId: '1', metadata: { text: '{"n":1}' } },
      { ...nft, tokenId: '7', metadata: { text: '{}', fault: 'not_available' }, isMissing: true },
      { ...nft, tokenId: '3', metadata: { text: '{"n":3.0}' } },
    ])
  })

  const one = described('"1"', '{}')
  test.each([
    ['an NFT of another contract', batch(one, ofOther())],
    ['an NFT that was not asked for', batch(one, described('"9"', '{}'))],
    ['more NFTs than asked for', batch(one, described('"2"', '{}'), described('"3"', '{}'))],
    ['no nfts', '{}'],
    ['an error beside the NFTs', '{"error":{"message":"secret"},"nfts":[]}'],
    ['an NFT twice', batch(one, described('"0x1"', '{}'))],
  ])('D30, D39: is rejected with %s', async (reason, answer) => {
    await expectMalformed(answer, askFor('1', '7'), reason)
  })

  test('of no NFT is empty; of 101 it is a RangeError', async () => {
    const { indexer, requests } = await stubIndexer(batch())
    const query = { contract: onBsc, fromSource: false, deadline: inTime() }
    expect(await indexer.metadata({ ...query, tokenIds: [] })).toEqual([])
    const many = tokenIds(...Array.from({ length: 101 }, (_, n) => `${n}`))
    await expect(indexer.metadata({ ...query, tokenIds: many })).rejects.toThrow(RangeError)
    expect(requests).toHaveLength(0)
  })
})
