import { describe, expect, test } from 'vitest'
import { withoutLimits } from '../support/requests/client.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem, pathsOf } from '../support/requests/problem.ts'
import { registration, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call } = service

const get = (apiKey: string) => call('GET /product', { apiKey })

/** A new product with these fields beside the required ones, and its operations. */
async function newProduct(fields: object = {}) {
  const { json } = await call('POST /product', { body: { ...registration(), ...fields } })
  const { apiKey, productId } = json.data as { apiKey: string; productId: string }
  return {
    ...{ apiKey, productId, registered: json.data },
    patch: (body: unknown) => call('PATCH /product', { apiKey, body }),
    get: async () => (await get(apiKey)).json.data,
    end: (query: Record<string, string | readonly string[]>) =>
      call('DELETE /product', { apiKey, query }),
  }
}

describe('4.1 Register product', () => {
  test('D9, D10: each registration makes another product, with an API key that is a version 4 UUID', async () => {
    const products = await Promise.all(Array.from({ length: 20 }, () => newProduct()))
    const version4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
    for (const { apiKey, registered } of products) {
      expect(Object.keys(registered)).toEqual(['apiKey', 'productId'])
      expect(apiKey).toMatch(version4)
    }
    expect(new Set(products.map(({ apiKey }) => apiKey)).size).toBe(20)
    expect(new Set(products.map(({ productId }) => productId)).size).toBe(20)
  })
})

describe('4.2, D45: Retrieve product information', () => {
  const whole = {
    name: 'Lanterns 🏮 of Brindlewake',
    description: '  Keep the light.\n"Quoted", \\escaped\\, \u0000 and \u2028.  ',
    contactEmail: 'studio@brindlewake.example',
    companyName: 'Gull Harbour Games',
    companyDescription: 'Three people and a dog, since 2024.',
  }
  const website = 'https://brindlewake.example/?q=1#top'

  test.each([
    ['every field as registered, and no other field', { ...whole, website, nickname: 'BW' }, whole],
    ['D7: a website under both names', { websiteLink: website }, {}],
  ])('returns %s', async (_, fields, returned) => {
    const { productId, get: read } = await newProduct(fields)
    const names = { website, websiteLink: website }
    const product = { ...registration(), ...returned, ...names, productId }
    expect(withoutLimits(await read())).toEqual(product)
  })

  test('D7: absent optional fields are omitted', async () => {
    const { productId, get: read } = await newProduct()
    expect(withoutLimits(await read())).toEqual({ ...registration(), productId })
  })
})

describe('D45: update product', () => {
  const full = {
    ...registration(),
    description: 'A game about keeping lamps lit.',
    companyDescription: 'Five people and a kettle.',
    website: 'https://brindlewake.example',
  }

  test('D45: changes the sent fields, keeps the others, and answers as 4.2 does', async () => {
    const { productId, patch, get: read } = await newProduct(full)
    const { status, json } = await patch({ name: 'Tide Crates', contactEmail: 'new@x' })
    expect(status).toBe(200)
    expect(withoutLimits(json.data)).toEqual({
      ...full,
      productId,
      name: 'Tide Crates',
      contactEmail: 'new@x',
      websiteLink: full.website,
    })
    expect(await read()).toEqual(json.data)
  })

  test('D45: null removes an optional field', async () => {
    const { productId, patch, get: read } = await newProduct(full)
    const removed = { description: null, companyDescription: null, websiteLink: null }
    const { json } = await patch(removed)
    expect(withoutLimits(json.data)).toEqual({ ...registration(), productId })
    expect(await read()).toEqual(json.data)
  })

  test('D45: opens and closes client access', async () => {
    const { patch, get: read } = await newProduct(full)
    for (const clientAccess of [true, false]) {
      expect((await patch({ clientAccess })).json.data).toMatchObject({ clientAccess })
      expect(await read()).toMatchObject({ clientAccess })
    }
  })

  test('D45: an empty change changes nothing', async () => {
    const { productId, patch } = await newProduct(full)
    const { json } = await patch({ nickname: 'x', createdAt: 'x', keys: {}, stoppedAt: 'x' })
    expect(withoutLimits(json.data)).toEqual({ ...full, productId, websiteLink: full.website })
  })

  test('D45: with an invalid field nothing is changed', async () => {
    const { patch, get: read } = await newProduct(full)
    const before = await read()
    const answer = await patch({ companyName: 'Another', name: '', clientAccess: 'true' })
    const faults = expectProblem(answer, 'invalid_request')
    expect(pathsOf(faults)).toEqual(['name', 'clientAccess'])
    expect(await read()).toEqual(before)
  })

  test('D45: changes at once are all made', async () => {
    const { patch, get: read } = await newProduct(full)
    const changes = [{ name: 'One' }, { companyName: 'Two' }, { description: null }]
    for (const { status } of await Promise.all(changes.map(patch))) expect(status).toBe(200)
    const product = await read()
    expect(product).toMatchObject({ name: 'One', companyName: 'Two' })
    expect(product).not.toHaveProperty('description')
  })
})

describe('D45: delete product', () => {
  const { name } = registration()

  test('D45: every key is refused with the next request, also in a repeat', async () => {
    const { apiKey, productId, end } = await newProduct()
    const keys = keysOf(call, apiKey)
    const manage = keyIn(await keys.create())
    const read = keyIn(await keys.create({ scope: 'READ' }))
    const { status, json } = await end({ confirm: name })
    expect(status).toBe(200)
    expect(json).toEqual({
      data: { message: `Product ${productId} has ended and is being deleted.` },
      success: true,
    })
    const { playerToken } = await service.newPlayer()
    for (const key of [apiKey, manage.apiKey, read.apiKey]) {
      expectProblem(await get(key), 'invalid_api_key')
      const query = { confirm: name }
      expectProblem(await call('DELETE /product', { apiKey: key, query }), 'invalid_api_key')
      const sent = { apiKey: key, playerToken }
      expectProblem(await call('GET /player/tokens', sent), 'invalid_api_key')
    }
  })

  test('D45: without the exact name it is 400, and nothing is changed', async () => {
    const { apiKey, end, get: read } = await newProduct()
    const before = await read()
    for (const query of [{}, { confirm: '' }, { confirm: [name, name] }, { name }]) {
      expect(pathsOf(expectProblem(await end(query), 'invalid_request'))).toContain('confirm')
    }
    const message = 'must be the exact name of this product, as GET /product returns it'
    for (const confirm of [name.toLowerCase(), `${name} `]) {
      const answer = await end({ confirm })
      const faults = expectProblem(answer, 'invalid_request')
      expect(faults).toEqual([{ in: 'query', path: 'confirm', message }])
      expect(answer.text).not.toContain('Brindlewake')
    }
    expect(await read()).toEqual(before)
    const { json } = await call('GET /product/events', { apiKey })
    expect(json.data).toMatchObject([{ action: 'registerProduct' }])
  })

  test('D45: the name is the current one, whatever its characters, and a product of the same name stays', async () => {
    const [{ apiKey, patch, end }, other] = [await newProduct(), await newProduct()]
    const confirm = 'Ταξίδι + Tide & Crates 100% 🏮'
    for (const each of [patch, other.patch]) await each({ name: confirm })
    expectProblem(await end({ confirm: name }), 'invalid_request')
    expect((await end({ confirm })).status).toBe(200)
    expectProblem(await get(apiKey), 'invalid_api_key')
    expect((await get(other.apiKey)).status).toBe(200)
  })
})
