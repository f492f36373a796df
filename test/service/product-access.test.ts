import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import { needsManage, type Route } from '../../lib/contract/route.ts'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { today } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { startOwnService } from '../support/services/own-service.ts'

/** The permission of a request is read beside the first reads of its operation (D46). */

const service = await startCountedService()
const other = await startOwnService(
  { AWS_ENDPOINT_URL: service.stack.aws.endpoint ?? '' },
  afterAll,
)
const host = service.newContainers()
const keys = storedKeysIn(service.stack.aws, service.stack.resources.tableName)

afterEach(() => service.interfere(() => undefined))

const withApiKey = (Object.entries(routes) as [OperationId, Route][]).filter(
  ([, { auth }]) => auth === 'PRODUCT',
)
const managing = withApiKey.filter(([, route]) => needsManage(route))

/** A request that the operation accepts, from a container that knows the key. */
async function knownRequest(id: OperationId): Promise<Sent & { apiKey: string }> {
  const sent = await acceptedRequest(service, id)
  await invokeFunction(host, id, { ...sent, query: { limit: '0' } })
  return sent as Sent & { apiKey: string }
}

const isRead = (name: string) => ['GetItem', 'Query', 'BatchGetItem'].includes(name)
const isSharedRead = (name: string) => name === 'GetSecretValue'

/** The requests that a call causes, by name. */
async function requestsOf(run: () => Promise<unknown>): Promise<string[]> {
  return Object.keys(await service.countsOf(run))
}

/** Whether a request reads the item of a product. */
function isOfProduct({ Key, RequestItems = {} }: Record<string, object | undefined>): boolean {
  const keys = [Key, ...Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys)]
  return keys.some((key) => key?.sk?.S === 'PROFILE' && key.pk.S.startsWith('PRODUCT#'))
}

describe('D46: a refused request', () => {
  async function setKey(apiKey: string, changes: Record<string, unknown>) {
    await keys.setKey(apiKey, (await keys.find(apiKey)).keyId, changes)
  }

  /** The refusals of a key, in the order of the test: each replaces the one before, and the last stays. */
  const refusals = [
    {
      name: 'a product that is being deleted',
      code: 'invalid_api_key',
      begin: (apiKey: string) => keys.setProduct(apiKey, { endedAt: new Date().toISOString() }),
      end: (apiKey: string) => keys.removeFromProduct(apiKey, 'endedAt'),
    },
    {
      name: 'a stopped product',
      code: 'product_stopped',
      begin: (apiKey: string) => keys.setProduct(apiKey, { stoppedAt: new Date().toISOString() }),
      end: (apiKey: string) => keys.removeFromProduct(apiKey, 'stoppedAt'),
    },
    {
      name: 'a key whose end has passed',
      code: 'invalid_api_key',
      begin: (apiKey: string) => setKey(apiKey, { endsAt: new Date(Date.now() - 1).toISOString() }),
      end: () => undefined,
    },
    {
      name: 'a key that was removed',
      code: 'invalid_api_key',
      begin: keys.remove,
      end: () => undefined,
    },
  ] as const

  /** Sends a request that is refused, and expects that it only reads. */
  async function expectRefused(id: OperationId, sent: Sent, code: ProblemCode, why?: string) {
    const requests = await requestsOf(async () =>
      expectProblem(await invokeFunction(host, id, sent), code),
    )
    const further = requests.filter((name) => !isRead(name) && !isSharedRead(name))
    expect(further, why).toEqual([])
  }

  test.each(withApiKey)('%s: writes, sends and asks nothing', async (id) => {
    const sent = await knownRequest(id)
    for (const { name, code, begin, end } of refusals) {
      await begin(sent.apiKey)
      await expectRefused(id, sent, code, name)
      // The next request to another process is refused too.
      expectProblem(await other.call(callName(id), sent), code)
      await end(sent.apiKey)
    }
  })

  test.each(managing)(
    'D3: %s with a key of the scope READ is 403 insufficient_scope, before its input is judged',
    async (id) => {
      const sent = await knownRequest(id)
      await setKey(sent.apiKey, { scope: 'READ' })
      await expectRefused(id, sent, 'insufficient_scope')
      const { apiKey } = sent
      const answer = await invokeFunction(host, id, {
        apiKey,
        query: { limit: '0' },
        ...(routes[id].method === 'POST' && { body: '{' }),
      })
      expectProblem(answer, 'insufficient_scope')
    },
  )

  test.each(['getRawMetadata', 'getStructuredMetadata'] as const)(
    '%s accepts a key of the scope READ',
    async (id) => {
      const sent = await knownRequest(id)
      await setKey(sent.apiKey, { scope: 'READ' })
      expect((await invokeFunction(host, id, sent)).status).toBe(200)
    },
  )

  test('D3: an ended key comes before an invalid player token, which comes before 403', async () => {
    const sent = { ...(await knownRequest('getRawMetadata')), playerToken: 'nonsense' }
    await keys.setProduct(sent.apiKey, { stoppedAt: new Date().toISOString() })
    expectProblem(await invokeFunction(host, 'getRawMetadata', sent), 'invalid_player_token')
    await keys.remove(sent.apiKey)
    expectProblem(await invokeFunction(host, 'getRawMetadata', sent), 'invalid_api_key')
  })
})

test('D46: a product that cannot be read is 503, and nothing is written', async () => {
  const sent = await knownRequest('allowlistNfts')
  service.interfere(({ body }) =>
    isOfProduct(body) ? { status: 500, body: { __type: 'x#InternalServerError' } } : undefined,
  )
  const requests = await requestsOf(async () =>
    expectProblem(await invokeFunction(host, 'allowlistNfts', sent), 'service_unavailable'),
  )
  expect(requests).toEqual(['GetItem'])
})

describe('D46: the day of the latest use', () => {
  const lastUsedOn = async (apiKey: string) => {
    const { product, keyId } = await keys.find(apiKey)
    const stored = (await keys.get(product))?.['keys'] as Record<string, { lastUsedOn?: string }>
    return stored[keyId]?.lastUsedOn
  }

  test('is stored with the first use of a day, by one write', async () => {
    const sent = await knownRequest('getContracts')
    await keys.forgetUse(sent.apiKey)
    const call = () => invokeFunction(host, 'getContracts', sent)
    const reads = { GetItem: 1, Query: 2, BatchGetItem: 1 }
    const before = today()
    expect(await service.countsOf(call)).toEqual({ ...reads, UpdateItem: 1 })
    expect([before, today()]).toContain(await lastUsedOn(sent.apiKey))
    expect(await service.countsOf(call)).toEqual(reads)
  })

  test('fails no request', async () => {
    const sent = await knownRequest('getContracts')
    await keys.forgetUse(sent.apiKey)
    service.interfere(({ action }) =>
      action === 'UpdateItem'
        ? { status: 400, body: { __type: 'x#ThrottlingException' } }
        : undefined,
    )
    expect((await invokeFunction(host, 'getContracts', sent)).status).toBe(200)
    expect(await lastUsedOn(sent.apiKey)).toBeUndefined()
  })
})
