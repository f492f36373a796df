import { describe, expect, test } from 'vitest'
import {
  always,
  askPage,
  contract,
  failureOf,
  inTime,
  onBsc,
  owner,
  pageJson,
  stubIndexer,
} from './alchemy-stub.ts'

describe('the indexer key', () => {
  const calls = {
    ownedNfts: pageJson([]),
    balance: `{"id":1,"result":{"tokenBalances":[{"contractAddress":"${contract}","tokenBalance":"0x0"}]}}`,
  }

  test.each([401, 403])('rejected with %i is read again, once', async (status) => {
    const asked: unknown[] = []
    const { indexer, requests } = await stubIndexer(
      (response, { path }) =>
        path.includes('new-secret')
          ? response.end(path.includes('/v2/') ? calls.balance : calls.ownedNfts)
          : response.writeHead(status).end('"secret"'),
      async (options) => {
        asked.push(options)
        return options?.anew ? 'new-secret' : 'old-secret'
      },
    )
    expect(await askPage(indexer)).toEqual({ nfts: [] })
    expect(await indexer.balance({ token: onBsc, owner, deadline: inTime() })).toBe(0n)
    expect(asked).toEqual([undefined, { anew: true }, undefined, { anew: true }])
    expect(requests).toHaveLength(4)
  })

  test('is read by a call that is prepared, once, and again if that read fails', async () => {
    const keys = [Promise.reject(new Error('no answer')), Promise.resolve('secret')]
    let asked = 0
    const { indexer, requests } = await stubIndexer(always(calls.ownedNfts), () => {
      asked += 1
      return keys.shift() ?? Promise.resolve('secret')
    })
    indexer.prepare()
    indexer.prepare()
    expect(asked).toBe(1)
    expect(await askPage(indexer)).toEqual({ nfts: [] })
    expect([asked, requests.length]).toEqual([2, 1])
  })

  test('rejected again fails the call', async () => {
    const { indexer, requests } = await stubIndexer((response) => response.writeHead(401).end())
    expect((await failureOf(askPage(indexer))).reason).toBe('HTTP 401')
    expect(requests).toHaveLength(2)
  })

  test('D56: refused again with 403 names the network, and neither the key nor the URL', async () => {
    const { indexer, requests } = await stubIndexer((response) =>
      response.writeHead(403).end('"secret"'),
    )
    const calls = {
      'polygon-mainnet': () => askPage(indexer),
      'bnb-mainnet': () => indexer.balance({ token: onBsc, owner, deadline: inTime() }),
    }
    for (const [network, call] of Object.entries(calls)) {
      const failure = await failureOf(call())
      expect(failure.reason).toBe(
        `HTTP 403: is the network ${network} enabled in the app of the key?`,
      )
      expect(`${failure.message} ${failure.stack}`).not.toMatch(/secret|127\.0\.0\.1/)
    }
    expect(requests).toHaveLength(4)
  })

  test('that cannot be read fails the call with the error of the reader', async () => {
    const trouble = new Error('no secret to be had')
    const { indexer } = await stubIndexer(always(''), () => Promise.reject(trouble))
    await expect(askPage(indexer)).rejects.toBe(trouble)
  })
})
