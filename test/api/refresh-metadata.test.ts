import { numbers, samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { allowlist } from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { productWith } from '../support/requests/reading.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call } = service
const { gear } = samples.collections

const refresh = async (apiKey: string, body: object) =>
  await call('POST /tokens/refresh', { apiKey, body })

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

  test('D31: a repetition within 15 minutes returns the stored counts with their time', async () => {
    const apiKey = await productWithGear(['1', '2'])
    const first = await refresh(apiKey, { smartContract: gear.address })
    await allowlist(call, apiKey, { contractAddress: gear.address, tokens: ['3', '4'] })
    for (const chain of [undefined, gear.chain]) {
      const again = await refresh(apiKey, { smartContract: gear.address, chain })
      expect(again.json).toEqual(first.json)
    }
  })

  test('D31: of simultaneous refreshes one is carried out, and all return its time', async () => {
    const apiKey = await productWithGear(numbers(1, 20))
    const body = { smartContract: gear.address }
    const answers = await Promise.all(Array.from({ length: 6 }, () => refresh(apiKey, body)))
    expect(new Set(answers.map(({ json }) => json.data.refreshedAt)).size).toBe(1)
    for (const { json } of answers) expect(json.data.checked + json.data.pending).toBe(20)
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
