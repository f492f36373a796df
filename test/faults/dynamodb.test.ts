import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../lib/contract/routes.ts'
import { numbers, samples } from '../../local/samples/samples.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import type { Fault, ProxiedRequest } from '../support/proxies/fault-proxy.ts'
import type { Received, Sent } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  expectDiscretion,
  type FaultyService,
  startFaultyService,
} from '../support/services/faulty-service.ts'
import { newAddress } from '../support/services/service.ts'

/** What each operation asks of DynamoDB when it is given {@link newRequests}. */
const actions = {
  registerProduct: ['PutItem'],
  getProduct: ['GetItem'],
  allowlistNfts: ['GetItem', 'UpdateItem', 'Query', 'PutItem', 'BatchWriteItem'],
  getAllowedNfts: ['GetItem', 'Query'],
  unbindContract: ['GetItem', 'DeleteItem'],
  unbindNfts: ['GetItem', 'DeleteItem'],
  refreshMetadata: ['GetItem', 'Query', 'PutItem'],
  getRawMetadata: ['GetItem', 'Query', 'BatchGetItem'],
  getStructuredMetadata: ['GetItem', 'Query', 'BatchGetItem'],
  createPlayerToken: ['PutItem'],
  getPlayerDetails: ['GetItem'],
} satisfies Partial<Record<OperationId, string[]>>

type Stored = keyof typeof actions
type Requests = Record<Stored, Sent>

const operations = Object.keys(actions) as Stored[]
const { gear } = samples.collections
const gearEntries = gear.tokenIds.map((tokenId) => ({
  chain: gear.chain,
  address: gear.address,
  tokenId,
}))

let service: FaultyService

beforeAll(async () => {
  service = await startFaultyService()
  // Every function is loaded before the first fault.
  const requests = await newRequests()
  await expectDone(requests, await askAll(requests))
}, 60_000)
afterEach(() => service.aws.interfere({}))

/** Lets DynamoDB, and nothing else of AWS, be as told. */
const interfere = (fault: (request: ProxiedRequest) => Fault | Promise<Fault> | undefined) =>
  service.aws.interfere({
    onRequest: (request) => (request.service === 'DynamoDB' ? fault(request) : undefined),
  })

/** Products and players that no function has seen yet, so that each has everything to look up. */
async function newRequests(): Promise<Requests> {
  const accepted = operations.map(async (id) => [id, await acceptedRequest(service, id)])
  const requests: Requests = Object.fromEntries(await Promise.all(accepted))
  return { ...requests, allowlistNfts: allowlisting(await service.newProduct()) }
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

async function askAll(requests: Requests): Promise<Record<Stored, Received>> {
  const answers = operations.map(async (id) => [id, await service.call(callName(id), requests[id])])
  return Object.fromEntries(await Promise.all(answers))
}

/** Expects the answers and, afterwards, the lists that all of it must have come to. */
async function expectDone(requests: Requests, answers: Record<Stored, Received>): Promise<void> {
  for (const id of operations) expect(answers[id].status, answers[id].text).toBe(200)
  expect(answers.getAllowedNfts.json.data).toEqual(gearEntries)
  expect(answers.getRawMetadata.json.data.length).toBeGreaterThan(0)
  const { rawMetadata: _, ...entry } = answers.getRawMetadata.json.data[0]
  expect(answers.getStructuredMetadata.json.data[0]).toMatchObject(entry)
  expect(answers.getStructuredMetadata.json.data).toHaveLength(
    answers.getRawMetadata.json.data.length,
  )
  expect(answers.refreshMetadata.json.data).toMatchObject({ checked: 25, failed: 0, pending: 0 })
  expect(await listOf(requests.unbindContract)).toEqual([])
  const unbound = requests.unbindNfts.query?.['tokens'] ?? []
  expect(await listOf(requests.unbindNfts)).toEqual(
    gearEntries.filter(({ tokenId }) => !unbound.includes(tokenId)),
  )
  expect(unbound).toHaveLength(2)
  await expectAllowlisted(requests.allowlistNfts)
  const { apiKey } = answers.registerProduct.json.data
  expect((await service.call('GET /product', { apiKey })).status).toBe(200)
  const { token: playerToken } = answers.createPlayerToken.json.data
  expect((await service.call('GET /player/details', { playerToken })).status).toBe(200)
}

async function listOf({ apiKey = '' }: Sent): Promise<unknown> {
  return (await service.call('GET /product/tokens', { apiKey })).json.data
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
const throttled = error('ProvisionedThroughputExceededException')

/** A test of something that happens to every request once, told apart by all it says. */
const once = (happens: (request: ProxiedRequest) => Fault) => {
  const seen = new Set<string>()
  return (request: ProxiedRequest) => {
    const said = `${request.action} ${JSON.stringify(request.body)}`
    if (seen.has(said)) return undefined
    seen.add(said)
    return happens(request)
  }
}

describe('D3: a fault that passes does not show', () => {
  test.each<[string, Fault]>([
    ['is throttled', throttled],
    ['loses its connection', 'drop'],
  ])('every request %s once', async (_, fault) => {
    const requests = await newRequests()
    interfere(once(() => fault))
    const answers = await askAll(requests)
    service.aws.interfere({})
    await expectDone(requests, answers)
  })

  test('every request is carried out, but its first answer is lost', async () => {
    const requests = await newRequests()
    const lose = once(() => 'drop')
    service.aws.interfere({
      onResponse: (request) => (request.service === 'DynamoDB' ? lose(request) : undefined),
    })
    const answers = await askAll(requests)
    service.aws.interfere({})
    await expectDone(requests, answers)
  })
})

describe('D3: a fault that lasts is 503, and a repeat leaves exactly what was asked for', () => {
  const all = [...new Set(Object.values(actions).flat())]

  test.each(all)('%s fails for good', async (action) => {
    const requests = await newRequests()
    interfere((request) => (request.action === action ? failing : undefined))
    const answers = await askAll(requests)
    for (const id of operations) {
      if ((actions[id] as string[]).includes(action)) expectUnavailable(answers[id])
      else expect(answers[id].status, `${id} ${answers[id].text}`).toBe(200)
    }
    service.aws.interfere({})
    const isDone = (id: Stored) => answers[id].status === 200
    const repeated = await askAll(requests)
    // What was done the first time is told as it was then: an unbound contract is not there any more.
    for (const id of operations.filter(isDone)) repeated[id] = answers[id]
    await expectDone(requests, repeated)
  })

  test.each<[string, Fault]>([
    ['throttles', throttled],
    ['refuses the functions', error('AccessDeniedException')],
    ['hangs up', 'drop'],
  ])('DynamoDB %s', async (_, fault) => {
    const requests = await newRequests()
    interfere(() => fault)
    const answers = await askAll(requests)
    for (const id of operations) expectUnavailable(answers[id])
    expectDiscretion(service, Object.values(answers))
    service.aws.interfere({})
    await expectDone(requests, await askAll(requests))
  })
})

const expectUnavailable = (answer: Received) => expectProblem(answer, 'service_unavailable')
