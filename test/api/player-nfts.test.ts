import { numbers, type SampleCollection, samples } from '@player-nfts/local/samples'
import { curios } from '@player-nfts/local/samples/sample-curios'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { entriesOf, productWith, readThrough } from '../support/requests/reading.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newPlayer, newProduct } = service
const { collections, players } = samples
const read = 'GET /player/tokens/raw'

const apiKey = await productWith(service, ...Object.values(collections))
const { playerToken } = await newPlayer(players.oneWallet.wallets)
const [wallet = ''] = players.oneWallet.wallets

/** The members of an entry beside its metadata, for NFTs of a collection in a wallet. */
const entries = (
  { address, chain, kind }: SampleCollection,
  owner: string | undefined,
  tokenIds: readonly string[],
) =>
  tokenIds.map((tokenId) => {
    const balance = kind === 'ERC1155' ? String((BigInt(tokenId) % 5n) + 1n) : '1'
    return { tokenId, address, chain, owner, balance }
  })

/** The order of D18, then owner. */
const ordered = (list: ReturnType<typeof entries>) =>
  list.toSorted(
    (a, b) =>
      compare(a.chain, b.chain) ||
      compare(a.address, b.address) ||
      compare(BigInt(a.tokenId), BigInt(b.tokenId)) ||
      compare(a.owner, b.owner),
  )

const compare = <Value>(a: Value, b: Value) => (a < b ? -1 : a > b ? 1 : 0)

/** The same members of the entries of a response. */
const placesOf = (data: ReturnType<typeof entries>) =>
  data.map(({ tokenId, address, chain, owner, balance }) => ({
    tokenId,
    address,
    chain,
    owner,
    balance,
  }))

const onPolygon = [
  ...entries(collections.keepers, wallet, ['7', '19', '42']),
  ...entries(collections.gear, wallet, ['2', '3', '4', '6', '9', String((1n << 128n) + 1n)]),
]
const onBsc = [
  ...entries(collections.vessels, wallet, ['12', '31']),
  ...entries(collections.crates, wallet, ['1', '4']),
]

describe('4.8 Get NFT metadata, raw', () => {
  test('D24: returns the NFTs that are both in the wallets and allowlisted, in the order of D18', async () => {
    const { json } = await call(read, { apiKey, playerToken })
    expect(placesOf(json.data)).toEqual(ordered([...onPolygon, ...onBsc]))
    expect(json.nextCursor).toBeUndefined()
  })

  test('2.3: an entry has exactly the members that the specification and the decisions name', async () => {
    const { json } = await call(read, { apiKey, playerToken, query: { chains: 'BSC' } })
    for (const entry of json.data) {
      expect(Object.keys(entry).sort()).toEqual(
        ['address', 'balance', 'chain', 'metadataLink', 'owner', 'rawMetadata', 'tokenId'].sort(),
      )
    }
    expect(json.data[0].rawMetadata).toMatchObject({ description: expect.any(String) })
  })

  test('D24: no wallets, no contracts, an empty wallet, or no NFTs on the chain: no entries', async () => {
    const walletless = await newPlayer([])
    const empty = await newPlayer(players.emptyWallet.wallets)
    const onlyGear = await productWith(service, { ...collections.gear, tokenIds: ['2'] })
    for (const sent of [
      { apiKey, playerToken: walletless.playerToken },
      { apiKey, playerToken: empty.playerToken },
      { apiKey: await newProduct(), playerToken },
      { apiKey: onlyGear, playerToken, query: { chains: 'BSC' } },
      { apiKey, playerToken, query: { chains: 'MUMBAI' } },
    ]) {
      expect((await call(read, sent)).text).toMatch(/^{"data":\[\],"success":true,"asOf":"[^"]+"}$/)
    }
  })
})

test('D13: 4.8 reads the chains that it is asked for, of which a retired one has nothing', async () => {
  const both = ordered([...onPolygon, ...onBsc])
  for (const [chains, expected] of [
    ['POLYGON', ordered(onPolygon)],
    [['BSC', 'BSC,POLYGON'], both],
    ['MUMBAI,BSC', ordered(onBsc)],
  ] as const) {
    const { json } = await call(read, { apiKey, playerToken, query: { chains } })
    expect(placesOf(json.data)).toEqual(expected)
  }
})

const cabinet = newPlayer(players.threeWallets.wallets.slice(2))

test('D26: each document is the text of its source, regardless of neighboring documents', async () => {
  const product = await productWith(service, collections.curios)
  const { text } = await call(read, { apiKey: product, ...(await cabinet) })
  const { address, chain } = collections.curios
  const [, , owner] = players.threeWallets.wallets
  const texts = curios.map(({ tokenUri, answer }, index) => {
    const fault = { 2: 'not_available', 3: 'not_an_object' }[index]
    const link = JSON.stringify(tokenUri)
    return [
      `{"tokenId":"${index + 1}","address":"${address}","chain":"${chain}"`,
      `"owner":"${owner}","balance":"1","metadataLink":${link}`,
      ...(fault ? [`"metadataError":"${fault}"`] : []),
      `"rawMetadata":${fault ? '{}' : answer.metadata}}`,
    ].join()
  })
  expect(text.replace(/,"asOf":"[^"]+"}$/, '}')).toBe(`{"data":[${texts}],"success":true}`)
})

test('D25: a cursor is of its request, and expires when a contract has been unbound', async () => {
  const product = await productWith(service, collections.keepers, collections.gear)
  const player = await newPlayer(players.largeWallet.wallets)
  const sent = { apiKey: product, playerToken: player.playerToken }
  const { nextCursor: cursor } = (await call(read, { ...sent, query: { limit: '70' } })).json
  const twin = await newPlayer(players.largeWallet.wallets)
  for (const [operation, foreign] of [
    [read, { ...sent, query: { cursor: `${cursor}A` } }],
    [read, { ...sent, query: { cursor, chains: 'BSC' } }],
    [read, { apiKey, playerToken: player.playerToken, query: { cursor } }],
    [read, { ...sent, playerToken: twin.playerToken, query: { cursor } }],
    ['GET /player/tokens', { ...sent, query: { cursor } }],
  ] as const) {
    expect(expectProblem(await call(operation, foreign), 'invalid_request')).toEqual([
      { in: 'query', path: 'cursor', message: 'was not given out for this request' },
    ])
  }
  const { address: contractAddress, chain } = collections.gear
  const unbinding = { apiKey: product, query: { contractAddress, chain } }
  await call('DELETE /product/contract', unbinding)
  expectProblem(await call(read, { ...sent, query: { cursor } }), 'cursor_expired')
})

test('D25: following nextCursor returns every NFT of a large wallet exactly once', async () => {
  const { wallets } = players.largeWallet
  const owned = [
    ...entries(collections.keepers, wallets[0], numbers(101, 300)),
    ...entries(collections.gear, wallets[0], numbers(1, 24)),
    ...entries(collections.vessels, wallets[0], numbers(51, 130)),
  ]
  const sent = { apiKey, ...(await newPlayer(wallets)), query: { limit: '70' } }
  const answers = await readThrough(service, read, sent)
  for (const { json } of answers) expect(json.data.length).toBeLessThanOrEqual(70)
  expect(answers.length).toBeGreaterThanOrEqual(Math.ceil(owned.length / 70))
  expect(ordered(placesOf(entriesOf(answers)))).toEqual(ordered(owned))
})

describe('4.9 Get NFT metadata, structured', () => {
  const structured = 'GET /player/tokens'

  test('D24: selects, orders and identifies NFTs as 4.8 does', async () => {
    for (const query of [{}, { chains: 'BSC' }, { chains: 'POLYGON,BSC' }, { chains: 'MUMBAI' }]) {
      const [inForm, raw] = await Promise.all(
        [structured, read].map((operation) => call(operation, { apiKey, playerToken, query })),
      )
      const rest = raw?.json.data.map(({ rawMetadata: _, ...entry }: Record<string, unknown>) => ({
        ...entry,
        formattedMetadata: expect.anything(),
      }))
      expect(inForm?.json.data).toEqual(rest)
    }
  })

  test('2.4, D134: formattedMetadata has its four members, and each attribute its two', async () => {
    const { json } = await call(structured, { apiKey, playerToken })
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
    const { address } = collections.keepers
    const keeper = json.data.find(
      (entry: { tokenId: string; address: string }) =>
        entry.tokenId === '7' && entry.address === address,
    )
    // Numbers are as written in the source.
    expect(keeper.formattedMetadata.attributes).toEqual([
      { name: 'Lamp', value: expect.stringMatching(/\w/) },
      { name: 'Temperament', value: expect.stringMatching(/^[A-Z][a-z]+$/) },
      { name: 'Watch', value: '3' },
      { name: 'Night Sight', value: '5.5' },
    ])
    expect(keeper.formattedMetadata.description).toMatch(/^Keeper of /)
    expect(keeper.formattedMetadata.image).toMatch(/^https?:\/\/.+\/ipfs\/[a-z2-7]+\/7\.svg$/)
  })

  test('D26, D134: an entry names the reason for missing metadata, and counts the attributes that were left out', async () => {
    const { json } = await call(structured, { apiKey, ...(await cabinet) })
    const said = json.data.map((entry: Record<string, unknown>) => [
      entry['metadataError'],
      entry['attributesLeftOut'],
    ])
    expect(said).toEqual([
      [undefined, 1],
      [undefined, undefined],
      ['not_available', undefined],
      ['not_an_object', undefined],
      ...Array(2).fill([undefined, undefined]),
      [undefined, 3],
      [undefined, undefined],
    ])
  })
})
