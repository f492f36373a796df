import { describe, expect, test } from 'vitest'
import { parseTokenId } from '../../../lib/domain/allowlist/token-id.ts'
import {
  always,
  askPage,
  contract,
  elsewhere,
  failureOf,
  inTime,
  nftJson,
  onBsc,
  pageJson,
  stubIndexer,
} from './alchemy-stub.ts'

const rawWith = (error: string) => `{"tokenUri":"","metadata":{},"error":${JSON.stringify(error)}}`
const raw = rawWith('Token does not exist')

/** The NFTs of a page with these members of one NFT, beside an ordinary one. */
async function readWith(members: Record<string, string | undefined>) {
  const { indexer } = await stubIndexer(always(pageJson([nftJson(), nftJson(members)])))
  return (await askPage(indexer)).nfts.map(({ tokenId, balance }) => [tokenId, balance])
}

const failureWith = async (members: Record<string, string | undefined>) =>
  (await failureOf(readWith(members))).reason

describe('D135: an NFT without a token identifier or a balance', () => {
  test.each<[string, Record<string, string | undefined>]>([
    ['neither', { tokenId: undefined, balance: undefined, raw }],
    ['no token identifier', { tokenId: 'null', raw }],
    ['no balance', { tokenId: '"7"', balance: 'null', raw }],
    ['the error in its other place', { tokenId: undefined, error: '"Token does not exist."' }],
  ])('is left out if the indexer says that it does not exist: %s', async (_, members) => {
    expect(await readWith(members)).toEqual([['1', '1']])
  })

  test('counts as sent', async () => {
    const nfts = [1, 2].map(() => nftJson({ tokenId: undefined, raw }))
    const { indexer } = await stubIndexer(always(pageJson(nfts)))
    expect((await askPage(indexer)).nfts).toEqual([])
  })

  test.each<[string, Record<string, string | undefined>]>([
    ['no error', { tokenId: undefined }],
    ['another error', { tokenId: undefined, raw: rawWith('Token uri timed out') }],
    ['a longer text', { tokenId: '""', raw: rawWith('It is not so that: Token does not exist') }],
  ])('fails otherwise, and the reason names the contract: %s', async (_, members) => {
    const reason = `malformed answer: an NFT without a token identifier, of POLYGON ${contract}`
    expect(await failureWith(members)).toBe(reason)
  })

  test('and the reason names the token if the NFT does', async () => {
    expect(await failureWith({ tokenId: '"0x11"', balance: undefined })).toBe(
      `malformed answer: an NFT without a balance, POLYGON ${contract} 17`,
    )
  })

  test('of another contract fails, whether it exists or not', async () => {
    const members = { contract: `{"address":"${elsewhere}"}`, tokenId: undefined, raw }
    expect(await failureWith(members)).toBe('malformed answer: an NFT of another contract')
  })

  test('is missing in a batch of metadata, as one that the indexer does not send', async () => {
    const nft = nftJson({ tokenId: undefined, raw })
    const { indexer } = await stubIndexer(always(`{"nfts":[${nft}]}`))
    const tokenIds = ['1'].flatMap((text) => parseTokenId(text) ?? [])
    const asked = { contract: onBsc, tokenIds, fromSource: false, deadline: inTime() }
    expect(await indexer.metadata(asked)).toMatchObject([{ tokenId: '1', isMissing: true }])
  })

  test('is left out of the NFTs of a contract', async () => {
    const nfts = [{ tokenId: '1' }, { error: 'Token does not exist' }]
    const { indexer } = await stubIndexer(always(JSON.stringify({ nfts })))
    const asked = { contract: onBsc, limit: 100, deadline: inTime() }
    expect(await indexer.contractNfts(asked)).toEqual({ tokenIds: ['1'] })
  })
})

describe('D135: a balance', () => {
  test.each([
    ['"3"', '3'],
    ['3', '3'],
    ['9007199254740993', '9007199254740993'],
    [`${2n ** 256n - 1n}`, `${2n ** 256n - 1n}`],
  ])('of %s is %s', async (balance, expected) => {
    expect(await readWith({ tokenId: '"2"', balance })).toEqual([
      ['1', '1'],
      ['2', expected],
    ])
  })

  test('of 0 as a number is not in the wallet', async () => {
    expect(await readWith({ tokenId: '"2"', balance: '0' })).toEqual([['1', '1']])
  })
})
