import { describe, expect, test } from 'vitest'
import { withoutLimits } from '../support/requests/client.ts'
import { expectProblem, pathsOf } from '../support/requests/problem.ts'
import { registration, sharedService } from '../support/services/service.ts'

const { call } = sharedService()

const full = {
  ...registration(),
  description: 'A game about keeping lamps lit.',
  companyDescription: 'Five people and a kettle.',
  website: 'https://brindlewake.example',
}

async function newProduct() {
  const { json } = await call('POST /product', { body: full })
  const { apiKey, productId } = json.data
  return {
    productId,
    patch: (body: unknown) => call('PATCH /product', { apiKey, body }),
    get: async () => (await call('GET /product', { apiKey })).json.data,
  }
}

describe('D45: update a product', () => {
  test('D45: changes the sent fields, keeps the others, and answers as 4.2 does', async () => {
    const { productId, patch, get } = await newProduct()
    const { status, json } = await patch({ name: 'Tide Crates', contactEmail: 'new@x' })
    expect(status).toBe(200)
    expect(withoutLimits(json.data)).toEqual({
      ...full,
      productId,
      name: 'Tide Crates',
      contactEmail: 'new@x',
      websiteLink: full.website,
    })
    expect(await get()).toEqual(json.data)
  })

  test('D45: null removes an optional field', async () => {
    const { productId, patch, get } = await newProduct()
    const removed = { description: null, companyDescription: null, websiteLink: null }
    const { json } = await patch(removed)
    expect(withoutLimits(json.data)).toEqual({ ...registration(), productId })
    expect(await get()).toEqual(json.data)
  })

  test('D45: opens and closes client access', async () => {
    const { patch, get } = await newProduct()
    for (const clientAccess of [true, false]) {
      expect((await patch({ clientAccess })).json.data).toMatchObject({ clientAccess })
      expect(await get()).toMatchObject({ clientAccess })
    }
  })

  test('D45: an empty change changes nothing', async () => {
    const { productId, patch } = await newProduct()
    const { json } = await patch({ nickname: 'x', createdAt: 'x', keys: {}, stoppedAt: 'x' })
    expect(withoutLimits(json.data)).toEqual({ ...full, productId, websiteLink: full.website })
  })

  test('D45: with an invalid field nothing is changed', async () => {
    const { patch, get } = await newProduct()
    const before = await get()
    const answer = await patch({ companyName: 'Another', name: '', clientAccess: 'true' })
    const faults = expectProblem(answer, 'invalid_request')
    expect(pathsOf(faults)).toEqual(['name', 'clientAccess'])
    expect(await get()).toEqual(before)
  })

  test('D45: changes at once are all made', async () => {
    const { patch, get } = await newProduct()
    const changes = [{ name: 'One' }, { companyName: 'Two' }, { description: null }]
    for (const { status } of await Promise.all(changes.map(patch))) expect(status).toBe(200)
    const product = await get()
    expect(product).toMatchObject({ name: 'One', companyName: 'Two' })
    expect(product).not.toHaveProperty('description')
  })
})
