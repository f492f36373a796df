import { expect, test } from 'vitest'
import { ConnectionError } from '../../../clients/typescript/src/errors.ts'
import { type ListToSend, retrySeconds, sendList } from '../../views/nfts/send-list.ts'
import { apiErrorOf } from '../api-error.ts'

const elements = ['1', '2', '3', '4', '5']

/** A list in parts of two, whose requests fail as `faults` says: by the number of the request, from 0. */
function listToSend(faults: Record<number, string> = {}, options: Partial<ListToSend> = {}) {
  const requests: string[] = []
  const waits: string[] = []
  let position = 0
  const list: ListToSend = {
    async send(onPart) {
      for (; position < elements.length; position += 2) {
        const fault = faults[requests.length]
        requests.push(elements.slice(position, position + 2).join())
        if (fault !== undefined) throw new Error(fault)
        onPart()
      }
    },
    retryAfter: (error) => ((error as Error).message === 'busy' ? 0 : undefined),
    onWait: (wait) => waits.push(wait ? (wait.error as Error).message : 'goes on'),
    ...options,
  }
  return { list, requests, waits }
}

const { signal } = new AbortController()

test('a part is sent again after a wait, if that helps', async () => {
  const { list, requests, waits } = listToSend({ 1: 'busy', 2: 'busy' })
  await sendList(list, signal)
  expect(requests).toEqual(['1,2', '3,4', '3,4', '3,4', '5'])
  expect(waits).toEqual(['busy', 'goes on', 'busy', 'goes on'])
})

test('a failure that a repeat does not help ends the list', async () => {
  const { list, requests } = listToSend({ 1: 'refused' })
  await expect(sendList(list, signal)).rejects.toThrow('refused')
  expect(requests).toEqual(['1,2', '3,4'])
})

test('a list ends when it is aborted, also while it waits', async () => {
  const controller = new AbortController()
  const { list, requests } = listToSend(
    { 0: 'busy' },
    { retryAfter: () => 3600, onWait: () => controller.abort(new Error('stopped')) },
  )
  await expect(sendList(list, controller.signal)).rejects.toThrow('stopped')
  expect(requests).toEqual(['1,2'])
})

test('failures are counted since the last part that was sent', async () => {
  const counts: number[] = []
  const retryAfter = (_: unknown, failures: number) => {
    counts.push(failures)
    return 0
  }
  await sendList(listToSend({ 0: 'busy', 1: 'busy', 3: 'busy' }, { retryAfter }).list, signal)
  expect(counts).toEqual([1, 2, 1])
})

const limit = { name: 'allowlisted_nfts', count: 2_500 } as const

test.each([
  ['a limit says', apiErrorOf(429, 'rate_limited', { retryAfterSeconds: 12 }), 9, 12],
  ['it takes longer with each failure', apiErrorOf(429, 'gateway_error'), 3, 4],
  ['it takes 30 seconds at most', apiErrorOf(429, 'gateway_error'), 20, 30],
  ['a limit of a total never does', apiErrorOf(429, 'rate_limited', { limit }), 1, undefined],
  ['the service is busy', apiErrorOf(503, 'service_unavailable'), 2, 2],
  ['the service says', apiErrorOf(503, 'service_unavailable', { retryAfterSeconds: 7 }), 2, 7],
  [
    'there was no answer',
    new ConnectionError({ code: 'connection_failed', detail: '', operation: 'a' }),
    8,
    30,
  ],
  ['nine failures in a row are for the user', apiErrorOf(503, 'service_unavailable'), 9, undefined],
  ['a mistake of the service', apiErrorOf(500, 'internal_error'), 1, undefined],
  ['a refusal', apiErrorOf(400, 'invalid_request'), 1, undefined],
])('a part is sent again when %s', (_, error, failures, seconds) => {
  const found = retrySeconds(error, failures)
  // The random part of a second keeps several tabs apart.
  expect(found && Math.floor(found)).toBe(seconds)
})
