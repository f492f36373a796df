import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type OperationId, routes } from '../../functions/operations.ts'
import type { Route } from '../../lib/contract/route.ts'
import { acceptedRequest } from '../support/accepted-requests.ts'
import type { Sent } from '../support/requests/client.ts'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { keyIn, keysOf } from '../support/requests/keys.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'

/** What a stranger's request costs: docs/scale.md#callers-without-a-credential says so. */

const service = await startCountedService()
const host = service.newContainers()

const withApiKey = (Object.entries(routes) as [OperationId, Route][]).filter(
  ([, { auth }]) => auth === 'PRODUCT',
)

/** The requests of an operation that refuses this key. */
const costOf = (id: OperationId, sent: Sent, apiKey: string) =>
  service.countsOf(async () =>
    expectProblem(await invokeFunction(host, id, { ...sent, apiKey }), 'invalid_api_key'),
  )

describe('D46: an unknown API key', () => {
  test.each(withApiKey)('%s: takes one read each time, and a mistyped key none', async (id) => {
    const sent = (await acceptedRequest(service, id)) as Sent
    const unknown = randomUUID()
    for (const again of [sent, sent, { ...sent, playerToken: 'garbage' }]) {
      expect(await costOf(id, again, unknown)).toEqual({ GetItem: 1 })
    }
    const created = await keysOf(service.call, await service.newProduct()).create()
    const { apiKey } = keyIn(created)
    const mistyped = `${apiKey.slice(0, -1)}${apiKey.endsWith('0') ? '1' : '0'}`
    for (const form of [mistyped, 'garbage']) expect(await costOf(id, sent, form)).toEqual({})
  })
})

test.each([
  ['getPlayerDetails', { playerToken: 'garbage' }, 'invalid_player_token'],
  ['createPlayerToken', { userJwt: 'garbage' }, 'invalid_user_token'],
] as const)('D23: %s: a token that is not valid takes no request', async (id, sent, code) => {
  const counts = await service.countsOf(async () =>
    expectProblem(await invokeFunction(host, id, sent), code),
  )
  expect(counts).toEqual({})
})
