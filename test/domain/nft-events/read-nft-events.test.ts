import { describe, expect, test } from 'vitest'
import { TooManyWebhookContracts } from '../../../lib/domain/failures.ts'
import type { Chain } from '../../../lib/domain/nft/chain.ts'
import type { ChainStart } from '../../../lib/domain/nft-events/event-start.ts'
import type { LogEntry } from '../../../lib/domain/nft-events/nft-event.ts'
import { contractsWithoutEvents } from '../../../lib/domain/webhooks/contracts-with-webhooks.ts'
import { productId } from '../../support/memory/owned-nfts.ts'
import {
  blockOf,
  contractOf,
  deployment,
  hour,
  metadataOf,
  missedOf,
  now,
  transferOf,
  type World,
} from '../../support/nft-events/memory-deployment.ts'

describe('D119: the events of a product', () => {
  test('are those of allowlisted NFTs, one for each of a batch, and the missed ones', async () => {
    const logs = { 'POLYGON 1': [missedOf(10), transferOf(20, 1, 7, 3), transferOf(30, 8)] }
    const { read } = deployment({ logs })
    const { shown, next, since } = await read({ block: 0 })
    expect(shown).toEqual(['10 missed', '20 1', '20 3'])
    expect([next, since]).toEqual([new Map([['POLYGON', { block: 604_701 }]]), blockOf(604_700).at])
  })

  test.each([
    ['a range that covers one', 50, 60, ['20 metadata']],
    ['a range that covers none', 70, 80, []],
    ['an identifier', 3, 3, ['20 metadata']],
    ['the identifiers around it', 4, 49, []],
    ['the first identifier', 0, 1, ['20 metadata']],
  ])('of new metadata, if it covers an allowlisted NFT: %s', async (_, from, to, expected) => {
    const contracts = [contractOf(1, 'POLYGON', [{ first: 55n, last: 58n }])]
    const { read } = deployment({ contracts, logs: { 'POLYGON 1': [metadataOf(20, from, to)] } })
    expect((await read({ block: 0 })).shown).toEqual(expected)
  })

  test('begin with a time, and go on from it until the log has come so far', async () => {
    const logs = { 'POLYGON 1': [transferOf(604_000, 1), transferOf(604_600, 2)] }
    const { read } = deployment({ logs })
    const since = blockOf(604_600).at
    expect(await read({ since })).toMatchObject({
      shown: ['604600 2'],
      next: new Map([['POLYGON', { block: 604_701 }]]),
    })
    expect(await read({ since: since + 1 })).toMatchObject({ shown: [] })
    expect((await read({ since: now })).next).toEqual(new Map([['POLYGON', { since: now }]]))
  })

  test('are of the last seven days, whatever DynamoDB has not deleted yet', async () => {
    const early = { ...transferOf(1, 1), block: { ...blockOf(1), at: now - 169 * hour } }
    const { read } = deployment({ logs: { 'POLYGON 1': [early, transferOf(2, 2)] } })
    expect((await read({ block: 0 })).shown).toEqual(['2 2'])
  })

  test('stop at the limit, and go on within a batch', async () => {
    const { read } = deployment({ logs: { 'POLYGON 1': [transferOf(20, 1, 7, 2, 3)] } })
    const first = await read({ block: 0 }, 2)
    expect([first.shown, first.next]).toEqual([
      ['20 1', '20 2'],
      new Map([['POLYGON', { block: 20, logIndex: 0, place: 3 }]]),
    ])
    expect((await read({ block: 20, logIndex: 0, place: 3 })).shown).toEqual(['20 3'])
  })

  test('look up 2,000 NFTs at most, and go on after them', async () => {
    const many = Array.from({ length: 500 }, (_, index) => index + 100)
    const entries = [20, 30, 40, 50, 60].map((block) => transferOf(block, ...many))
    const { read, looked } = deployment({ logs: { 'POLYGON 1': [...entries, transferOf(70, 1)] } })
    const { shown, next } = await read({ block: 0 })
    expect([shown, looked, next]).toEqual([
      [],
      [2_000],
      new Map([['POLYGON', { block: 50, logIndex: 0, place: 500 }]]),
    ])
    expect((await read({ block: 50, logIndex: 0, place: 500 })).shown).toEqual(['70 1'])
  })

  test('are none of a chain whose log has not begun, or that is not followed', async () => {
    const contracts = [contractOf(1), contractOf(2, 'BSC'), contractOf(3, 'BASE')]
    const { read } = deployment({ contracts, positions: [] })
    expect(await read({ block: 7 })).toEqual({
      ...{ shown: [], hasMore: false, since: now, notFollowed: ['BASE'] },
      next: new Map<Chain, ChainStart>([
        ['POLYGON', { block: 7 }],
        ['BSC', { since: now }],
      ]),
    })
  })
})

describe('D139: a contract whose events the source refuses', () => {
  const contracts = [contractOf(1), contractOf(2, 'BASE')]

  test('has its chain named while it is suspended', async () => {
    const { read } = deployment({ contracts, refusedUntil: now + 1 })
    expect((await read()).notFollowed).toEqual(['BASE', 'POLYGON'])
    const later = deployment({ contracts, refusedUntil: now })
    expect((await later.read()).notFollowed).toEqual(['BASE'])
  })

  test('has it named in the list of webhooks, too, if its events are logged', async () => {
    const lookUps: number[] = []
    const lease = { watchedUntil: 0, pushedUntil: 0, refusedUntil: now + 1 }
    const ports = {
      contracts: { list: async () => [contractOf(1), contractOf(2, 'BSC'), contractOf(3, 'BASE')] },
      nftEventLog: {
        leases: async (all: readonly unknown[]) => {
          lookUps.push(all.length)
          return all.map(() => lease)
        },
      },
    }
    const settings = { followedChains: ['POLYGON', 'BSC'] as const, webhookContracts: 1 }
    expect(await contractsWithoutEvents(productId, now, ports, settings)).toEqual({
      notFollowed: ['BASE', 'POLYGON'],
      contractsOverLimit: true,
    })
    expect(lookUps).toEqual([1])
  })
})

describe('D119: nothing is lost', () => {
  const contracts = [contractOf(1), contractOf(2), contractOf(3)]

  test('between missed events of several contracts before one block, whatever the limit', async () => {
    const logs = Object.fromEntries(
      contracts.map(({ address }) => [`POLYGON ${Number(address)}`, [missedOf(10)]]),
    )
    const { read } = deployment({ contracts, logs })
    expect((await read({ block: 0 }, 1)).shown).toEqual(['10 missed', '10 missed', '10 missed'])
  })

  test('between missed events of one contract before one block, where a page of its log ends', async () => {
    const replaced: LogEntry = {
      ...missedOf(10),
      content: { kind: 'missed', reason: 'reorganization', toBlock: 9 },
    }
    const log = [transferOf(5, 9), missedOf(10), replaced, transferOf(20, 2)]
    const { read } = deployment({ logs: { 'POLYGON 1': log } })
    const first = await read({ block: 0 }, 1)
    const start = first.next.get('POLYGON') ?? { block: 0 }
    expect([first.shown, (await read(start)).shown]).toEqual([
      [],
      ['10 missed', '10 missed', '20 2'],
    ])
  })
})

describe('D119: a read watches the contracts of the product', () => {
  test.each([
    ['that nobody watches', 0, [[1, 24 * hour]]],
    ['whose watch is an hour old', now + 23 * hour - 1, [[1, 24 * hour]]],
    ['but not those whose watch is new', now + 23 * hour, [[0, 24 * hour]]],
  ])('%s', async (_, watchedUntil, expected) => {
    const { read, watches } = deployment({ watchedUntil })
    await read()
    expect(watches).toEqual(expected)
  })

  test.each([
    [999, now - 1, false],
    [1_000, now - 1, true],
    [1_000, now + hour, false],
  ])(
    'unless %i are watched in the deployment, and this one until %i: refused %s',
    async (contracts, watchedUntil, isRefused) => {
      const positions: World['positions'] = [
        ['POLYGON', { loggedUpTo: blockOf(1), contracts: 400 }],
        ['BSC', { loggedUpTo: blockOf(1), contracts: contracts - 400 }],
      ]
      const { read } = deployment({ positions, watchedUntil })
      if (isRefused) await expect(read()).rejects.toThrow(TooManyWebhookContracts)
      else await read()
    },
  )
})
