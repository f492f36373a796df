import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { allowedNfts, allowlist, productWithContract } from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call } = service

type Query = Record<string, string | readonly string[]>

const unbind = async (apiKey: string, query: Query) =>
  await call('DELETE /product/contract', { apiKey, query })

/** A product with one contract on POLYGON, and these NFTs under it. */
const productWith = (tokens: readonly string[]) => productWithContract(service, tokens)

describe('4.5 Unbind smart contract', () => {
  test('D19: removes every NFT of the contract, however many, by the next request', async () => {
    const { apiKey, contract } = await productWith(numbers(1, 300))
    await unbind(apiKey, contract)
    expect(await allowedNfts(call, apiKey)).toEqual([])
    expectProblem(
      await call('DELETE /product/tokens', { apiKey, query: { ...contract, tokens: '1' } }),
      'contract_not_connected',
    )
    const refresh = { smartContract: contract.contractAddress }
    expectProblem(
      await call('POST /tokens/refresh', { apiKey, body: refresh }),
      'contract_not_connected',
    )
  })

  test('keeps the same address on another chain, and the other contracts', async () => {
    const { apiKey, contract } = await productWith(['1'])
    const [onBsc, other] = [
      await allowlist(call, apiKey, { ...contract, chain: 'BSC', tokens: ['2'] }),
      await allowlist(call, apiKey, { contractAddress: newAddress(), tokens: ['3'] }),
    ]
    await unbind(apiKey, contract)
    expect(await allowedNfts(call, apiKey)).toEqual([...onBsc, ...other])
  })

  test('D19: a contract that is not connected is 404, naming the contract', async () => {
    const { apiKey, contract } = await productWith(['1'])
    const onBsc = await unbind(apiKey, { ...contract, chain: 'BSC' })
    expectProblem(onBsc, 'contract_not_connected')
    expect(onBsc.json.detail).toBe(
      `Contract ${contract.contractAddress} on BSC is not connected to this product.`,
    )
    expect((await unbind(apiKey, contract)).status).toBe(200)
    expectProblem(await unbind(apiKey, contract), 'contract_not_connected')
  })

  test('D19: simultaneous calls unbind the contract once, and all succeed', async () => {
    const { apiKey, contract } = await productWith(numbers(1, 30))
    const answers = await Promise.all(Array.from({ length: 8 }, () => unbind(apiKey, contract)))
    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses).toContain(200)
    statuses.delete(404)
    expect([...statuses]).toEqual([200])
    expect(await allowedNfts(call, apiKey)).toEqual([])
  })
})
