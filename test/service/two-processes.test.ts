import { randomUUID } from 'node:crypto'
import { samples } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { allowedKey } from '../../lib/adapters/dynamodb/keys/binding-partition.ts'
import { contractKey } from '../../lib/adapters/dynamodb/keys/product-partition.ts'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import { toAddress } from '../../lib/domain/nft/address.ts'
import type { Chain } from '../../lib/domain/nft/chain.ts'
import type { BindingId } from '../../lib/domain/nft/nft.ts'
import { tableOf } from '../support/aws/stored-items.ts'
import { allowedNfts, allowedTokenIds, allowlist } from '../support/requests/allowlists.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

/** Two services that share only their AWS resources. */
const a = await startOwnService({}, afterAll)
const b = await startOwnService({ AWS_ENDPOINT_URL: a.stack.aws.endpoint ?? '' }, afterAll)
const table = tableOf(a)

const { gear } = samples.collections
const contract = { contractAddress: gear.address, chain: gear.chain }

const rawTokenIds = async (apiKey: string, playerToken: string) => {
  const answer = await b.call('GET /player/tokens/raw', { apiKey, playerToken })
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data.map(({ tokenId }: { tokenId: string }) => tokenId)
}

/** Connects a contract on a retired chain to a product and allowlists its NFTs, as an earlier release did (D56). */
async function connectRetired(
  apiKey: string,
  chain: Chain,
  tokenIds: readonly string[],
): Promise<string> {
  const contractAddress = newAddress()
  const { productId } = (await a.call('GET /product', { apiKey })).json.data
  const bindingId = randomUUID() as string as BindingId
  const key = contractKey(productId, { chain, address: toAddress(contractAddress) })
  const items = [
    { ...key, bindingId, createdAt: '2026-01-01T00:00:00.000Z' },
    ...tokenIds.map((tokenId) => allowedKey(bindingId, tokenId as TokenId)),
  ]
  for (const item of items) await table.put(item)
  return contractAddress
}

describe('two processes on one table', () => {
  test('D19: a contract unbound by one process is gone for the next request to the other', async () => {
    const apiKey = await a.newProduct()
    const { playerToken } = await a.newPlayer(samples.players.oneWallet.wallets)
    // Repeatedly, and each time the other process has read the allowlist just before.
    for (const tokens of [['2', '3', '4'], ['3'], ['4', '6']]) {
      await allowlist(a.call, apiKey, { ...contract, tokens })
      expect(await allowedTokenIds(b.call, apiKey)).toEqual(tokens)
      expect(await rawTokenIds(apiKey, playerToken)).toEqual(tokens)
      await a.call('DELETE /product/contract', { apiKey, query: contract })
      expect(await allowedNfts(b.call, apiKey)).toEqual([])
      expect(await rawTokenIds(apiKey, playerToken)).toEqual([])
      const answer = await b.call('DELETE /product/contract', { apiKey, query: contract })
      expectProblem(answer, 'contract_not_connected')
    }
  })

  test('D11, D56: an earlier entry of a retired chain remains visible and removable', async () => {
    const chain = 'MUMBAI'
    const apiKey = await a.newProduct()
    const tokenIds = ['1', '2', '3']
    const contractAddress = await connectRetired(apiKey, chain, tokenIds)
    const old = { contractAddress, chain }
    const entries = tokenIds.map((tokenId) => ({ tokenId, address: contractAddress, chain }))
    const closed = { ...old, contractDescription: 'A chain that is no more.', tokens: ['4'] }
    expectProblem(await b.call('POST /product/tokens', { apiKey, body: closed }), 'invalid_request')
    expect(await allowedNfts(b.call, apiKey)).toEqual(entries)
    const some = { ...old, tokens: ['1', '2'] }
    expect((await b.call('DELETE /product/tokens', { apiKey, query: some })).status).toBe(200)
    expect(await allowedTokenIds(b.call, apiKey)).toEqual(['3'])
    expect((await b.call('DELETE /product/contract', { apiKey, query: old })).status).toBe(200)
    expect(await allowedNfts(b.call, apiKey)).toEqual([])
  })
})
