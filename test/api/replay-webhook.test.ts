import { expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

test('D121: a replay is of the last seven days, and of a webhook that is not verified, too', async () => {
  const { create, replay, list } = webhooksOf(call, await newProduct())
  const { webhookId } = webhookIn(await create())
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  for (const since of [inDays(-7.01), inDays(0.01), 'yesterday', 7]) {
    const errors = expectProblem(await replay(webhookId, { since }), 'invalid_request')
    expect(errors).toMatchObject([{ in: 'body', path: 'since' }])
  }
  expect((await replay(webhookId, { since: inDays(-6.9) })).status).toBe(200)
  const { state } = webhookIn(await replay(webhookId))
  expect(state).toBe('unverified')
  expect(await list()).toMatchObject([{ state: 'unverified', pendingSince: null }])
})
