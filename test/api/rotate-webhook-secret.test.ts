import { expect, test } from 'vitest'
import { webhookIn, webhooksOf } from '../support/requests/webhooks.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newProduct } = sharedService()

test('D123: a rotation returns another secret, and says until when the old one signs too', async () => {
  const { create, rotate, list } = webhooksOf(call, await newProduct())
  const { webhookId, secret, oldSecretEndsAt } = webhookIn(await create())
  expect(oldSecretEndsAt).toBeNull()
  const before = Date.now()
  const day = webhookIn(await rotate(webhookId))
  const hour = webhookIn(await rotate(webhookId, { overlapSeconds: 3_600 }))
  const lasts = ({ oldSecretEndsAt }: typeof day) =>
    Math.round((Date.parse(oldSecretEndsAt ?? '') - before) / 60_000)
  expect([lasts(day), lasts(hour)]).toEqual([1_440, 60])
  const none = webhookIn(await rotate(webhookId, { overlapSeconds: 0 }))
  expect(none.oldSecretEndsAt).toBeNull()
  expect(new Set([secret, day.secret, hour.secret, none.secret]).size).toBe(4)
  const { secret: _, ...shown } = none
  expect(await list()).toEqual([shown])
})
