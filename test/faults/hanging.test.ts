import { expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import type { Sent } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { expectDiscretion, startFaultyService } from '../support/services/faulty-service.ts'

const service = await startFaultyService()

/** The calls that never end, and the operations that wait for them. */
const waiting = {
  BatchWriteItem: ['allowlistNfts'],
  Sign: ['createPlayerToken'],
  SendMessage: ['unbindContract'],
  // Its container has not read the indexer key yet.
  GetSecretValue: ['getStructuredMetadata'],
  indexer: ['getRawMetadata', 'getPlayerDetails', 'refreshMetadata'],
} satisfies Record<string, OperationId[]>

test('D30: requests that hang time out, and do not delay other requests', async () => {
  const requests = new Map<OperationId, Sent>()
  for (const id of Object.values(waiting).flat()) {
    requests.set(id, await acceptedRequest(service, id))
  }
  const answered: string[] = []
  const call = async (id: OperationId) => {
    const answer = await service.call(callName(id), requests.get(id))
    answered.push(id)
    return answer
  }
  const warm = await Promise.all([call('getRawMetadata'), call('getPlayerDetails')])
  for (const { status } of warm) expect(status).toBe(200)
  await service.call('POST /tokens/refresh', await acceptedRequest(service, 'refreshMetadata'))
  answered.length = 0

  service.aws.interfere({ onRequest: ({ action }) => (action in waiting ? 'hang' : undefined) })
  service.indexer.interfere({ onRequest: () => 'hang' })
  const waited = Object.entries(waiting).flatMap(([where, ids]) =>
    ids.map(async (id) => {
      const answer = await call(id)
      expectProblem(answer, where === 'indexer' ? 'indexer_unavailable' : 'service_unavailable')
      return answer
    }),
  )
  const { apiKey = '' } = requests.get('unbindContract') ?? {}
  // D19: the contract stays connected until the message to the worker is sent.
  const list = async () => (await service.call('GET /product/tokens', { apiKey })).json.data
  expect(await list()).toHaveLength(25)
  expect(answered).toEqual([])
  expectDiscretion(service, await Promise.all(waited))
  // Each call has its own timeout: the deadline of the request is the last resort.
  expect(reasonsIn(service.log)).toEqual([
    'DynamoDB: TimeoutError',
    'KMS: TimeoutError',
    'SQS: TimeoutError',
    'Secrets Manager: TimeoutError',
    'timed out',
    'timed out',
    'timed out',
  ])

  service.aws.interfere({})
  service.indexer.interfere({})
  for (const id of requests.keys()) expect((await call(id)).status, id).toBe(200)
  expect(await list()).toEqual([])
})

/** The reasons of failed requests, sorted and without the milliseconds. */
const reasonsIn = (log: string[]): string[] =>
  log
    .map((line) => JSON.parse(line).reason as string | undefined)
    .flatMap((reason) => reason?.replace(/ after \d+ ms$/, '') ?? [])
    .sort()
