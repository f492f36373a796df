import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { downstreamCalls } from '../../lib/observability/downstream-calls.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'

test('D72: the subject belongs to one request, whatever runs at the same time', async () => {
  const request = (userId: number) =>
    downstreamCalls.during(async () => {
      requestSubject.note({ userId })
      await setImmediate()
      requestSubject.note({ productId: `product of ${userId}` })
      await setImmediate()
      return requestSubject.current()
    })
  requestSubject.note({ userId: 0 })
  expect(await Promise.all([request(1), request(2)])).toEqual([
    { userId: 1, productId: 'product of 1' },
    { userId: 2, productId: 'product of 2' },
  ])
  expect(requestSubject.current()).toEqual({})
})
