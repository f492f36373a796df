import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { deployedDocument } from '../../lib/contract/deployed-document.ts'
import type { Feature } from '../../lib/contract/route.ts'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()
const document = async () => (await service.call('GET /openapi.json')).json

describe('D33: get OpenAPI document', () => {
  test('D33, D146: is the document in the repository, without what the deployment does not have', async () => {
    const served = await document()
    expect(served.openapi).toMatch(/^3\.1\.\d+$/)
    const present = await Promise.all([
      service.call('GET /.well-known/oauth-authorization-server'),
      service.call('GET /product/webhooks'),
    ])
    const features: readonly Feature[] = ['walletSignIn', 'webhooks']
    const absent = features.filter(
      (_, position) => present[position]?.json?.message === 'Not Found',
    )
    const whole = JSON.parse(await readFile('docs/openapi.json', 'utf8'))
    expect(served).toEqual(deployedDocument(whole, absent))
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
