import type { ServerResponse } from 'node:http'
import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import {
  apiKey,
  contract,
  failureOf,
  inTime,
  max,
  onBsc,
  ownerJson,
  ownersJson,
  readOwners,
  stubIndexer,
} from './alchemy-stub.ts'
import { alice, bob } from './rpc-json.ts'

const takenFrom = async (json: string | Uint8Array) =>
  (await readOwners((await stubIndexer(json)).tokenOwners)).taken

describe('the owners of a contract', () => {
  test('are asked for with their balances', async () => {
    const { tokenOwners, requests } = await stubIndexer(ownersJson([]))
    expect(await readOwners(tokenOwners)).toEqual({ taken: [], next: undefined })
    await readOwners(tokenOwners, { pageKey: 'a key' })
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
      Array(2).fill(`GET /bnb-mainnet/nft/v3/${encodeURIComponent(apiKey)}/getOwnersForContract`),
    )
    const query = { contractAddress: contract, withTokenBalances: 'true' }
    expect(requests.map((each) => Object.fromEntries(each.query))).toEqual([
      query,
      { ...query, pageKey: 'a key' },
    ])
  })

  test.each([
    ['a text', '"1"', '"3"', { tokenId: '1', amount: 3n }],
    ['a number', '"1"', '3', { tokenId: '1', amount: 3n }],
    ['the largest text', `"${max}"`, `"${max}"`, { tokenId: `${max}`, amount: max }],
    ['the largest number', `${max}`, `${max}`, { tokenId: `${max}`, amount: max }],
    ['2^53 + 1, which JSON.parse rounds', '1', '9007199254740993', { amount: 2n ** 53n + 1n }],
    ['hexadecimal', '"0x0F"', '"0x0a"', { tokenId: '15', amount: 10n }],
    ['64 digits', `"0x${'f'.repeat(64)}"`, '1', { tokenId: `${max}`, amount: 1n }],
  ])('have amounts with all their digits: %s', async (_, tokenId, balance, expected) => {
    expect(await takenFrom(ownersJson([ownerJson(alice, [tokenId, balance])]))).toMatchObject([
      { owner: alice, ...expected },
    ])
  })

  test('are those who hold something: neither an amount of 0 nor the zero address', async () => {
    const entries = [
      ownerJson(alice, ['"1"', '0'], ['"2"', '"0"'], ['"3"', '1']),
      ownerJson(bob),
      ownerJson(`0x${'0'.repeat(40)}`, ['"4"', '1']),
      ownerJson(`0x${'A1'.repeat(20)}`, ['"5"', '1']),
    ]
    expect(await takenFrom(ownersJson(entries))).toEqual([
      { owner: alice, tokenId: '3', amount: 1n },
      { owner: alice, tokenId: '5', amount: 1n },
    ])
  })

  test.each([
    ['without one', '', undefined],
    ['with null', ',"pageKey":null', undefined],
    ['with one', ',"pageKey":"ä}]\\"{["', 'ä}]"{['],
  ])('have a page key: an answer %s', async (_, more, next) => {
    const { tokenOwners } = await stubIndexer(ownersJson([ownerJson(alice)], more))
    expect((await readOwners(tokenOwners)).next).toBe(next)
  })

  /** Braces, brackets and escapes in strings, in an entry and beside the list; other lists; members in any order. */
  const odd = `\n{ "pageKey" : "next", "a":"\\"owners\\":[{\\\\", "b":{"owners":[{"c":1}]}, "list":[{"d":[]}],
    "owners" :\t[ {"name":"ü}]\\\\\\"{[\\\\", "x":[[{}]], ${ownerJson(alice, ['"1"', `${max}`]).slice(1)} ,
    ${ownerJson(bob, ['"2"', '"7"'])} ], "y":{"x":{"v":1}}, "z":[] }\n`

  async function sendInChunks(response: ServerResponse, size: number) {
    const bytes = Buffer.from(odd)
    response.socket?.setNoDelay(true)
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  }

  test('are found among whatever else the answer has, wherever its chunks end', async () => {
    const expected = {
      taken: [
        { owner: alice, tokenId: '1', amount: max },
        { owner: bob, tokenId: '2', amount: 7n },
      ],
      next: 'next',
    }
    const { tokenOwners } = await stubIndexer((response, { query }) => {
      void sendInChunks(response, Number(query.get('pageKey')))
    })
    for (const size of [1, 2, 7, 1_000]) {
      expect(await readOwners(tokenOwners, { pageKey: `${size}` })).toEqual(expected)
    }
  })
})

describe('a page of any size', () => {
  test('is taken while it arrives: 20 MB, with an owner of the first half before the second is sent', async () => {
    const balances = numbers(1, 400).map((id): [string, string] => [`"${id}"`, '"1"'])
    const entries = numbers(1, 1_700).map((id) =>
      ownerJson(`0x${id.padStart(40, '0')}`, ...balances),
    )
    const json = ownersJson(entries)
    expect(json.length).toBeGreaterThan(20_000_000)
    let isTaken: () => void = () => undefined
    const firstTaken = new Promise<void>((resolve) => {
      isTaken = resolve
    })
    const { tokenOwners } = await stubIndexer((response) => {
      response.write(json.slice(0, json.length / 2))
      void firstTaken.then(() => response.end(json.slice(json.length / 2)))
    })
    let count = 0
    await tokenOwners.page({ contract: onBsc, deadline: inTime() }, () => {
      count += 1
      isTaken()
    })
    expect(count).toBe(680_000)
  })

  test('is read on when what was taken is written', async () => {
    const { tokenOwners } = await stubIndexer(
      ownersJson([ownerJson(alice, ['"1"', '1'], ['"2"', '1']), ownerJson(bob, ['"3"', '1'])]),
    )
    const calls: string[] = []
    await tokenOwners.page({ contract: onBsc, deadline: inTime() }, async ({ tokenId }) => {
      calls.push(`takes ${tokenId}`)
      await new Promise((resolve) => setImmediate(resolve))
      calls.push(`has ${tokenId}`)
    })
    expect(calls).toEqual(['1', '2', '3'].flatMap((each) => [`takes ${each}`, `has ${each}`]))
  })
})

describe('a call for owners', () => {
  test('is counted with its units, also if it fails', async () => {
    const { tokenOwners } = await stubIndexer((response, _, turn) =>
      response.end(turn === 0 ? ownersJson([]) : 'secret'),
    )
    const counts = await downstreamCalls.during(async () => {
      await readOwners(tokenOwners)
      await failureOf(readOwners(tokenOwners))
      return downstreamCalls.counts()
    })
    expect(counts).toEqual({ indexerCalls: 2, indexerFailures: 1, indexerUnits: 960 })
  })
})

describe('the block of the owners', () => {
  const at = '2026-06-01T00:00:00Z'
  const answer = (validAt: object) =>
    JSON.stringify({ ownedNfts: [], totalCount: 0, pageKey: null, validAt })

  test('is that of a page of one NFT', async () => {
    const validAt = { blockNumber: 100, blockTimestamp: at }
    const { tokenOwners, requests } = await stubIndexer(answer(validAt))
    const block = { number: 100, at: Date.parse(at) }
    expect(await tokenOwners.statedBlock(onBsc, inTime())).toEqual(block)
    const [{ path, query } = { path: '', query: undefined }] = requests
    expect(path).toMatch(/^\/bnb-mainnet\/nft\/v3\/.*\/getNFTsForOwner$/)
    expect(Object.fromEntries(query ?? [])).toMatchObject({
      ...{ owner: contract, 'contractAddresses[]': contract, pageSize: '1' },
      tokenUriTimeoutInMs: '0',
    })
  })

  test('is undefined if none is stated, and a malformed answer is a failure', async () => {
    const { tokenOwners } = await stubIndexer((response, _, turn) =>
      response.end(turn === 0 ? answer({}) : 'secret'),
    )
    expect(await tokenOwners.statedBlock(onBsc, inTime())).toBeUndefined()
    expect((await failureOf(tokenOwners.statedBlock(onBsc, inTime()))).reason).toMatch(/^malformed/)
  })
})
