import { describe, expect, test } from 'vitest'
import type { OperationId } from '../../functions/operations.ts'
import { writeEventCursor } from '../../lib/contract/list-cursors.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
const host = service.newContainers()

/** The requests of a call whose container has seen the API key before. */
async function countsOf(id: OperationId, sent: Sent, check: (answer: Answer) => void) {
  await invokeFunction(host, id, sent)
  return await service.countsOf(async () => check(await invokeFunction(host, id, sent)))
}

type Answer = Awaited<ReturnType<typeof invokeFunction>>

const notFound = (answer: Answer) => void expectProblem(answer, 'key_not_found')

/** The product, and the event of the attempt, before and after it (D46, D49). */
const attempt = { GetItem: 1, PutItem: 1, UpdateItem: 1 }

describe.each(['endKey', 'rotateKey'] as const)('%s', (id) => {
  test('D46: a keyId that no key has is looked for', async () => {
    const sent = { apiKey: await service.newProduct(), path: { keyId: 'unknownKey12' } }
    expect(await countsOf(id, sent, notFound)).toEqual({ ...attempt, GetItem: 1 + 1 })
  })

  test.each([
    ['empty', ''],
    ['too short', 'unknownKey1'],
    ['with a line break', 'unknownKey1\n'],
    ['too long', 'unknownKey123'],
    ['with another letter', 'ünknownKey12'],
    ['of 1,100 characters', 'x'.repeat(1_100)],
    ['of 8 KB', 'x'.repeat(8_192)],
  ])('D46: a keyId of another form is not: %s', async (_, keyId) => {
    const sent = { apiKey: await service.newProduct(), path: { keyId } }
    expect(await countsOf(id, sent, notFound)).toEqual(attempt)
  })
})

test('D77: getEvents reads no events after one that is not kept any more', async () => {
  const apiKey = await service.newProduct()
  const cursor = writeEventCursor({ eventId: '00000000-0000-7000-8000-000000000000' })
  const isEmpty = ({ json }: Answer) => expect(json).toEqual({ data: [], success: true })
  const counts = await countsOf('getEvents', { apiKey, query: { cursor } }, isEmpty)
  expect(counts).toEqual({ GetItem: 1 })
})
