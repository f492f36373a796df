import { describe, expect } from 'vitest'
import { type OperationId, operationIds } from '../../functions/operations.ts'
import { functionNames, workerName } from '../../infra/bundle/bundle.ts'
import { followerName } from '../../lib/contract/follower-name.ts'
import { functionName } from '../../lib/contract/route.ts'
import { transfer } from '../../local/indexer/chain/movements.ts'
import { sampleWorld } from '../../local/samples/sample-world.ts'
import { numbers, samples } from '../../local/samples/samples.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import { followLeased, forgetLeases, leaseContract } from '../support/aws/leased-contract.ts'
import { loginPublicKey } from '../support/aws/login-public-key.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import { startTestAws } from '../support/aws/test-aws.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { productWith } from '../support/requests/reading.ts'
import { type GrantedService, startGrantedService } from '../support/services/granted-service.ts'
import { testLeastPrivilege } from '../support/services/least-privilege.ts'
import { startTestIndexer } from '../support/services/own-service.ts'
import { registration } from '../support/services/service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const aws = await startTestAws()
const storedKeys = storedKeysIn(aws.access, aws.resources.tableName)
const world = sampleWorld()
const { url: target } = await startTestIndexer(world, atFileEnd)
let isIndexerDown = false
const onRequest = () => (isIndexerDown ? { status: 500 } : undefined)
const indexer = await startFaultProxy({ target, onRequest }, atFileEnd)

/** All settings that become environment variables of a function. */
const settings = {
  indexerUrl: indexer.url,
  serviceToken: `${samples.serviceToken.chain}:${samples.serviceToken.address}:18`,
  ...{ ipfsGateway: 'https://ipfs.example/', arweaveGateway: 'https://arweave.example/' },
  indexerCallsPerProductAndMinute: 500,
  followedChains: ['POLYGON'],
  ...{ followPollSeconds: 1, settlingSeconds: 0, registrationsPerAddressAndHour: 60 },
}

/** The actions that Lambda itself, not the worker's code, performs with the worker's role: it polls the queue. */
const usedByLambda = ['DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
  (action) => `sqs:${action} on WorkQueue`,
)

/** More NFTs than a refresh checks before its response (D31). */
const manyNfts = { ...samples.collections.keepers, tokenIds: numbers(1, 201) }

/** Starts a refresh of many NFTs, so that it is handed over to the worker; returns the message. */
async function handOver(service: GrantedService, apiKey: string): Promise<string> {
  const body = { smartContract: manyNfts.address }
  const answer = await service.call('POST /tokens/refresh', { apiKey, body })
  expect(answer.json.data).toMatchObject({ checked: 200, pending: 1 })
  return lastMessage(service)
}

/** A product with one NFT on its allowlist. */
async function productWithOneNft(service: GrantedService) {
  const { chain, address } = manyNfts
  const apiKey = await productWith(service, { chain, address, tokenIds: ['3'] })
  return { apiKey, contract: { chain, contractAddress: address } }
}

/** The message that was last sent to the work queue. */
const lastMessage = ({ iam }: GrantedService): string =>
  iam.calls.findLast(({ body }) => body.MessageBody)?.body.MessageBody

/** Makes an operation succeed with a prepared request: the contract is first new, then known. */
const succeed = (id: OperationId) => async (service: GrantedService) => {
  const sent = await acceptedRequest(service, id)
  // The first use of a key on a day makes a write.
  if (sent.apiKey) await storedKeys.forgetUse(sent.apiKey)
  const { status, text } = await service.call(callName(id), sent)
  expect(status, text).toBe(200)
}

/** Makes each function perform every call that its code can make. */
const drives: Record<string, (service: GrantedService) => Promise<void>> = {
  ...Object.fromEntries(operationIds.map((id) => [functionName(id), succeed(id)])),

  async 'register-product'({ call }) {
    const statuses = new Set<number>()
    // An hour that begins meanwhile permits as many again.
    while (!statuses.has(429)) {
      const calls = numbers(0, 60).map(() => call('POST /product', { body: registration() }))
      for (const { status } of await Promise.all(calls)) statuses.add(status)
    }
    expect(statuses).toEqual(new Set([200, 429]))
  },

  // The second read is remembered, and asks for the block of the first one. A game without an API key has a limit by player.
  ...Object.fromEntries(
    (['getRawMetadata', 'getStructuredMetadata'] as const).map((id) => [
      functionName(id),
      async (service: GrantedService) => {
        await forgetLeases(aws.access, aws.resources.tableName, 'POLYGON')
        await succeed(id)(service)
        const { apiKey = '', ...sent } = await acceptedRequest(service, id)
        await service.call('PATCH /product', { apiKey, body: { clientAccess: true } })
        const { productId } = (await service.call('GET /product', { apiKey })).json.data
        const client = { ...sent, query: { ...sent.query, productId } }
        expect((await service.call(callName(id), client)).status).toBe(200)
        await followLeased(aws.access, aws.resources.tableName, 'POLYGON')
        expect((await service.call(callName(id), client)).status).toBe(200)
      },
    ]),
  ),

  async 'create-player-token'({ call, userJwt }) {
    const signIn = { userJwt: await userJwt() }
    for (let token = 0; token < 2; token += 1) {
      expect((await call('GET /player/token', signIn)).status).toBe(200)
    }
  },

  // A change of the keys also deletes what is left of a key whose end has passed.
  ...Object.fromEntries(
    (['createKey', 'rotateKey'] as const).map((id) => [
      functionName(id),
      async (service: GrantedService) => {
        const sent = await acceptedRequest(service, id)
        const { apiKey = '' } = sent
        const keys = keysOf(service.call, apiKey)
        const { keyId } = keyIn(await keys.create({ expiresAt: '2099-01-01T00:00:00Z' }))
        await storedKeys.setKey(apiKey, keyId, { endsAt: new Date(0).toISOString() })
        await storedKeys.forgetUse(apiKey)
        const { status, text } = await service.call(callName(id), sent)
        expect(status, text).toBe(200)
      },
    ]),
  ),

  // The identifiers in a range are read before they are removed.
  async 'unbind-nfts'(service) {
    await succeed('unbindNfts')(service)
    const { apiKey, contract } = await productWithOneNft(service)
    const query = { ...contract, tokens: '1..5' }
    const answer = await service.call('DELETE /product/tokens', { apiKey, query })
    expect(answer.status, answer.text).toBe(200)
  },

  async 'unbind-nft-list'(service) {
    await succeed('unbindNftList')(service)
    const { apiKey, contract } = await productWithOneNft(service)
    const body = { ...contract, tokens: ['1..5'] }
    const answer = await service.call('POST /product/tokens/unbind', { apiKey, body })
    expect(answer.status, answer.text).toBe(200)
  },

  async 'refresh-metadata'(service) {
    const apiKey = await productWith(service, manyNfts)
    await storedKeys.forgetUse(apiKey)
    await handOver(service, apiKey)
    const body = { smartContract: manyNfts.address }
    const repeated = await service.call('POST /tokens/refresh', { apiKey, body })
    expect(repeated.status).toBe(200)
    const another = await productWith(service, manyNfts)
    isIndexerDown = true
    const abandoned = await service.call('POST /tokens/refresh', { apiKey: another, body })
    isIndexerDown = false
    expectProblem(abandoned, 'indexer_unavailable')
  },

  async [followerName](service) {
    const { chain, address } = samples.collections.lanterns
    await leaseContract(aws.access, aws.resources.tableName, { chain, address })
    const nft = { network: 'polygon-mainnet', address, tokenId: '1000001' } as const
    transfer(world, nft, { to: `0x${'a1'.repeat(20)}` }, Date.now())
    await service.follow()
  },

  async [workerName](service) {
    const apiKey = await productWith(service, manyNfts)
    await service.work(await handOver(service, apiKey), 'no time')
    await service.work(lastMessage(service))
    const query = { contractAddress: manyNfts.address, chain: manyNfts.chain }
    await service.call('DELETE /product/contract', { apiKey, query })
    await service.work(lastMessage(service))
    const deleted = await productWith(service, manyNfts)
    const confirm = registration().name
    await service.call('DELETE /product', { apiKey: deleted, query: { confirm } })
    const message = lastMessage(service)
    await service.work(message)
    await storedKeys.setProduct(deleted, { endedAt: new Date(0).toISOString() })
    await service.work(message)
  },
}

/** The function that registers products comes last, because no product can be registered afterwards. */
const allNames = [
  ...functionNames.filter((name) => name !== 'register-product'),
  'register-product',
]

/** Deployments, and the functions that differ between them. */
const deployments: [string, Record<string, unknown>, readonly string[]][] = [
  [
    'remembered answers',
    { rememberSeconds: 3_600, followedChains: ['POLYGON', 'BSC'] },
    ['get-raw-metadata', 'get-player-details'],
  ],
  [
    'an external login',
    { loginPublicKeys: [await loginPublicKey(aws)] },
    ['create-player-token', 'get-key-set', 'get-public-key'],
  ],
  ['assigned user ids', { userIds: 'assigned' }, ['create-player-token']],
  ['user JWTs signed in KMS', {}, allNames],
]

describe.each(deployments)('least privilege, with %s', async (_, login, names) => {
  // The deployment has read no public key, so that the functions need all of their permissions.
  const service = await startGrantedService(aws, { ...settings, ...login }, '')
  testLeastPrivilege(service, aws, {
    names,
    drive: async (name) => await drives[name]?.(service),
    usedBesides: { [workerName]: usedByLambda },
  })
})
