import { numbers } from '@player-nfts/local/samples'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Address } from '../../lib/domain/nft/address.ts'
import { tableOf } from '../support/aws/stored-items.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { type Holder, keptReads, tokenIdsOf } from '../support/requests/kept-reads.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { entriesOf, productWith, readThrough } from '../support/requests/reading.ts'
import { nameOf, startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const { holder, change, confirm, keep, know, reader } = keptReads(service)

const failing = { isDown: false }
service.interfere((request) =>
  failing.isDown && nameOf(request) === 'getNFTsForOwner' ? { status: 500 } : undefined,
)
beforeEach(() => confirm())
afterEach(() => {
  failing.isDown = false
})

const withHeader = (value: string) => ({ headers: { 'cache-control': value } })
const stale = withHeader('stale-if-error=600')

/** A holder of 1, 2 and 3 of contracts, of which the first one is kept with some of them, and with the metadata of 1 and 2. */
async function keptHolder(contracts = 1, held = ['1', '2']): Promise<Holder> {
  const of = await holder({ chains: Array.from({ length: contracts }, () => 'POLYGON') })
  await keep(of.contract, of.wallets, held)
  await know(of.contract, ['1', '2'])
  return of
}

const seconds = (count: number) => Date.now() - count * 1_000

/** The requests of a read of a new container that asks for everything. */
const asking = { GetSecretValue: 1, GetItem: 1, Query: 1, BatchGetItem: 2, getNFTsForOwner: 1 }

describe('D156: what is asked', () => {
  test.each<[string, number, string, boolean]>([
    ['the confirmed block is not older than 60 seconds', 55, '', false],
    ['the confirmed block is older than 60 seconds', 61, '', true],
    ['the caller accepts a lower age', 12, 'max-age=10', true],
  ])('if %s', async (_, age, header, isAsked) => {
    const of = await keptHolder()
    await confirm(seconds(age))
    const counts = await service.countsOf(async () => {
      const answer = await reader()(of, header ? withHeader(header) : {})
      expect(tokenIdsOf(answer)).toEqual(numbers(1, isAsked ? 3 : 2))
      expect(Math.abs(Date.parse(answer.json.asOf) - seconds(isAsked ? 0 : age))).toBeLessThan(9e3)
    })
    expect('getNFTsForOwner' in counts).toBe(isAsked)
  })

  test('no position is read for a caller who accepts nothing that is kept', async () => {
    const of = await keptHolder()
    const counts = await service.countsOf(() => reader()(of, withHeader('no-cache')))
    // The read of the contract is counted.
    expect(counts).toEqual({ ...asking, UpdateItem: 1 })
  })

  test('Budget: a deployment that keeps nothing asks with no other requests', async () => {
    const of = await keptHolder()
    const read = reader({ KEPT_CONTRACTS: '0' })
    const counts = await service.countsOf(() => read(of))
    expect(counts).toEqual(asking)
  })
})

describe('D156: stale-if-error', () => {
  test('gives what is kept while the indexer is down and the follower behind, and says so', async () => {
    const of = await keptHolder()
    failing.isDown = true
    const at = seconds(300)
    await confirm(at)
    expectProblem(await reader()(of), 'indexer_unavailable')
    expectProblem(await reader()(of, withHeader('stale-if-error=200')), 'indexer_unavailable')
    const answer = await reader()(of, withHeader('no-cache, stale-if-error=600'))
    expect(tokenIdsOf(answer)).toEqual(['1', '2'])
    expect(answer.json).toMatchObject({
      success: true,
      stale: true,
      asOf: new Date(at).toISOString(),
    })
    await confirm()
    expect((await reader()(of, stale)).json).not.toHaveProperty('stale')
  })

  test('goes on with the cursor of a stale answer', async () => {
    const of = await keptHolder()
    failing.isDown = true
    await confirm(seconds(300))
    const first = await reader()(of, { ...stale, query: { limit: '1' } })
    const query = { limit: '1', cursor: first.json.nextCursor }
    const second = await reader()(of, { query })
    expect([first, second].flatMap(tokenIdsOf)).toEqual(['1', '2'])
    expect(second.json).toMatchObject({ stale: true })
  })
})

test('D156: a cursor given out while a contract was kept has expired once it is not, or once no chain is followed', async () => {
  const of = await keptHolder()
  const first = await reader()(of, { query: { limit: '1' } })
  const next = { query: { limit: '1', cursor: first.json.nextCursor } }
  expect(tokenIdsOf(await reader()(of, next))).toEqual(['2'])
  expectProblem(await reader({ FOLLOWED_CHAINS: '' })(of, next), 'cursor_expired')
  const ended = { reason: 'gap', at: Date.now() } as const
  const { chain, address } = of.contract
  await change({ chain, address }, { snapshot: undefined, log: undefined, ended })
  expectProblem(await reader()(of, next), 'cursor_expired')
  expect(tokenIdsOf(await reader()(of))).toEqual(numbers(1, 3))
})

/** A limit by the day gives nothing back during a test. */
const limited = { INDEXER_CALLS_PER_PRODUCT_AND_DAY: '1' }
const anew = withHeader('no-cache')

/** The counters of all products. */
const counters = async () =>
  (await tableOf(service).itemsUnder('PRODUCT#')).filter(({ sk }) => sk === 'LIMITS')

/** A player of a product that has exhausted its indexer calls, with NFTs of a kept contract. */
async function exhausted(held?: string[]) {
  const of = await keptHolder(1, held)
  const read = reader(limited, Date.now())
  await read(of, anew)
  return { of, read }
}

describe('D156: a product that has exhausted its indexer calls', () => {
  test('Budget: gets what is kept, with no other requests than before', async () => {
    const { of, read } = await exhausted()
    expectProblem(await read(of, anew), 'rate_limited')
    await read(of)
    const counts = await service.countsOf(async () => {
      expect((await read(of)).json.data).toHaveLength(2)
    })
    // The counters are read together with the product, and the allowlist (D96).
    expect(counts).toEqual({ Query: 2, BatchGetItem: 1 })
  })

  test('is refused when the indexer has to be asked, which makes no call and counts none', async () => {
    const { of, read } = await exhausted()
    const before = await counters()
    expect(before.length).toBeGreaterThan(0)
    const counts = await service.countsOf(async () => {
      const answer = await read(of, anew)
      expectProblem(answer, 'rate_limited')
      const limit = { name: 'indexer_calls_by_day', count: 1, perSeconds: 86_400 }
      expect(answer.json.limit).toEqual(limit)
      // An exhausted limit is no failure of the indexer.
      const orStale = withHeader('no-cache, stale-if-error=600')
      expectProblem(await read(of, orStale), 'rate_limited')
    })
    expect(counts).not.toHaveProperty('getNFTsForOwner')
    expect(await counters()).toEqual(before)
  })

  test('gets an NFT whose metadata nobody has without it', async () => {
    const { of, read } = await exhausted(['1', '2', '3'])
    expect((await read(of)).json.data).toMatchObject([
      { tokenId: '1' },
      { tokenId: '2' },
      { tokenId: '3', metadataError: 'indexer_unavailable' },
    ])
  })

  test('D47: is refused before its input is judged where nothing is kept', async () => {
    const { of, read } = await exhausted()
    const counts = await service.countsOf(async () => {
      const answer = await reader({ ...limited, KEPT_CONTRACTS: '0' })(of, {
        query: { limit: 'many' },
      })
      expectProblem(answer, 'rate_limited')
    })
    expect(counts).toEqual({ GetItem: 1, BatchGetItem: 1, Query: 1, GetSecretValue: 1 })
    expectProblem(await read(of, { query: { limit: 'many' } }), 'invalid_request')
  })
})

describe('D157: getContracts', () => {
  const chain = 'POLYGON'
  const keepingTwo = { FOLLOWED_CHAINS: chain, KEPT_CONTRACTS: '2' }

  /** The ownership of contracts on these chains that a product lists, in their order, in pages of one. */
  async function ownershipOf(
    chains: readonly string[],
    variables: Record<string, string>,
    prepare: (addresses: readonly Address[]) => Promise<unknown> = async () => undefined,
  ): Promise<unknown[]> {
    const addresses = chains.map(() => newAddress() as Address).sort()
    const lists = addresses.map((address, index) => ({
      ...{ chain: chains[index] ?? '', address, tokenIds: ['1'] },
    }))
    const apiKey = await productWith(service, ...lists)
    await prepare(addresses)
    const host = service.newContainers(variables)
    const list = (_: string, sent: Sent = {}) => invokeFunction(host, 'getContracts', sent)
    const sent = { apiKey, query: { limit: '1' } }
    const answers = await readThrough({ ...service, call: list }, 'getContracts', sent)
    return entriesOf(answers).map(({ ownership }) => ownership)
  }

  test('says of each contract whether it is kept', async () => {
    const at = Date.now() - 3_600_000
    const snapshot = { id: 's1', standard: 'ERC721', step: 1, since: 1, at } as const
    const chains = ['BSC', chain, chain, chain]
    const listed = await ownershipOf(chains, keepingTwo, async ([, kept, , above]) => {
      for (const address of [kept, above]) {
        if (address) await change({ chain, address }, { snapshot })
      }
    })
    expect(listed).toEqual([
      { kept: false, reason: 'chain_not_followed' },
      { kept: true, since: new Date(at).toISOString() },
      { kept: false, reason: 'not_read' },
      // Also if another product keeps it.
      { kept: false, reason: 'above_limit' },
    ])
  })

  test.each([
    ['follows no chain', {}],
    ['keeps no contract', { ...keepingTwo, KEPT_CONTRACTS: '0' }],
  ])('says nothing of it in a deployment that %s', async (_, variables) => {
    expect(await ownershipOf([chain], variables)).toEqual([undefined])
  })
})
