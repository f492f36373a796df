import { samples } from '@player-nfts/local/samples'
import { beforeAll, describe, expect, test } from 'vitest'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import type { Fault } from '../support/proxies/fault-proxy.ts'
import { type Received, type Sent, withoutTime } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  expectDiscretion,
  startFaultyService,
  upstreamText,
} from '../support/services/faulty-service.ts'

/** The operations that call the indexer. */
const operations = [
  'getRawMetadata',
  'getStructuredMetadata',
  'getPlayerDetails',
  'refreshMetadata',
] as const

type Asking = (typeof operations)[number]
type Requests = Record<Asking, Sent>

const service = await startFaultyService()
let undisturbed: Record<Asking, unknown>
let reads: Omit<Requests, 'refreshMetadata'>

beforeAll(async () => {
  const accepted = operations.map(async (id) => [id, await acceptedRequest(service, id)])
  const requests: Requests = Object.fromEntries(await Promise.all(accepted))
  reads = requests
  undisturbed = contentOf(await askAll(requests))
  expect(undisturbed).toMatchObject({
    getPlayerDetails: expect.stringMatching(/"amount":[1-9]/),
    refreshMetadata: { checked: 25, failed: 0, pending: 0 },
  })
})

/** The requests of one test. A finished refresh is not repeated, so each test needs a new one. */
const newRequests = async (): Promise<Requests> => ({
  ...reads,
  refreshMetadata: await acceptedRequest(service, 'refreshMetadata'),
})

async function askAll(requests: Requests): Promise<Record<Asking, Received>> {
  const answers = operations.map(async (id) => [id, await ask(id, requests)])
  return Object.fromEntries(await Promise.all(answers))
}

const ask = (id: Asking, requests: Requests) => service.call(callName(id), requests[id])

/** The content of responses, without the parts that differ each time. */
function contentOf(answers: Record<Asking, Received>): Record<Asking, unknown> {
  for (const answer of Object.values(answers)) expect(answer.status, answer.text).toBe(200)
  const { checked, failed, pending } = answers.refreshMetadata.json.data
  return {
    getRawMetadata: withoutTime(answers.getRawMetadata.text),
    getStructuredMetadata: withoutTime(answers.getStructuredMetadata.text),
    getPlayerDetails: withoutTime(answers.getPlayerDetails.text),
    refreshMetadata: { checked, failed, pending },
  }
}

/** Calls every operation during the fault, and again after it. */
async function expectUnavailableWhile(fault: () => Fault | undefined): Promise<Received[]> {
  const requests = await newRequests()
  service.indexer.interfere({ onRequest: fault })
  const answers = Object.values(await askAll(requests))
  for (const answer of answers) expectProblem(answer, 'indexer_unavailable')
  expectDiscretion(service, answers)
  service.indexer.interfere({})
  expect(contentOf(await askAll(requests))).toEqual(undisturbed)
  return answers
}

const says = (body: string, status = 200): Fault => ({ status, body })

describe('D30: every operation returns 503 during a fault, and the right response after it', () => {
  const cut = { 'content-length': '5000', connection: 'close' }
  test.each<[string, Fault]>([
    ['overloaded', says(upstreamText, 503)],
    ['closing the connection', 'drop'],
    ['ending within a response', { status: 200, headers: cut, body: '{"ownedNfts":[' }],
    ['an HTML response', says(`<h1>${upstreamText}</h1>`)],
  ])('%s', async (_, fault) => {
    await expectUnavailableWhile(() => fault)
  })

  test('a Retry-After past the deadline is passed on to the caller', async () => {
    const headers = { 'retry-after': '30' }
    const answers = await expectUnavailableWhile(() => ({ status: 429, headers }))
    for (const answer of answers) expect(answer.headers.get('retry-after')).toBe('30')
  })
})

test('D30: no response is partial: one wallet of three fails', async () => {
  const [, second = ''] = samples.players.threeWallets.wallets
  const fault = ({ path, body }: { path: string; body: unknown }) =>
    path.includes(second) || JSON.stringify(body).includes(second) ? says('', 500) : undefined
  service.indexer.interfere({ onRequest: fault })
  const answers = [
    await service.call('GET /player/tokens/raw', reads.getRawMetadata),
    await service.call('GET /player/tokens', reads.getStructuredMetadata),
    await service.call('GET /player/details', reads.getPlayerDetails),
  ]
  for (const answer of answers) expectProblem(answer, 'indexer_unavailable')
})

test('D30: nothing listens at the indexer URL', async () => {
  const requests = await newRequests()
  service.indexer.close()
  const answers = Object.values(await askAll(requests))
  for (const answer of answers) expectProblem(answer, 'indexer_unavailable')
  expectDiscretion(service, answers)
})
