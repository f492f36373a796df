import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PlayerNfts } from '../../../clients/typescript/src/client.ts'
import { serve } from '../../../test/support/services/http-server.ts'
import { sendList } from '../../views/nfts/send-list.ts'

// Without its random part, a wait without Retry-After takes no time.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

const contract = { productId: 'one', chain: 'BSC', address: '0x1' }
const tokens = Array.from({ length: 6_000 }, (_, index) => `${index}`)

type Answer = [status: number, body: object, headers?: Record<string, string>]

const part = (removed: number): Answer => [200, { data: { removed }, success: true }]
const problem = (status: number, code: string, more = {}, headers = {}): Answer => [
  status,
  { code, detail: code, ...more },
  { 'content-type': 'application/problem+json', ...headers },
]
const unavailable = problem(503, 'service_unavailable')
const times = (count: number, answer: Answer) => Array.from({ length: count }, () => answer)

/** Begins to send a list of 6,000 elements, which takes three requests. The last answer of the script is that of all later requests. */
async function sending(script: Answer[], onWait?: (code: string | undefined) => void) {
  const begins: string[] = []
  const baseUrl = await serve(async (request, response) => {
    begins.push(JSON.parse((await request.toArray()).join('')).tokens[0])
    const [status, body, headers] = script[begins.length - 1] ?? (script.at(-1) as Answer)
    response.writeHead(status, headers).end(JSON.stringify(body))
  })
  const sent: number[][] = []
  const controller = new AbortController()
  const list = { ...contract, kind: 'unbind', position: 0, removed: 0 } as const
  const ended = sendList(list, tokens, new PlayerNfts({ baseUrl, apiKey: 'key' }), {
    signal: controller.signal,
    onSent: (...counts) => sent.push(counts),
    onWait: (wait) => onWait?.(wait && (wait.error as { code: string }).code),
  })
  return { ended, sent, controller, begins }
}

test('a part is sent again after a wait', async () => {
  const waits: unknown[] = []
  const script = [part(9), ...times(2, unavailable), part(5)]
  const { ended, sent, begins } = await sending(script, (code) => waits.push(code))
  await ended
  expect(begins).toEqual(['0', '2500', '2500', '2500', '5000'])
  expect(waits).toEqual(['service_unavailable', undefined, 'service_unavailable', undefined])
  expect(sent).toEqual([
    [2_500, 9],
    [5_000, 14],
    [6_000, 19],
  ])
})

test.each([
  ['a refusal', problem(400, 'invalid_request')],
  ['a limit of a total', problem(429, 'rate_limited', { limit: { name: 'nfts', count: 9 } })],
])('%s ends the list', async (_, failure) => {
  const { ended, begins } = await sending([part(0), failure])
  await expect(ended).rejects.toMatchObject({ name: expect.stringMatching(/^(Bad|Rate)/) })
  expect(begins).toEqual(['0', '2500'])
})

test('failures are for the user after 33 in a row, and limits never', async () => {
  const limit = problem(429, 'rate_limited', {}, { 'retry-after': '0' })
  const failures = times(33, unavailable)
  const { ended, begins } = await sending([
    ...[...failures, part(0), ...failures, part(0)],
    ...[...times(40, limit), part(0)],
  ])
  await ended
  expect(begins).toHaveLength(109)
  const impatient = await sending([unavailable])
  await expect(impatient.ended).rejects.toMatchObject({ code: 'service_unavailable' })
  expect(impatient.begins).toHaveLength(34)
})

test('a list ends when it is aborted, also while it waits', async () => {
  const busy = problem(503, 'service_unavailable', {}, { 'retry-after': '3600' })
  const { ended, controller, begins } = await sending([busy], () => controller.abort())
  await expect(ended).rejects.toMatchObject({ code: 'aborted' })
  expect(begins).toEqual(['0'])
})
