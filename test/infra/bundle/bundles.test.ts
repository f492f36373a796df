import { stat } from 'node:fs/promises'
import { describe, expect, inject, test } from 'vitest'
import { forbiddenModulesIn } from '../../../bench/cold-start/forbidden-modules.ts'
import { maxBundleBytes } from '../../../bench/cold-start/report.ts'
import { sampleOf } from '../../../bench/cold-start/samples.ts'
import { eventOf } from '../../../bench/scenario/events.ts'
import { bundleFile, functionNames, workerName } from '../../../infra/bundle/bundle.ts'
import { functionName, operationIds } from '../../../lib/contract/routes.ts'
import { acceptedRequest } from '../../support/accepted-requests.ts'
import type { Sent } from '../../support/requests/client.ts'
import { sharedService } from '../../support/services/service.ts'

const fileOf = (name: string) => bundleFile(inject('functionsDir'), name)

describe.each(functionNames)('the bundle of %s', (name) => {
  test('is at most 450 KB', async () => {
    expect((await stat(fileOf(name))).size).toBeLessThanOrEqual(maxBundleBytes)
  })

  test('contains no module that a cold start should not load', async () => {
    expect(await forbiddenModulesIn(fileOf(name))).toEqual([])
  })
})

describe('a cold start', () => {
  const service = sharedService()

  const undiciAfter = async (name: string, event: unknown) => {
    const subject = { file: fileOf(name), load: 'require', bytes: 0 } as const
    const variables = inject('functions')[name]?.env ?? {}
    return (await sampleOf({ subject, variables, event })).undici
  }

  test.each(operationIds)('%s: undici is not loaded before the first response', async (id) => {
    const event = eventOf(asSent(await acceptedRequest(service, id)))
    expect(await undiciAfter(functionName(id), event)).toEqual([])
  })

  test(`${workerName}: undici is not loaded before the end of the first message`, async () => {
    const contract = { chain: 'BSC', address: `0x${'0'.repeat(40)}`, bindingId: 'gone' }
    const body = JSON.stringify({ kind: 'sweep', productId: 'nobody', contract })
    const event = { Records: [{ messageId: '1', body }] }
    expect(await undiciAfter(workerName, event)).toEqual([])
  })
})

const asSent = ({ playerToken, query = {}, ...sent }: Sent) => ({
  ...sent,
  query: {
    ...(playerToken && { playerToken }),
    ...Object.fromEntries(
      Object.entries(query).map(([key, value]) => [key, [value].flat().join()]),
    ),
  },
})
