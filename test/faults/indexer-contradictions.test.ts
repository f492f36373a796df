import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { samples } from '../../local/samples/samples.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import type { ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import type { Sent } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { type FaultyService, startFaultyService } from '../support/services/faulty-service.ts'

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
}

/** Answers each request for a page of a wallet with this page, whose number in its wallet starts at 0. */
function answerPages(pageOf: (number: number) => Page): void {
  const wallets = new Map<string, number>()
  service.indexer.interfere({
    onRequest: ({ path }: ProxiedRequest) => {
      const owner = new URLSearchParams(path.split('?')[1]).get('owner') ?? ''
      const number = wallets.get(owner) ?? 0
      wallets.set(owner, number + 1)
      return { status: 200, body: pageOf(number) }
    },
  })
}

const long = (length: number) => 'k'.repeat(length)

describe('D39: contradictory pages of the indexer', () => {
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
})
