import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { productWith } from '../support/requests/reading.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { gear } = samples.collections

const refresh = async (apiKey: string, body: object) =>
  await service.call('POST /tokens/refresh', { apiKey, body })

/** A product with these NFTs of the sample equipment. */
const productWithGear = (tokenIds: readonly string[]) => productWith(service, { ...gear, tokenIds })

/** The response for this number of NFTs without a change. */
const unchanged = (checked: number) => ({
  smartContract: gear.address,
  chains: [gear.chain],
  checked,
  changed: 0,
  failed: 0,
  pending: 0,
  refreshedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  failures: [],
  tokens: [],
})

describe('4.7 Refresh metadata', () => {
  test('D31: checks every NFT that the product allowlisted under the contract', async () => {
    const apiKey = await productWithGear(['1', '5', '9'])
    const { status, json } = await refresh(apiKey, { smartContract: gear.address })
    expect(status).toBe(200)
    expect(json.data).toEqual(unchanged(3))
  })

  test('D31: a contract that the product has not connected, on that chain or at all, is 404', async () => {
    const apiKey = await productWithGear(['1'])
    const elsewhere = await refresh(apiKey, { smartContract: gear.address, chain: 'BSC' })
    expectProblem(elsewhere, 'contract_not_connected')
    expect(elsewhere.json.detail).toBe(
      `Contract ${gear.address} on BSC is not connected to this product.`,
    )
    const nowhere = newAddress()
    const unknown = await refresh(apiKey, { smartContract: nowhere })
    expectProblem(unknown, 'contract_not_connected')
    expect(unknown.json.detail).toBe(`Contract ${nowhere} is not connected to this product.`)
  })
})
