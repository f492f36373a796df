import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const document = async () => (await service.call('GET /openapi.json')).json

describe('D33 The OpenAPI document', () => {
  test('D33, D116: is OpenAPI 3.1, and equals the document in the repository', async () => {
    const served = await document()
    expect(served.openapi).toMatch(/^3\.1\.\d+$/)
    const { status } = await service.call('GET /.well-known/oauth-authorization-server')
    const name = status === 200 ? 'openapi-sign-in' : 'openapi'
    expect(served).toEqual(JSON.parse(await readFile(`docs/${name}.json`, 'utf8')))
  })

  test.each(Object.entries(routes))('D33: describes %s', async (id, { method, paths }) => {
    const served = await document()
    const described = paths.map((path) => served.paths[path]?.[method.toLowerCase()])
    expect(described).toEqual(paths.map(() => expect.any(Object)))
    expect(described[0].operationId).toBe(id)
  })

  test('D2: the type of a problem links to its description', async () => {
    const { json } = await service.call('GET /product')
    const { pathname, hash } = new URL(json.type, service.url)
    expect(pathname).toBe('/api/public/v1/openapi.json')
    const path = hash.slice(2).split('/')
    const found = path.reduce((node, key) => node?.[key], await document())
    expect(found).toMatchObject({ description: expect.any(String) })
  })
})
