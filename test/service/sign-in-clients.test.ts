import { afterAll, describe, expect, test } from 'vitest'
import { ApiError, PlayerNfts } from '../../clients/typescript/src/index.ts'
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

const client = new PlayerNfts({ baseUrl: service.url })

const codeOf = (called: Promise<unknown>) =>
  called.then(
    () => 'no error',
    (error: ApiError) => [error instanceof ApiError, error.status, error.code],
  )

test('D116: the client signs a player in to a game, and gets tokens', async () => {
  const { productId } = await newGame()
  const account = newAccount()
  const asked = { address: account.address, chain: 'POLYGON', productId, domain: gameDomain }
  const { message } = await client.createSignInMessage(asked)
  const proof = { message, signature: account.sign(message) }
  const signedIn = await client.signIn({ ...proof, productId })
  const token = { grant_type: refreshGrant, client_id: productId }
  const { access_token: playerToken, refresh_token: next } = await client.createToken({
    ...token,
    refresh_token: signedIn.refreshToken,
  })
  expect(await client.getPlayerDetails({ playerToken })).toMatchObject({
    userId: signedIn.user.userId,
  })
  expect((await client.createToken({ ...token, refresh_token: next })).expires_in).toBe(86_400)
  const used = { ...token, refresh_token: 'not.one.of.these' }
  expect(await codeOf(client.createToken(used))).toEqual([true, 400, 'invalid_grant'])
  expect(await codeOf(client.signIn({ ...proof, productId }))).toEqual([
    ...[true, 401, 'message_already_used'],
  ])
})

test('D116: the client has a session for a user on the page, who approves a game', async () => {
  const { productId } = await newGame()
  const { user_code: userCode, device_code } = await client.authorizeDevice({
    client_id: productId,
  })
  const account = newAccount()
  const asked = { address: account.address, chain: 'POLYGON' }
  const { message } = await client.createSignInMessage(asked)
  const { session = '' } = await client.signIn({ message, signature: account.sign(message) })
  const user = client.withOptions({ session })
  expect(await user.decideDeviceRequest({ userCode, approve: true })).toMatchObject({
    state: 'approved',
  })
  const grant = { grant_type: deviceGrant, client_id: productId, device_code }
  expect((await client.createToken(grant)).token_type).toBe('Bearer')
  expect(await user.getGames()).toMatchObject([{ productId }])
  const other = newAccount()
  const added = await user.createSignInMessage({ ...asked, address: other.address, link: true })
  const { message: asking } = await user.createSignInMessage({ ...asked, consent: other.address })
  const linked = {
    ...{ message: added.message, signature: other.sign(added.message) },
    consent: { message: asking, signature: account.sign(asking) },
  }
  expect((await user.addWallet(linked)).wallets).toHaveLength(2)
  const removal = await user.createSignInMessage({ ...asked, remove: other.address })
  const signed = { message: removal.message, signature: account.sign(removal.message) }
  expect((await user.removeWallet({ address: other.address, ...signed })).wallets).toHaveLength(1)
  await user.endAccess({ productId })
  expect(await user.getGames()).toEqual([])
  await user.signOut()
  expect(await codeOf(user.getSignedInUser())).toEqual([true, 401, 'invalid_session'])
})
