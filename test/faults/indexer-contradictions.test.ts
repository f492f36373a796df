import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { samples } from '../../local/samples/samples.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import type { ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import type { Sent } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  expectDiscretion,
  type FaultyService,
  startFaultyService,
  upstreamText,
} from '../support/services/faulty-service.ts'

const readings = ['getRawMetadata', 'getStructuredMetadata'] as const
const { gear } = samples.collections

let service: FaultyService
let sent: Sent

beforeAll(async () => {
  service = await startFaultyService()
  sent = await acceptedRequest(service, 'getRawMetadata')
})
afterEach(() => service.indexer.interfere({}))

const nft = (tokenId: string) => ({
  contract: { address: gear.address },
  tokenId,
  balance: '1',
  raw: { metadata: {} },
})

const allowed = (from: number, count: number) =>
  gear.tokenIds.slice(from, from + count).map((tokenId) => nft(tokenId))

interface Page {
  ownedNfts: unknown[]
  totalCount?: number
  pageKey?: string | null
  error?: unknown
}

/** Answers each request for a page of a wallet with this page, whose number in its wallet starts at 0. */
function answerPages(pageOf: (number: number) => Page): { pages(): number } {
  const wallets = new Map<string, number>()
  let pages = 0
  service.indexer.interfere({
    onRequest: ({ path }: ProxiedRequest) => {
      pages += 1
      const owner = new URLSearchParams(path.split('?')[1]).get('owner') ?? ''
      const number = wallets.get(owner) ?? 0
      wallets.set(owner, number + 1)
      return { status: 200, body: pageOf(number) }
    },
  })
  return { pages: () => pages }
}

const long = (length: number) => 'k'.repeat(length)

describe('D39: a contradictory response of the indexer is not an empty wallet', () => {
  test.each<[string, (number: number) => Page]>([
    ['250 NFTs announced, and none returned', () => ({ ownedNfts: [], totalCount: 250 })],
    ['no total count', () => ({ ownedNfts: [] })],
    [
      'an error beside an empty list',
      () => ({ error: { message: upstreamText }, ownedNfts: [], totalCount: 0 }),
    ],
    [
      'an NFT twice in a page',
      () => ({ ownedNfts: [...allowed(0, 2), ...allowed(0, 1)], totalCount: 3 }),
    ],
    [
      'an NFT in two pages',
      (number) =>
        number === 0
          ? { ownedNfts: allowed(0, 2), totalCount: 3, pageKey: 'next' }
          : { ownedNfts: allowed(1, 2), totalCount: 3 },
    ],
    [
      'page keys in a circle',
      (number) => ({ ownedNfts: [], totalCount: 250, pageKey: `key ${number % 2}` }),
    ],
    [
      'page keys that never end',
      (number) => ({ ownedNfts: [], totalCount: 250, pageKey: `key ${number}` }),
    ],
    [
      'a page key of 6,000 characters',
      (number) => ({
        ownedNfts: allowed(number, 1),
        totalCount: 2,
        pageKey: number === 0 ? long(6_000) : null,
      }),
    ],
  ])('%s', async (_, pageOf) => {
    for (const id of readings) {
      const pages = answerPages(pageOf)
      const answer = await service.call(callName(id), sent)
      expectProblem(answer, 'indexer_unavailable')
      expectDiscretion(service, [answer])
      // Three wallets, with at most nine empty pages each.
      expect(pages.pages()).toBeLessThanOrEqual(27)
    }
  })

  /** Follows the cursors until a problem; returns the number of successful responses. */
  async function successesBeforeTheProblem(query: Record<string, string>): Promise<number> {
    for (let count = 0, cursor: string | undefined; ; count += 1) {
      const page = { ...query, ...(cursor !== undefined && { cursor }) }
      const answer = await service.call('GET /player/tokens/raw', { ...sent, query: page })
      if (answer.status !== 200) {
        expectProblem(answer, 'indexer_unavailable')
        return count
      }
      expect(answer.json.nextCursor).toBeDefined()
      expect(count).toBeLessThan(20)
      cursor = answer.json.nextCursor
    }
  }

  test('the loop of a reader ends: empty pages, one in each request', async () => {
    const [wallet = ''] = samples.players.threeWallets.wallets
    const { playerToken } = await service.newPlayer([wallet])
    sent = { ...sent, playerToken }
    // The first page fills the response, so that each further request reads from a cursor.
    answerPages((number) => ({
      ownedNfts: number === 0 ? allowed(0, 2) : [],
      totalCount: 250,
      pageKey: `key ${number}`,
    }))
    expect(await successesBeforeTheProblem({ limit: '1' })).toBeLessThanOrEqual(10)
  })

  test('the loop of a reader ends: two pages of NFTs in a circle', async () => {
    service.indexer.interfere({
      onRequest: ({ path }) => {
        const number = path.includes('pageKey=first') ? 1 : 0
        const pageKey = number === 0 ? 'first' : 'second'
        return { status: 200, body: { ownedNfts: allowed(number, 1), totalCount: 250, pageKey } }
      },
    })
    expect(await successesBeforeTheProblem({ limit: '1' })).toBeLessThanOrEqual(10)
  })

  test('the longest page key makes a cursor that the gateway accepts', async () => {
    const apiKey = await service.newProduct()
    const { address, chain } = gear
    const tokens = Array.from({ length: 100 }, (_, index) => `${index}`)
    const body = {
      contractAddress: address,
      chain,
      contractDescription: 'A hundred pieces of equipment.',
      tokens,
    }
    await service.call('POST /product/tokens', { apiKey, body })
    const [first, ...rest] = [tokens, tokens].map((ids, number) => ({
      ownedNfts: ids.map((id) => nft(`${Number(id) + 1_000 * (1 - number)}`)),
      totalCount: 200,
      pageKey: number === 0 ? long(2_046) : null,
    }))
    answerPages((number) => (number === 0 ? first : rest[0]) as Page)
    // The cursor has the key of the second page, and the marks of 99 of its 100 NFTs.
    const page = { apiKey, playerToken: sent.playerToken, query: { limit: '99' } } as Sent
    const { json } = await service.call('GET /player/tokens/raw', page)
    expect(json.data).toHaveLength(99)
    expect(json.nextCursor.length).toBeGreaterThan(3_800)
    answerPages(() => rest[0] as Page)
    const last = await service.call('GET /player/tokens/raw', {
      ...page,
      query: { cursor: json.nextCursor },
    })
    expect(last.json.data.map(({ tokenId }: { tokenId: string }) => tokenId)).toEqual(['99'])
    expect(last.json.nextCursor).toBeUndefined()
  })

  test('a service token that is no contract: 503, and the log names the setting', async () => {
    const { address: contractAddress } = samples.serviceToken
    const balance = { contractAddress, tokenBalance: '0x', error: null }
    service.indexer.interfere({
      onRequest: () => ({ status: 200, body: { id: 1, result: { tokenBalances: [balance] } } }),
    })
    const { playerToken } = sent
    const answer = await service.call('GET /player/details', { playerToken } as Sent)
    expectProblem(answer, 'indexer_unavailable')
    expect(answer.headers.get('retry-after')).toBe('60')
    const reason = 'configuration: SERVICE_TOKEN names no contract of its chain'
    await expect.poll(() => service.log.some((line) => line.includes(reason))).toBe(true)
  })
})

describe('D30: a failure of the indexer’s server is retried once', () => {
  test.each([500, 502, 504])('%i, then 200', async (status) => {
    const asked = new Set<string>()
    service.indexer.interfere({
      onRequest: ({ path }) => {
        if (asked.has(path)) return undefined
        asked.add(path)
        return { status, body: upstreamText }
      },
    })
    for (const id of readings) expect((await service.call(callName(id), sent)).status).toBe(200)
  })
})
