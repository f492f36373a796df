import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { productWith } from '../support/requests/reading.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newPlayer } = service
const { collections, players } = samples
const read = 'GET /player/tokens'

const apiKey = await productWith(service, ...Object.values(collections))
const { playerToken } = await newPlayer(players.oneWallet.wallets)

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
