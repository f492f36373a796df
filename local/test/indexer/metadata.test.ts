import { beforeEach, describe, expect, test } from 'vitest'
import { ownedBy } from '../../indexer/holdings.ts'
import { refreshIntervalMs, setSource, unreadable } from '../../indexer/metadata-cache.ts'
import {
  contract,
  type Nft,
  numbered,
  other,
  polygon,
  startIndexerForTests,
  wallet,
} from './indexer-calls.ts'

const { clock, indexer, page, post, read, world } = await startIndexerForTests()

/** The text of an answer with an NFT, whose metadata are perhaps refreshed. */
async function textOf(contractAddress: string, tokenId: string, refreshCache = false) {
  const body = JSON.stringify({ tokens: [{ contractAddress, tokenId }], refreshCache })
  const url = `${indexer.url}/${polygon}/nft/v3/any-key/getNFTMetadataBatch`
  return await (await fetch(url, { method: 'POST', body })).text()
}

describe('raw metadata', () => {
  const odd =
    ' {"b": 5.0, "10": 1.50e-7, "2": 12345678901234567890,\n"__proto__": {"x":null}, "constructor":null, "s":"\\u00e9é\\ud800 提"} '
  const deep = `{"d":${'['.repeat(10_000)}${']'.repeat(10_000)}}`

  test('is the text of the source, byte for byte, in every response', async () => {
    const texts = [odd, deep, '[1, 2]', '"text"', '7', 'null', '{}']
    ownedBy(world, { network: polygon, address: contract }, wallet, numbered(texts.length), {
      metadata: (tokenId) => texts[Number(tokenId)] ?? '',
    })
    const owned = await read('getNFTsForOwner', { owner: wallet })
    for (const [tokenId, text] of texts.entries()) {
      expect(await textOf(contract, `${tokenId}`)).toContain(`"metadata":${text},"error":null}`)
      expect(owned.text).toContain(`"metadata":${text},"error":null}`)
    }
    expect(JSON.parse(owned.text).ownedNfts).toHaveLength(texts.length)
  })

  test('is {} with a reason if there is none', async () => {
    const nft = { network: polygon, address: contract, tokenId: '1' } as const
    ownedBy(world, nft, wallet, ['1'])
    setSource(world, nft, unreadable('IPFS gateway timed out'))
    await textOf(contract, '1', true)
    const raw = { metadata: {}, error: 'IPFS gateway timed out' }
    expect((await page({ owner: wallet })).ownedNfts[0]).toMatchObject({ raw })
    expect(JSON.parse(await textOf(other, '1')).nfts[0]).toMatchObject({
      contract: { tokenType: 'NOT_A_CONTRACT', spamClassifications: [] },
      raw: { metadata: {}, error: 'Contract does not have any code' },
    })
  })

  test('must be JSON', () => {
    ownedBy(world, { network: polygon, address: contract }, wallet, ['1'])
    const nft = { network: polygon, address: contract, tokenId: '1' } as const
    for (const metadata of ['', '{', '{} {}', '"\ud800"']) {
      expect(() => setSource(world, nft, { metadata })).toThrow(SyntaxError)
    }
  })
})

describe('a refresh of metadata', () => {
  const nft = { network: polygon, address: contract, tokenId: '1' } as const
  const batch = async (
    refreshCache: boolean,
    tokens: unknown[] = [{ contractAddress: contract, tokenId: '1' }],
  ) => {
    const body = { tokens, refreshCache, tokenUriTimeoutInMs: 5000 }
    const { status, json } = await post('nft/v3/k/getNFTMetadataBatch', body)
    expect(status).toBe(200)
    return (json as { nfts: Nft[] }).nfts
  }
  const says = (text: string) => ({ metadata: `{"says":"${text}"}` })

  beforeEach(() => {
    clock.now += refreshIntervalMs
    ownedBy(world, { network: polygon, address: contract }, wallet, ['1', '2'], {
      metadata: () => says('before').metadata,
    })
  })

  test('replaces the cached metadata at most once in 15 minutes', async () => {
    setSource(world, nft, says('after'))
    expect((await batch(false))[0]?.raw.metadata).toEqual({ says: 'before' })
    const [refreshed] = await batch(true)
    expect(refreshed?.raw.metadata).toEqual({ says: 'after' })
    expect(refreshed?.timeLastUpdated).toBe(new Date(clock.now).toISOString())
    setSource(world, nft, says('later'))
    clock.now += refreshIntervalMs - 1
    expect((await batch(true))[0]?.raw.metadata).toEqual({ says: 'after' })
    clock.now += 1
    expect((await batch(true))[0]?.raw.metadata).toEqual({ says: 'later' })
    expect((await page({ owner: wallet })).ownedNfts[0]?.raw.metadata).toEqual({ says: 'later' })
  })

  test('has a limit of 15 minutes for each token, also after a failure', async () => {
    setSource(world, nft, unreadable('Throttled token uri'))
    setSource(world, { ...nft, tokenId: '2' }, says('after'))
    expect((await batch(true))[0]?.raw).toMatchObject({
      metadata: {},
      error: 'Throttled token uri',
    })
    setSource(world, nft, says('mended'))
    const tokens = ['1', '2'].map((tokenId) => ({ contractAddress: contract, tokenId }))
    const [first, second] = await batch(true, tokens)
    expect(first?.raw.error).toBe('Throttled token uri')
    expect(second?.raw.metadata).toEqual({ says: 'after' })
  })

  test('accepts at most 100 tokens, and keeps their order', async () => {
    const tokens = (count: number) =>
      numbered(count).map((one) => ({
        contractAddress: contract,
        tokenId: `${count - Number(one)}`,
      }))
    expect((await batch(false, tokens(100))).map(({ tokenId }) => tokenId)).toEqual(
      tokens(100).map(({ tokenId }) => tokenId),
    )
    const many = await post('nft/v3/k/getNFTMetadataBatch', { tokens: tokens(101) })
    expect(many).toEqual({
      status: 400,
      json: {
        error: { message: 'Sorry, this endpoint only supports up to 100 tokens per request.' },
      },
    })
  })
})
