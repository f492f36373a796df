import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { entriesOf, productWith, readThrough } from '../support/requests/reading.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newPlayer } = service
const { collections, players } = samples
const read = 'GET /player/tokens'

const apiKey = await productWith(service, ...Object.values(collections))
const { playerToken } = await newPlayer(players.oneWallet.wallets)
const large = await newPlayer(players.largeWallet.wallets)

/** The formatted metadata of the given tokens of a collection, as returned to that player. */
async function formatted(
  { address }: { address: string },
  tokenIds: readonly string[],
  player: { playerToken: string } = { playerToken },
) {
  const { json } = await call(read, { apiKey, playerToken: player.playerToken })
  return tokenIds.map((wanted) => {
    const found = json.data.find(
      (entry: { tokenId: string; address: string }) =>
        entry.tokenId === wanted && entry.address === address,
    )
    return found?.formattedMetadata
  })
}

describe('4.9 Get NFT metadata, structured', () => {
  test('D24: selects, orders and identifies NFTs as operation 8 does', async () => {
    for (const query of [{}, { chains: 'BSC' }, { chains: 'POLYGON,BSC' }, { chains: 'MUMBAI' }]) {
      const [structured, raw] = await Promise.all(
        [read, `${read}/raw`].map((operation) => call(operation, { apiKey, playerToken, query })),
      )
      const rest = raw?.json.data.map(({ rawMetadata: _, ...entry }: Record<string, unknown>) => ({
        ...entry,
        formattedMetadata: expect.anything(),
      }))
      expect(structured?.json.data).toEqual(rest)
    }
  })

  test('2.4: formattedMetadata has its four members, and each attribute its two', async () => {
    const { json } = await call(read, { apiKey, playerToken })
    for (const { formattedMetadata } of json.data) {
      expect(formattedMetadata).toEqual({
        name: expect.any(String),
        description: expect.any(String),
        image: expect.toSatisfy((image) => image === null || URL.canParse(image)),
        attributes: expect.any(Array),
      })
      for (const attribute of formattedMetadata.attributes) {
        expect(attribute).toEqual({ name: expect.any(String), value: expect.any(String) })
      }
    }
  })

  test('D25: following nextCursor returns every NFT', async () => {
    const sent = { apiKey, playerToken: large.playerToken, query: { limit: '90' } }
    const answers = await readThrough(service, read, sent)
    const names = entriesOf(answers).map(({ address, tokenId }) => `${address}/${tokenId}`)
    expect(names).toHaveLength(304)
    expect(new Set(names).size).toBe(304)
  })
})

describe('4.9: formatted metadata (D134)', () => {
  test('attributes with trait_type; numbers as written in the source', async () => {
    const [keeper] = await formatted(collections.keepers, ['7'])
    expect(keeper.attributes).toEqual([
      { name: 'Lamp', value: expect.stringMatching(/\w/) },
      { name: 'Temperament', value: expect.stringMatching(/^[A-Z][a-z]+$/) },
      { name: 'Watch', value: '3' },
      { name: 'Night Sight', value: '5.5' },
    ])
    expect(keeper.description).toMatch(/^Keeper of /)
    expect(keeper.image).toMatch(/^https?:\/\/.+\/ipfs\/[a-z2-7]+\/7\.svg$/)
  })

  test('attributes with both a name and a trait_type use the name', async () => {
    const [gear] = await formatted(collections.gear, ['3'])
    expect(gear.attributes).toEqual([
      { name: 'maker', value: expect.stringMatching(/\w/) },
      { name: 'weight', value: '20.0' },
      { name: 'tier', value: '4' },
    ])
    expect(gear.image).toMatch(/^https?:\/\/.+\/ipfs\/[a-z2-7]+\/3\.svg$/)
  })

  test('an ar: image, an image_url, and no attributes at all', async () => {
    const [onArweave, onHttps] = await formatted(collections.vessels, ['12', '31'])
    expect(onArweave.image).toMatch(/^https?:\/\/.+\/[\w-]{43}\/12\.svg$/)
    expect(onArweave.attributes).toEqual([])
    expect(onHttps.image).toBe('https://assets.brindlewake.example/vessels/31.png')
    expect(onHttps.attributes).toHaveLength(3)
  })

  test('D134: the entry counts the attributes that were left out, if there are any', async () => {
    const cabinet = await newPlayer(players.threeWallets.wallets.slice(2))
    const { json } = await call(read, { apiKey, playerToken: cabinet.playerToken })
    const leftOut = json.data.flatMap((entry: Record<string, unknown>) =>
      'attributesLeftOut' in entry ? [[entry['tokenId'], entry['attributesLeftOut']]] : [],
    )
    expect(leftOut).toEqual([
      ['1', 1],
      ['7', 3],
    ])
  })

  test('D26: the entry names the reason for missing metadata', async () => {
    const cabinet = await newPlayer(players.threeWallets.wallets.slice(2))
    const { json } = await call(read, { apiKey, playerToken: cabinet.playerToken })
    expect(json.data.map((entry: Record<string, unknown>) => entry['metadataError'])).toEqual([
      undefined,
      undefined,
      'not_available',
      'not_an_object',
      ...Array(4).fill(undefined),
    ])
  })
})
