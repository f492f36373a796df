import { numbers, samples } from '@player-nfts/local/samples'
import { beforeAll, describe, expect, test } from 'vitest'
import { type OperationId, operationIds, operations } from '../../functions/operations.ts'
import { requestsOf, sumOf } from '../../lib/contract/requests.ts'
import type { Route } from '../../lib/contract/route.ts'
import { dynamoDbActions, type OperationRequests } from '../../lib/contract/route.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import { rowOf } from '../support/operations.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { expectDiscretion, startFaultyService } from '../support/services/faulty-service.ts'
import { newAddress } from '../support/services/service.ts'

/** What remains of an ended key is deleted if possible: the key has ended before. */
const ifPossible: { [Id in OperationId]?: readonly string[] } = { endKey: ['DeleteItem'] }

/**
 * The DynamoDB actions without which an operation fails. The record of a change is written before the change, and
 * completed after it, if possible (D49).
 */
function actionsOf(id: OperationId): readonly string[] {
  const { recordsChange, ...own }: OperationRequests = operations[id].requests
  const needed = sumOf(requestsOf(rowOf(id), own).each, recordsChange && { PutItem: 1 })
  return dynamoDbActions.filter((action) => needed[action] && !ifPossible[id]?.includes(action))
}

type Requests = Map<OperationId, Sent>
type Answers = Map<OperationId, Received>

/** The operations that use the table. */
const withTable = operationIds.filter((id) => actionsOf(id).length > 0)
const { gear } = samples.collections
const service = await startFaultyService()
const gearEntries = gear.tokenIds.map((tokenId) => ({
  chain: gear.chain,
  address: gear.address,
  tokenId,
}))

/** The player's NFTs in a response without faults. */
let ownedGear: unknown[]

beforeAll(async () => {
  // Every function is loaded before the first fault, one after the other: together they take long.
  for (const id of withTable) {
    const requests = await newRequests([id])
    const answers = await callAll(requests)
    if (id === 'getRawMetadata') ownedGear = nftsIn(answers.get(id))
    await expectDone(requests, answers)
  }
  expect(ownedGear.length).toBeGreaterThan(0)
})

/** The members that both forms of metadata share. */
const nftsIn = (answer?: Received): unknown[] =>
  answer?.json.data.map(
    ({ rawMetadata: _, formattedMetadata: __, ...nft }: Record<string, unknown>) => nft,
  )

/** Makes requests to DynamoDB, and to no other service, fail. */
const interfere = (fault: (request: ProxiedRequest) => Fault | Promise<Fault> | undefined) =>
  service.aws.interfere({
    onRequest: (request) => (request.service === 'DynamoDB' ? fault(request) : undefined),
  })

/** Requests with products and players that no function has seen yet, so that each reads everything. */
async function newRequests(ids: readonly OperationId[] = withTable): Promise<Requests> {
  const requests = ids.map(async (id): Promise<[OperationId, Sent]> => {
    if (id === 'allowlistNfts') return [id, allowlisting(await service.newProduct())]
    return [id, await acceptedRequest(service, id)]
  })
  return new Map(await Promise.all(requests))
}

/** 60 NFTs: three batches. */
const tokenIds = numbers(1, 60)
const allowlisting = (apiKey: string) => ({
  apiKey,
  body: {
    contractAddress: newAddress(),
    contractDescription: 'A contract that is new to the product.',
    tokens: tokenIds,
  },
})

/** Operations that are repeated with a new proof, because each counts once, or with a new session. */
const withNewCredential: readonly OperationId[] = ['signIn', 'addWallet', 'removeWallet', 'signOut']

/** The requests of these that can be repeated as they are. */
const repeatableOf = (requests: Requests): Requests =>
  new Map([...requests].filter(([id]) => !withNewCredential.includes(id)))

async function callAll(requests: Requests): Promise<Answers> {
  const answers = [...requests].map(
    async ([id, sent]): Promise<[OperationId, Received]> => [
      id,
      await service.call(callName(id), sent),
    ],
  )
  return new Map(await Promise.all(answers))
}

/** What must hold for an operation after its success. */
const effects: Partial<Record<OperationId, (sent: Sent, answer: Received) => unknown>> = {
  async registerProduct(_, { json }) {
    const { apiKey } = json.data
    expect((await service.call('GET /product', { apiKey })).status).toBe(200)
  },
  getAllowedNfts: (_, { json }) => expect(json.data).toEqual(gearEntries),
  getRawMetadata: (_, answer) => expect(nftsIn(answer)).toEqual(ownedGear),
  getStructuredMetadata: (_, answer) => expect(nftsIn(answer)).toEqual(ownedGear),
  refreshMetadata: (_, { json }) =>
    expect(json.data).toMatchObject({ checked: 25, failed: 0, pending: 0 }),
  unbindContract: async (sent) => expect(await listOf(sent)).toEqual([]),
  unbindNfts: (sent) => expectUnbound(sent, sent.query?.['tokens']),
  unbindNftList: (sent) => expectUnbound(sent, (sent.body as { tokens: string[] }).tokens),
  allowlistNfts: expectAllowlisted,
  async createPlayerToken(_, { json }) {
    const { token: playerToken } = json.data
    expect((await service.call('GET /player/details', { playerToken })).status).toBe(200)
  },
}

/** Expects that all operations have succeeded and have their full effect. */
async function expectDone(requests: Requests, answers: Answers): Promise<void> {
  const checks = [...answers].map(async ([id, answer]) => {
    expect(answer.status, `${id} ${answer.text}`).toBe(200)
    await effects[id]?.(requests.get(id) ?? {}, answer)
  })
  await Promise.all(checks)
}

async function listOf({ apiKey = '' }: Sent): Promise<unknown> {
  return (await service.call('GET /product/tokens', { apiKey })).json.data
}

/** Two sample NFTs are unbound, and the others are still allowlisted. */
async function expectUnbound(sent: Sent, unbound: unknown = []): Promise<void> {
  const tokens = unbound as readonly string[]
  expect(tokens).toHaveLength(2)
  const rest = gearEntries.filter(({ tokenId }) => !tokens.includes(tokenId))
  expect(await listOf(sent)).toEqual(rest)
}

async function expectAllowlisted(request: Sent): Promise<void> {
  const { contractAddress: address } = request.body as { contractAddress: string }
  const entries = tokenIds.map((tokenId) => ({ chain: 'POLYGON', address, tokenId }))
  expect(await listOf(request)).toEqual(entries)
}

const error = (name: string, status = 400): Fault => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: 'not now' },
})
const failing = error('InternalServerError', 500)

/** A fault of the first attempt of each request; attempts with the same content are the same request. */
const once = (fault: Fault) => {
  const seen = new Set<string>()
  return (request: ProxiedRequest) => {
    const content = `${request.action} ${JSON.stringify(request.body)}`
    if (seen.has(content)) return undefined
    seen.add(content)
    return fault
  }
}

describe('D3: a fault of one attempt has no effect', () => {
  test('every request is carried out, but its first response is lost', async () => {
    const requests = await newRequests()
    const lose = once('drop')
    service.aws.interfere({
      onResponse: (request) => (request.service === 'DynamoDB' ? lose(request) : undefined),
    })
    const answers = await callAll(requests)
    service.aws.interfere({})
    await expectDone(requests, answers)
  })
})

describe('D3: a lasting fault is 503, and a repeated request has its full effect', () => {
  test.each(dynamoDbActions)('%s fails', async (action) => {
    const affected = withTable.filter((id) => actionsOf(id).includes(action))
    const requests = await newRequests(affected)
    interfere((request) => (request.action === action ? failing : undefined))
    const answers = await callAll(requests)
    const statuses = [...answers].map(([id, { status }]) => [id, status])
    expect(statuses).toEqual(affected.map((id) => [id, 503]))
    for (const [id, answer] of answers) expectUnavailable(answer, rowOf(id))
    service.aws.interfere({})
    const repeated = repeatableOf(requests)
    await expectDone(repeated, await callAll(repeated))
  })

  test('DynamoDB denies access', async () => {
    const requests = await newRequests()
    interfere(() => error('AccessDeniedException'))
    const answers = await callAll(requests)
    for (const [id, answer] of answers) expectUnavailable(answer, rowOf(id))
    expectDiscretion(service, [...answers.values()])
    service.aws.interfere({})
    const repeated = repeatableOf(requests)
    await expectDone(repeated, await callAll(repeated))
  })
})

const unbinding = async () => {
  const { apiKey, body } = allowlisting(await service.newProduct())
  await service.call('POST /product/tokens', { apiKey, body })
  const { contractAddress } = body
  return { apiKey, query: { contractAddress, chain: 'POLYGON', tokens: tokenIds } }
}

test('D38: unbinding many NFTs makes progress while calls fail: a fault of one NFT is 503, and the others are unbound', async () => {
  const request = await unbinding()
  const isOfSeven = ({ action, body }: ProxiedRequest) =>
    action === 'DeleteItem' && /TOKEN#0*7$/.test(body.Key.sk.S)
  interfere((request) => (isOfSeven(request) ? failing : undefined))
  expectUnavailable(await service.call('DELETE /product/tokens', request))
  expect(await listOf(request)).toMatchObject([{ tokenId: '7' }])
})

const expectUnavailable = (answer: Received, row?: Pick<Route, 'oauth'>) =>
  expectProblem(answer, 'service_unavailable', row)
