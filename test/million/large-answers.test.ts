import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { maxIndexerResponseBytes } from '../../lib/adapters/alchemy/sdk-transport.ts'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import { maxMetadataBytes } from '../../lib/domain/nft/owned-nft.ts'
import {
  type Answer,
  askPage,
  contract,
  failureOf,
  inTime,
  nftWith,
  pageJson,
  readAll,
  type SeenRequest,
  stubIndexer,
} from '../adapters/alchemy/alchemy-stub.ts'

describe('D30: a response over 16 MiB is rejected, and over 64 MiB if it is about a single NFT', () => {
  const huge = Buffer.alloc(4 * maxIndexerResponseBytes + 1, ' ')

  test.each<[string, Answer]>([
    ['by its content-length', (response) => response.end(huge)],
    ['by its received bytes', (response) => response.write(huge, () => response.end())],
    [
      'by its decoded bytes',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(huge)),
    ],
  ])('%s', async (_, answer) => {
    const { indexer, requests } = await stubIndexer(answer)
    expect((await failureOf(askPage(indexer))).reason).toBe('an answer over 64 MiB')
    expect(requests.map(pageSizeOf)).toEqual(['100', '10', '1'])
  })
})

describe('D26: a page whose documents are too large together is read in parts', () => {
  /** A document of the maximum size, which the indexer repeats in another member. */
  const document = (tokenId: string) => {
    const name = `{"name":"${tokenId}","image":"`
    return `${name}${'a'.repeat(maxMetadataBytes - name.length - 2)}"}`
  }
  const expensiveNft = (tokenId: string, copies = 1) =>
    nftWith(document(tokenId), {
      tokenId: `"${tokenId}"`,
      name: `[${Array(copies).fill(document(tokenId))}]`,
    })

  /** A wallet of 24 NFTs, whose page key is the number of NFTs before the page. */
  const wallet: Answer = (response, { query }) => {
    const size = Number(query.get('pageSize'))
    const first = Number(query.get('pageKey') ?? 0)
    const page = Array.from({ length: Math.min(size, 24 - first) }, (_, at) => first + at + 1)
    const next = first + size < 24 ? `"${first + size}"` : 'null'
    response.end(
      pageJson(
        page.map((tokenId) => expensiveNft(`${tokenId}`)),
        next,
      ),
    )
  }

  test('a document that is too large by itself: the other NFTs have their documents', async () => {
    const enormous = `{"image":"${'a'.repeat(maxIndexerResponseBytes)}"}`
    const { indexer } = await stubIndexer((response, { query }) => {
      const first = Number(query.get('pageKey') ?? 0)
      const nfts = [nftWith(enormous, { tokenId: '"1"' }), nftWith('{}', { tokenId: '"2"' })]
      const page = nfts.slice(first, first + Number(query.get('pageSize')))
      response.end(pageJson(page, first + page.length < nfts.length ? '"1"' : 'null'))
    })
    expect((await readAll(indexer)).map(({ metadata }) => metadata)).toEqual([
      { text: '{}', fault: 'too_large' },
      { text: '{}' },
    ])
  })

  test('a wallet: complete and in order', async () => {
    const { indexer, requests } = await stubIndexer(wallet)
    const nfts = await readAll(indexer)
    expect(nfts.map(({ tokenId }) => Number(tokenId))).toEqual(numbers(24))
    expect(nfts.every(({ tokenId, metadata }) => metadata.text === document(tokenId))).toBe(true)
    const pages = requests.map((request) => [request.query.get('pageKey'), pageSizeOf(request)])
    // Ten NFTs are 20 MiB, the last seven are 14.
    const parts = Array.from({ length: 17 }, (_, at) => (at === 0 ? null : `${at}`))
    expect(pages).toEqual([
      ...parts.flatMap((key) => ['100', '10', '1'].map((size) => [key, size])),
      ['17', '100'],
    ])
  })

  test.each([
    ['of 24 NFTs of 2 MiB, three at a time', 24, 1, 1 + 8],
    ['of 12 NFTs of 9 MiB, two at a time and then one', 12, 8, 1 + 6 + 12],
  ])(
    'a refresh %s: every NFT, in the order of the request',
    async (_, count, copies, requestCount) => {
      const { indexer, requests } = await stubIndexer((response, { body }) => {
        const { tokens } = JSON.parse(body) as { tokens: { tokenId: string }[] }
        const nfts = tokens.map(({ tokenId }) => expensiveNft(tokenId, copies))
        response.end(`{"nfts":[${nfts.join()}]}`)
      })
      const tokenIds = numbers(count).map(String).reverse() as TokenId[]
      const nfts = await indexer.metadata({
        contract: { chain: 'POLYGON', address: contract },
        tokenIds,
        fromSource: false,
        deadline: inTime(),
      })
      expect(nfts.map(({ tokenId }) => tokenId)).toEqual(tokenIds)
      expect(nfts.every(({ tokenId, metadata }) => metadata.text === document(tokenId))).toBe(true)
      expect(requests).toHaveLength(requestCount)
    },
  )
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

const pageSizeOf = ({ query }: SeenRequest) => query.get('pageSize')
