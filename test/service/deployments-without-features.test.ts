import { describe, expect, test } from 'vitest'
import type { Feature } from '../../lib/contract/route.ts'
import { acceptedRequest, callName } from '../support/accepted-requests.ts'
import { usualOperationIds } from '../support/operations.ts'
import { clientOf, withoutLimits } from '../support/requests/client.ts'
import { startGatewayOver } from '../support/services/containers.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { registration } from '../support/services/service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const service = await startOwnService({}, atFileEnd)

/** The variables that only a feature sets. */
const variablesOf: Record<Feature, RegExp> = { walletSignIn: /^SIGN_IN_/, webhooks: /^WEBHOOK_/ }

/** The functions of the service as a deployment without the features has them. */
const functions = Object.entries(service.stack.functions).map(([name, definition]) => {
  const env = Object.entries(definition.env).filter(
    ([variable]) => !Object.values(variablesOf).some((ofFeature) => ofFeature.test(variable)),
  )
  return [name, { ...definition, env: Object.fromEntries(env) }]
})

describe('D146: a deployment without sign-in and webhooks', async () => {
  const call = clientOf(await startGatewayOver(Object.fromEntries(functions)))

  test('has each operation that needs none of them', { timeout: 120_000 }, async () => {
    for (const id of usualOperationIds) {
      const { status, text } = await call(callName(id), await acceptedRequest(service, id))
      expect([id, status], text).toEqual([id, 200])
    }
  })

  test('ignores the fields of signing in as unknown ones, and no answer has them', async () => {
    const apiKey = await service.newProduct()
    const product = { ...registration(), productId: expect.any(String) }
    for (const [body, name] of [
      [{ signIn: 'no', signInDomains: 1 }, product.name],
      [{ name: 'Ember', signIn: true, signInDomains: ['a.example'] }, 'Ember'],
      [{ signin: true, signInDomain: 'a.example' }, 'Ember'],
    ] as const) {
      const { json } = await call('PATCH /product', { apiKey, body })
      expect(withoutLimits(json.data)).toEqual({ ...product, name })
      expect((await call('GET /product', { apiKey })).json).toEqual(json)
    }
  })

  test('D115: does not show the sign-in that a product has from before', async () => {
    const apiKey = await service.newProduct()
    const body = { signIn: true, signInDomains: ['a.example'] }
    const stored = await service.call('PATCH /product', { apiKey, body })
    expect(stored.json.data).toMatchObject(body)
    for (const answer of [
      await call('GET /product', { apiKey }),
      await call('PATCH /product', { apiKey, body: { name: 'Ember' } }),
      await call('PATCH /product', { apiKey, body: {} }),
    ]) {
      expect(answer.status, answer.text).toBe(200)
      expect(answer.text).not.toContain('signIn')
    }
  })
})
