import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { allowedNfts, allowlist } from '../support/requests/allowlists.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem, pathsOf } from '../support/requests/problem.ts'
import { registration, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call } = service
const { name } = registration()
const { gear } = samples.collections

const get = (apiKey: string) => call('GET /product', { apiKey })

const deleteProduct = (apiKey: string, confirm: string | readonly string[] = name) =>
  call('DELETE /product', { apiKey, query: { confirm } })

async function newProduct(changes: Record<string, unknown> = {}) {
  const { json } = await call('POST /product', { body: { ...registration(), ...changes } })
  return json.data as { apiKey: string; productId: string }
}

describe('D45: delete a product', () => {
  test('D45: every key is refused with the next request, also in a repeat', async () => {
    const { apiKey, productId } = await newProduct()
    const keys = keysOf(call, apiKey)
    const manage = keyIn(await keys.create())
    const read = keyIn(await keys.create({ scope: 'READ' }))
    const { status, json } = await deleteProduct(apiKey)
    expect(status).toBe(200)
    expect(json).toEqual({
      data: { message: `Product ${productId} has ended and is being deleted.` },
      success: true,
    })
    for (const key of [apiKey, manage.apiKey, read.apiKey]) {
      expectProblem(await get(key), 'invalid_api_key')
      expectProblem(await deleteProduct(key), 'invalid_api_key')
    }
    const { playerToken } = await service.newPlayer()
    const sent = { apiKey: read.apiKey, playerToken }
    expectProblem(await call('GET /player/tokens', sent), 'invalid_api_key')
  })

  test.each(['lanterns of brindlewake', `${name} `])(
    'D45: "%s" is not the name: 400, and nothing is changed',
    async (confirm) => {
      const { apiKey } = await newProduct()
      const answer = await deleteProduct(apiKey, confirm)
      expect(expectProblem(answer, 'invalid_request')).toEqual([
        {
          in: 'query',
          path: 'confirm',
          message: 'must be the exact name of this product, as GET /product returns it',
        },
      ])
      expect(answer.text).not.toContain('Brindlewake')
      expect((await get(apiKey)).status).toBe(200)
      const { json } = await call('GET /product/events', { apiKey })
      expect(json.data).toMatchObject([{ action: 'registerProduct' }])
    },
  )

  test('D45: without a name, or with two, it is 400, and nothing is changed', async () => {
    const { apiKey } = await newProduct()
    for (const query of [{}, { confirm: '' }, { confirm: [name, name] }, { name }]) {
      const answer = await call('DELETE /product', { apiKey, query })
      expect(pathsOf(expectProblem(answer, 'invalid_request'))).toContain('confirm')
    }
    expect((await get(apiKey)).status).toBe(200)
  })

  test('D45: the name is the current one, whatever its characters', async () => {
    const { apiKey } = await newProduct()
    const renamed = 'Ταξίδι + Tide & Crates 100% 🏮'
    await call('PATCH /product', { apiKey, body: { name: renamed } })
    expectProblem(await deleteProduct(apiKey), 'invalid_request')
    expect((await deleteProduct(apiKey, renamed)).status).toBe(200)
    expectProblem(await get(apiKey), 'invalid_api_key')
  })

  test('D45: another product of the same name stays, and a later one is new', async () => {
    const [deleted, other] = [await newProduct(), await newProduct()]
    const tokens = { contractAddress: gear.address, chain: gear.chain, tokens: ['2'] }
    for (const { apiKey } of [deleted, other]) await allowlist(call, apiKey, tokens)
    await deleteProduct(deleted.apiKey)
    expect(await allowedNfts(call, other.apiKey)).toHaveLength(1)
    const later = await newProduct()
    expect(later.productId).not.toBe(deleted.productId)
    expect(await allowedNfts(call, later.apiKey)).toEqual([])
    expectProblem(await get(deleted.apiKey), 'invalid_api_key')
  })
})
