import { describe, expect, test } from 'vitest'
import { withoutLimits } from '../support/requests/client.ts'
import { registration, sharedService } from '../support/services/service.ts'

const { call } = sharedService()

const whole = {
  name: 'Lanterns 🏮 of Brindlewake',
  description: '  Keep the light.\n"Quoted", \\escaped\\, \u0000 and \u2028.  ',
  contactEmail: 'studio@brindlewake.example',
  companyName: 'Gull Harbour Games',
  companyDescription: 'Three people and a dog, since 2024.',
}

/** Registers a product with this body and returns its product information. */
async function registered(body: object): Promise<Record<string, unknown>> {
  const { json } = await call('POST /product', { body })
  const product = await call('GET /product', { apiKey: json.data.apiKey })
  expect(product.status).toBe(200)
  const { productId, ...information } = withoutLimits(product.json.data)
  expect(productId).toBe(json.data.productId)
  return information
}

describe('4.2, D45: Retrieve product information', () => {
  test('returns every field as registered, and no other field', async () => {
    const website = 'www.brindlewake.example'
    const product = await registered({ ...whole, website, nickname: 'BW' })
    expect(product).toEqual({ ...whole, website, websiteLink: website })
  })

  test('D7: a website registered as websiteLink is returned under both names', async () => {
    const website = 'https://brindlewake.example/?q=1#top'
    const product = await registered({ ...registration(), websiteLink: website })
    expect(product).toEqual({ ...registration(), website, websiteLink: website })
  })

  test('D7: absent optional fields are omitted', async () => {
    expect(await registered(registration())).toEqual(registration())
  })
})
