import { describe, expect, test } from 'vitest'
import { prodSettings } from '../support/prod-settings.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { serviceTemplate } from '../support/service-template.ts'
import { startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
const apiKey = await service.newProduct()

/** The answers of 4.2 and of a change of the product, in containers with these variables. */
async function productsWith(variables: Record<string, string>) {
  const host = service.newContainers(variables)
  const read = await invokeFunction(host, 'getProduct', { apiKey })
  const changed = await invokeFunction(host, 'updateProduct', { apiKey, body: { name: 'Lamps' } })
  const unchanged = await invokeFunction(host, 'updateProduct', { apiKey, body: {} })
  return [read, changed, unchanged].map(({ json }) => json.data)
}

const everyLimit = {
  INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '75',
  INDEXER_CALLS_PER_PRODUCT_AND_DAY: '520',
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE: '37',
  CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY: '260',
  CLIENT_READS_PER_PLAYER_AND_MINUTE: '30',
  ALLOWLISTED_NFTS_PER_PRODUCT_AND_MINUTE: '60000',
  NFTS_PER_PRODUCT: '1000000',
  NEW_KEYS_PER_PRODUCT_AND_DAY: '100',
}

describe('D64: the limits of a product', () => {
  test('D64: 4.2 and a change of the product list every limit of the product', async () => {
    for (const { limits } of await productsWith(everyLimit)) {
      expect(limits).toEqual([
        { name: 'indexer_calls_by_minute', count: 75, perSeconds: 60 },
        { name: 'indexer_calls_by_day', count: 520, perSeconds: 86_400 },
        { name: 'client_indexer_calls_by_minute', count: 37, perSeconds: 60 },
        { name: 'client_indexer_calls_by_day', count: 260, perSeconds: 86_400 },
        { name: 'client_reads', count: 30, perSeconds: 60 },
        { name: 'allowlisted_nfts', count: 60_000, perSeconds: 60 },
        { name: 'nfts', count: 1_000_000 },
        { name: 'new_keys', count: 100, perSeconds: 86_400 },
      ])
    }
  })

  test('D64: limits that are off are not listed, and without limits there is no list', async () => {
    for (const { limits } of await productsWith({ NFTS_PER_PRODUCT: '5' })) {
      expect(limits).toEqual([{ name: 'nfts', count: 5 }])
    }
    for (const product of await productsWith({})) expect(product).not.toHaveProperty('limits')
  })

  test('D64: both functions of a deployment know every limit', () => {
    const functions = serviceTemplate(prodSettings).all('AWS::Lambda::Function')
    for (const name of ['get-product', 'update-product']) {
      const [, found] = functions.find(
        ([, { Properties }]) => Properties.FunctionName === `PlayerNfts-prod-${name}`,
      ) as (typeof functions)[number]
      expect(Object.keys(found.Properties.Environment.Variables)).toEqual(
        expect.arrayContaining(Object.keys(everyLimit)),
      )
    }
  })
})
