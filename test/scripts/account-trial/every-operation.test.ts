import { expect, test } from 'vitest'
import { operationIds } from '../../../functions/operations.ts'
import { prepareCalls, sendCalls } from '../../../scripts/account-trial/warm-calls.ts'
import { sharedService } from '../../support/services/service.ts'

test('a trial can measure every operation', { timeout: 120_000 }, async () => {
  const service = sharedService()
  const prepared = await prepareCalls(service, operationIds, { reads: 2, changes: 1 })
  const calls = await sendCalls(service, prepared, async () => undefined)
  expect(calls.map(({ operation }) => operation)).toEqual(operationIds)
})
