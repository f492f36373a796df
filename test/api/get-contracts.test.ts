import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { allowlist } from '../support/requests/allowlists.ts'
import { entriesOf, readThrough } from '../support/requests/reading.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newProduct } = service

const contracts = async (apiKey: string, query: Record<string, string> = {}) =>
  await call('GET /product/contracts', { apiKey, query })

const [low, high] = [`0x0${'b'.repeat(39)}`, `0xf${'b'.repeat(39)}`]

/** The contracts of {@link productWithThree}, in the order of D18. */
const three = [
  { chain: 'BSC', address: high },
  { chain: 'POLYGON', address: low },
  { chain: 'POLYGON', address: high },
]

async function productWithThree(): Promise<string> {
  const apiKey = await newProduct()
  for (const { chain, address } of three.toReversed()) {
    await allowlist(call, apiKey, { chain, contractAddress: address, tokens: ['1', '2'] })
  }
  return apiKey
}

const named = ({ chain, address }: { chain: string; address: string }) => ({ chain, address })

describe('D37: get contracts', () => {
  test('D37, D58: returns the description, the time of the connection, the number of NFTs and the ranges', async () => {
    const [apiKey, contractAddress] = [await newProduct(), newAddress()]
    const before = Date.now()
    const contractDescription = 'Lanterns of the "second" season.\n'
    await allowlist(call, apiKey, { contractAddress, tokens: ['1', '7'], contractDescription })
    const after = Date.now()
    const [{ ownership, ...contract }, ...others] = (await contracts(apiKey)).json.data
    expect(others).toEqual([])
    expect(contract).toEqual({
      chain: 'POLYGON',
      address: contractAddress,
      description: contractDescription,
      connectedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      nftCount: 2,
    })
    // A deployment that follows the chain says why it is not kept (D157).
    expect([undefined, { kept: false, reason: 'not_read' }]).toContainEqual(ownership)
    const connectedAt = Date.parse(contract.connectedAt)
    expect(connectedAt).toBeGreaterThanOrEqual(before)
    expect(connectedAt).toBeLessThanOrEqual(after)

    const description = 'Another description.'
    const later = { contractAddress, tokens: ['5..9'], contractDescription: description }
    await allowlist(call, apiKey, later)
    expect((await contracts(apiKey)).json.data).toMatchObject([
      { ...contract, description, nftCount: 6, ranges: ['5..9'] },
    ])
  })

  test.each([1, 2, 3])(
    'D18, D37: the order is chain, then address, in pages of %i',
    async (limit) => {
      const sent = { apiKey: await productWithThree(), query: { limit: String(limit) } }
      const pages = await readThrough(service, 'GET /product/contracts', sent)
      expect(entriesOf(pages).map(named)).toEqual(three)
      expect(pages).toHaveLength(Math.ceil(3 / limit))
    },
  )

  test('D37: a cursor stays valid when its contract is unbound', async () => {
    const apiKey = await productWithThree()
    const { nextCursor } = (await contracts(apiKey, { limit: '2' })).json
    const query = { contractAddress: low, chain: 'POLYGON' }
    await call('DELETE /product/contract', { apiKey, query })
    expect((await contracts(apiKey, { cursor: nextCursor })).json.data.map(named)).toEqual([
      three[2],
    ])
    expect((await contracts(apiKey)).json.data.map(named)).toEqual([three[0], three[2]])
  })

  test('D37: up to 1,000 NFTs are counted', async () => {
    const [apiKey, contractAddress] = [await newProduct(), newAddress()]
    await allowlist(call, apiKey, { contractAddress, tokens: numbers(1, 1_000) })
    expect((await contracts(apiKey)).json.data[0].nftCount).toBe(1_000)
    await allowlist(call, apiKey, { contractAddress, tokens: ['1001'] })
    expect((await contracts(apiKey)).json.data[0]).not.toHaveProperty('nftCount')
  })

  test('D37: a product sees only its own contracts, with any cursor', async () => {
    const [mine, theirs] = [await productWithThree(), await newProduct()]
    const { nextCursor } = (await contracts(mine, { limit: '1' })).json
    expect((await contracts(theirs)).json.data).toEqual([])
    expect((await contracts(theirs, { cursor: nextCursor })).json.data).toEqual([])
  })
})
