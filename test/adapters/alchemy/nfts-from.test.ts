import { describe, expect, onTestFinished, test } from 'vitest'
import { alchemyIndexer } from '../../../lib/adapters/alchemy/alchemy-indexer.ts'
import { largestTokenId, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Indexer } from '../../../lib/domain/ports/indexer.ts'
import { ownedBy } from '../../../local/indexer/holdings.ts'
import { startIndexerServer } from '../../../local/indexer/indexer-server.ts'
import { createWorld } from '../../../local/indexer/world.ts'
import { numbers } from '../../../local/samples/samples.ts'
import { always, contract, failureOf, inTime, onBsc, owner, stubIndexer } from './alchemy-stub.ts'

const ask = (indexer: Indexer, from: string) =>
  indexer.nftsFrom({ contract: onBsc, from: from as TokenId, deadline: inTime() })

/** A page in the indexer's JSON. */
const pageJson = (tokenIds: readonly string[], pageKey?: string) =>
  JSON.stringify({ nfts: tokenIds.map((tokenId) => ({ tokenId })), pageKey })

const offset = (number: bigint) => `0x${number.toString(16).padStart(64, '0')}`

describe('D60: the NFTs of a contract from an identifier on', () => {
  test('D60: asks with the identifier as the offset', async () => {
    const { indexer, requests } = await stubIndexer(always(pageJson(['500', '0x1F5'], 'opaque')))
    expect(await ask(indexer, '499')).toEqual({ tokenIds: ['500', '501'], next: '502' })
    expect(Object.fromEntries(requests[0]?.query ?? [])).toEqual({
      contractAddress: contract,
      withMetadata: 'false',
      limit: '100',
      pageKey: offset(499n),
      startToken: offset(499n),
    })
  })

  test('D60: a contract of 250 NFTs is read from any place, and to its end', async () => {
    const world = createWorld()
    ownedBy(world, { network: 'bnb-mainnet', address: contract }, owner, numbers(1, 250))
    const server = await startIndexerServer({ world })
    onTestFinished(() => server.close())
    const indexer = alchemyIndexer(async () => 'key', { baseUrl: server.url })
    expect(await ask(indexer, '0')).toEqual({ tokenIds: numbers(1, 100), next: '101' })
    expect(await ask(indexer, '140')).toEqual({ tokenIds: numbers(140, 239), next: '240' })
    expect(await ask(indexer, '151')).toEqual({ tokenIds: numbers(151, 250) })
    expect(await ask(indexer, `${largestTokenId}`)).toEqual({ tokenIds: [] })
  })

  test('D60: a page without NFTs continues at its page key', async () => {
    const { indexer } = await stubIndexer(always(pageJson([], '0x2710')))
    expect(await ask(indexer, '5')).toEqual({ tokenIds: [], next: '10000' })
  })

  test.each([
    ['before the offset', ['4', '6'], undefined],
    ['in another order', ['9', '7'], undefined],
  ])('D39, D60: NFTs %s are malformed', async (_, tokenIds, pageKey) => {
    const { indexer } = await stubIndexer(always(pageJson(tokenIds, pageKey)))
    const { reason } = await failureOf(ask(indexer, '5'))
    expect(reason).toBe('malformed answer: NFTs that are not in the order of their identifiers')
  })

  test.each(['5', '3', 'next'])(
    'D39, D60: an empty page with the page key %s is malformed',
    async (pageKey) => {
      const { indexer } = await stubIndexer(always(pageJson([], pageKey)))
      const { reason } = await failureOf(ask(indexer, '5'))
      expect(reason).toBe('malformed answer: an empty page whose page key does not continue')
    },
  )

  test('D39, D60: a page after the largest identifier is malformed', async () => {
    const { indexer } = await stubIndexer(always(pageJson([`${largestTokenId}`], 'next')))
    const { reason } = await failureOf(ask(indexer, '5'))
    expect(reason).toBe('malformed answer: a page after the largest token identifier')
  })
})
