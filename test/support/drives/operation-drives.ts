import { numbers } from '@player-nfts/local/samples'
import { expect } from 'vitest'
import { type OperationId, operationIds } from '../../../functions/operations.ts'
import { dynamoKeptContracts } from '../../../lib/adapters/dynamodb/keeping/kept-contracts.ts'
import { functionName } from '../../../lib/contract/route.ts'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import { acceptedRequest, callName } from '../accepted-requests.ts'
import { adapterTableOf } from '../aws/stored-items.ts'
import { storedKeysIn } from '../aws/stored-keys.ts'
import type { TestAws } from '../aws/test-aws.ts'
import { keyIn, keysOf } from '../requests/keys.ts'
import { expectProblem } from '../requests/problem.ts'
import { productWith } from '../requests/reading.ts'
import type { GrantedService } from '../services/granted-service.ts'
import { registration } from '../services/service.ts'
import { handOver, manyNfts } from './background-drives.ts'
import { type Drives, ok } from './drives.ts'

/** The drives of the functions of operations. `withoutIndexer`: runs a call while the indexer is down. */
export function operationDrives(
  service: GrantedService,
  { access, resources: { tableName } }: TestAws,
  withoutIndexer: <Answer>(call: () => Promise<Answer>) => Promise<Answer>,
): Drives {
  const { call, userJwt } = service
  const storedKeys = storedKeysIn(access, tableName)

  /** Makes an operation succeed with a prepared request: the contract is first new, then known. */
  async function succeed(id: OperationId): Promise<void> {
    const sent = await acceptedRequest(service, id)
    // The first use of a key on a day makes a write.
    if (sent.apiKey) await storedKeys.forgetUse(sent.apiKey)
    await ok(call(callName(id), sent))
  }

  /** A game without an API key has a limit by player. */
  async function readPlayerNfts(id: OperationId): Promise<void> {
    await succeed(id)
    const { apiKey = '', ...sent } = await acceptedRequest(service, id)
    await call('PATCH /product', { apiKey, body: { clientAccess: true } })
    const { productId } = (await call('GET /product', { apiKey })).json.data
    const client = { ...sent, query: { ...sent.query, productId } }
    await ok(call(callName(id), client))
  }

  /** A change of the keys also deletes what is left of a key whose end has passed. */
  async function changeKeys(id: OperationId): Promise<void> {
    const sent = await acceptedRequest(service, id)
    const { apiKey = '' } = sent
    const keys = keysOf(call, apiKey)
    const { keyId } = keyIn(await keys.create({ expiresAt: '2099-01-01T00:00:00Z' }))
    await storedKeys.setKey(apiKey, keyId, { endsAt: new Date(0).toISOString() })
    await storedKeys.forgetUse(apiKey)
    await ok(call(callName(id), sent))
  }

  /** A product with one NFT on its allowlist. */
  async function productWithOneNft() {
    const { chain, address } = manyNfts
    const apiKey = await productWith(service, { chain, address, tokenIds: ['3'] })
    return { apiKey, contract: { chain, contractAddress: address } }
  }

  return {
    ...Object.fromEntries(operationIds.map((id) => [functionName(id), () => succeed(id)])),

    async 'register-product'() {
      const statuses = new Set<number>()
      // An hour that begins meanwhile permits as many again.
      while (!statuses.has(429)) {
        const calls = numbers(0, 60).map(() => call('POST /product', { body: registration() }))
        for (const { status } of await Promise.all(calls)) statuses.add(status)
      }
      expect(statuses).toEqual(new Set([200, 429]))
    },

    'get-raw-metadata': () => readPlayerNfts('getRawMetadata'),
    'get-structured-metadata': () => readPlayerNfts('getStructuredMetadata'),

    async 'create-player-token'() {
      const user = { userJwt: await userJwt() }
      for (let token = 0; token < 2; token += 1) await ok(call('GET /player/token', user))
    },

    'create-key': () => changeKeys('createKey'),
    'rotate-key': () => changeKeys('rotateKey'),

    // The identifiers in a range are read before they are removed.
    async 'unbind-nfts'() {
      await succeed('unbindNfts')
      const { apiKey, contract } = await productWithOneNft()
      await ok(call('DELETE /product/tokens', { apiKey, query: { ...contract, tokens: '1..5' } }))
    },

    async 'unbind-nft-list'() {
      await succeed('unbindNftList')
      const { apiKey, contract } = await productWithOneNft()
      const body = { ...contract, tokens: ['1..5'] }
      await ok(call('POST /product/tokens/unbind', { apiKey, body }))
    },

    // What a refresh has read is kept of a contract that is kept.
    async 'refresh-metadata'() {
      const table = adapterTableOf({ aws: access, resources: { tableName } })
      const kept = { ...newKeptContract(manyNfts.address), version: 1 }
      await dynamoKeptContracts(table).write(manyNfts.chain, kept)
      const apiKey = await productWith(service, manyNfts)
      await storedKeys.forgetUse(apiKey)
      await handOver(service, apiKey)
      const body = { smartContract: manyNfts.address }
      await ok(call('POST /tokens/refresh', { apiKey, body }))
      const another = await productWith(service, manyNfts)
      const refresh = () => call('POST /tokens/refresh', { apiKey: another, body })
      expectProblem(await withoutIndexer(refresh), 'indexer_unavailable')
    },
  }
}
