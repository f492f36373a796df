import { afterAll, describe, expect, test } from 'vitest'
import { grantTypes } from '../../lib/contract/oauth.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { expectRefusal, gameDomain, signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startOwnService({}, afterAll)
const { call, log } = service
const { newGame, sign, signIn } = signInCalls(service)
const [refreshGrant, deviceGrant] = grantTypes

/** A game that has a refresh token of a player. */
async function signedIn() {
  const { productId, apiKey } = await newGame()
  const proof = await sign(newAccount(), { productId, domain: gameDomain })
  const { refreshToken } = (await signIn({ ...proof, productId })).json.data
  return { productId, apiKey, refreshToken: refreshToken as string }
}

const post = (operation: string, form: Record<string, string>, basic?: string) => {
  const authorization = basic && `Basic ${Buffer.from(basic).toString('base64')}`
  return call(operation, { form, ...(authorization && { headers: { authorization } }) })
}
const refresh = (refreshToken: string, basic?: string) =>
  post('POST /token', { grant_type: refreshGrant, refresh_token: refreshToken }, basic)

describe('D141: a refresh', () => {
  test('takes its client from Basic, or from the family of its token', async () => {
    const { productId, refreshToken } = await signedIn()
    const next = await refresh(refreshToken, `${productId}:`)
    expect(next.status).toBe(200)
    const last = await refresh(next.json.refresh_token)
    expect(last.status).toBe(200)
    const proxied = await refresh(last.json.refresh_token, 'proxy:secret')
    expect(proxied.status).toBe(200)
    expect(log.filter((line) => line.includes('"operation":"createToken"')).at(-1)).toContain(
      `"productId":"${productId}"`,
    )
  })

  test('D106: of a product that does not sign players in any more is refused, and can be repeated', async () => {
    const { refreshToken, apiKey } = await signedIn()
    await call('PATCH /product', { apiKey, body: { signIn: false } })
    expectRefusal(await refresh(refreshToken), 'invalid_client')
    await call('PATCH /product', { apiKey, body: { signIn: true } })
    expect((await refresh(refreshToken)).json.refresh_token).toContain('.1.')
  })
})

describe('D141: Basic with a product', () => {
  test('begins the sign-in of a device, whose polls name their client', async () => {
    const { productId } = await newGame()
    const codes = await post('POST /device/authorization', {}, `${productId}:`)
    const poll = { grant_type: deviceGrant, device_code: codes.json.device_code }
    const pending = await post('POST /token', poll, `${productId}:`)
    expectRefusal(pending, 'authorization_pending')
    const nameless = await post('POST /token', poll)
    expect([nameless.status, nameless.json.errors]).toEqual([
      400,
      [{ in: 'body', path: 'client_id', message: 'is required' }],
    ])
    expect((await post('POST /device/authorization', {})).json.code).toBe('invalid_request')
  })

  test.each([
    ['POST /device/authorization', {}],
    ['POST /token', { grant_type: refreshGrant, refresh_token: 'x' }],
    ['POST /token', { grant_type: deviceGrant, device_code: 'x' }],
    ['POST /token', { grant_type: 'password' }],
  ])(
    'and a password, or another client_id, is 401 invalid_client: %s %j',
    async (operation, fields) => {
      const { productId } = await newGame()
      const client = { client_id: '3f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e' }
      const refused = [
        [await post(operation, fields, `${productId}:secret`), 'client_password'],
        [await post(operation, { ...fields, ...client }, `${productId}:`), 'another_client'],
      ] as const
      for (const [answer, reason] of refused) {
        expectRefusal(answer, 'client_authentication_failed')
        expect(answer.json.error).toBe('invalid_client')
        expect(answer.headers.get('www-authenticate')).toBe('Basic')
        const line = log.find((text) => text.includes(answer.json.requestId))
        expect(JSON.parse(line ?? '{}').reason).toBe(reason)
      }
    },
  )
})
