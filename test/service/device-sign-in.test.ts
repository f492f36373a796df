import * as oauth from 'openid-client'
import { afterAll, expect, test } from 'vitest'
import { grantTypes } from '../../lib/contract/oauth.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { expectRefusal, gameDomain, signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startOwnService({}, afterAll)

const { call } = service

const [, deviceGrant] = grantTypes
const calls = signInCalls(service)
const { enter, askForToken, refresh, newGame } = calls

/** A game that asks for access, with these headers. */
async function asking(headers: Record<string, string> = {}) {
  const game = await newGame()
  const client_id = game.productId
  const authorization = await call('POST /device/authorization', { headers, form: { client_id } })
  const { device_code, user_code } = authorization.json
  const poll = () => askForToken({ grant_type: deviceGrant, client_id, device_code })
  return { ...game, authorization, userCode: user_code as string, poll }
}

const see = (session: string, userCode: string) =>
  call('GET /device/{userCode}', { path: { userCode }, session })

const decide = (session: string, userCode: string, approve: unknown = true) =>
  call('POST /device/{userCode}', { path: { userCode }, body: { approve }, session })

const gamesOf = async (session: string) =>
  (await call('GET /login/user/games', { session })).json.data

test('D112: a game shows a code, the player approves it on the page, and the game reads the player', async () => {
  const { productId, apiKey, authorization, poll } = await asking()
  const { headers, json: grant } = authorization
  expect(headers.get('cache-control')).toBe('no-store')
  const page = `${service.url}/connect`
  expect(grant).toEqual({
    device_code: expect.any(String),
    user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
    verification_uri: page,
    verification_uri_complete: `${page}?code=${grant.user_code}`,
    expires_in: 600,
    interval: 5,
  })
  const { session, user } = await enter(newAccount(), { username: 'tessaly' })
  const shown = {
    userCode: grant.user_code,
    product: { productId, name: 'Ember', companyName: 'Kiln' },
    ...{ state: 'pending', askedAt: expect.any(String), isSameNetwork: true },
  }
  const typed = grant.user_code.toLowerCase().replace('-', ' ')
  expect((await see(session, typed)).json.data).toEqual(shown)
  const approved = await decide(session, typed)
  expect(approved.json.data).toEqual({ ...shown, state: 'approved' })
  const tokens = await poll()
  expect([tokens.status, tokens.json.error]).toEqual([200, undefined])
  const playerToken = tokens.json.access_token
  const { json } = await call('GET /player/details', { playerToken })
  expect(json.data).toMatchObject({ userId: user.userId, username: 'tessaly' })
  expect((await call('GET /player/tokens', { playerToken, apiKey })).status).toBe(200)
  expect(await gamesOf(session)).toEqual([
    { productId, name: 'Ember', companyName: 'Kiln', until: expect.any(String) },
  ])
  await call('DELETE /login/user/games/{productId}', { path: { productId }, session })
  expect(await gamesOf(session)).toEqual([])
  expectRefusal(await refresh(productId, tokens.json.refresh_token), 'invalid_grant')
  expect((await call('GET /player/details', { playerToken })).status).toBe(200)
})

test.each<[string, Record<string, string>, boolean]>([
  ['a program', {}, true],
  ['a page of the game', { origin: `https://${gameDomain}` }, true],
  ['another page', { origin: 'https://evil.example' }, false],
  ['a page of another site without an origin', { 'sec-fetch-site': 'cross-site' }, false],
])('D131: whether %s asks from the network of the player', async (_, headers, isSameNetwork) => {
  const { authorization, userCode } = await asking(headers)
  expect(authorization.status).toBe(200)
  const { session } = await enter(newAccount())
  expect((await see(session, userCode)).json.data).toMatchObject({ isSameNetwork })
})

test('D112: a wrong code is that of no game, and a decision is true or false', async () => {
  const { userCode } = await asking()
  const { session } = await enter(newAccount())
  const wrong = `${userCode.slice(0, -1)}${userCode.endsWith('B') ? 'C' : 'B'}`
  expectRefusal(await see(session, wrong), 'unknown_user_code')
  expectRefusal(await decide(session, wrong), 'unknown_user_code')
  expect((await decide(session, userCode, 'yes')).json.code).toBe('invalid_request')
})

test('D105, D112, D141: openid-client finds the endpoints, polls until its user has approved, and refreshes twice', async () => {
  const { productId } = await newGame()
  const config = await oauth.discovery(
    new URL(service.url),
    productId,
    undefined,
    oauth.None(),
    // The stack has no TLS.
    { algorithm: 'oauth2', execute: [oauth.allowInsecureRequests] },
  )
  const grant = await oauth.initiateDeviceAuthorization(config, {})
  const polling = oauth.pollDeviceAuthorizationGrant(config, grant)
  const { session, user } = await enter(newAccount())
  const path = { userCode: grant.user_code }
  await call('POST /device/{userCode}', { path, body: { approve: true }, session })
  const tokens = await polling
  const next = await oauth.refreshTokenGrant(config, `${tokens.refresh_token}`)
  const last = await oauth.refreshTokenGrant(config, `${next.refresh_token}`)
  const details = new URL('/api/public/v1/player/details', service.url)
  for (const { access_token: playerToken, expires_in: seconds } of [tokens, next, last]) {
    expect(seconds).toBe(86_400)
    const answer = await oauth.fetchProtectedResource(config, playerToken, details, 'GET')
    expect(await answer.json()).toMatchObject({ data: { userId: user.userId } })
  }
  const invalid = oauth.refreshTokenGrant(config, 'nonsense')
  await expect(invalid).rejects.toMatchObject({ error: 'invalid_grant', status: 400 })
})

/** Posts a form, with a user and a password of Basic. */
const post = (operation: string, form: Record<string, string>, basic: string) => {
  const authorization = `Basic ${Buffer.from(basic).toString('base64')}`
  return call(operation, { form, headers: { authorization } })
}

test('D141: a refresh takes its client from Basic, or from the family of its token', async () => {
  const { productId } = await newGame()
  const proof = await calls.sign(newAccount(), { productId })
  let { refreshToken } = (await calls.signIn({ ...proof, productId })).json.data
  for (const basic of [`${productId}:`, 'proxy:secret']) {
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
    const { status, json } = await post('POST /token', form, basic)
    expect(status).toBe(200)
    refreshToken = json.refresh_token
  }
  const line = service.log.findLast((text) => text.includes('"operation":"createToken"'))
  expect(line).toContain(`"productId":"${productId}"`)
})

test('D141: with Basic a device begins and polls, and a poll without a client is refused', async () => {
  const { productId } = await newGame()
  const codes = await post('POST /device/authorization', {}, `${productId}:`)
  const poll = { grant_type: deviceGrant, device_code: codes.json.device_code }
  expectRefusal(await post('POST /token', poll, `${productId}:`), 'authorization_pending')
  const nameless = await askForToken(poll)
  expect([nameless.status, nameless.json.errors]).toEqual([
    400,
    [{ in: 'body', path: 'client_id', message: 'is required' }],
  ])
})

test.each([
  ['POST /device/authorization', {}],
  ['POST /token', { grant_type: 'refresh_token', refresh_token: 'x' }],
])('D141: Basic with a password is 401 invalid_client: %s', async (operation, fields) => {
  const { productId } = await newGame()
  const answer = await post(operation, fields, `${productId}:secret`)
  expectRefusal(answer, 'client_authentication_failed')
  expect(answer.json.error).toBe('invalid_client')
  expect(answer.headers.get('www-authenticate')).toBe('Basic')
  const line = service.log.find((text) => text.includes(answer.json.requestId))
  expect(JSON.parse(line ?? '{}').reason).toBe('client_password')
})

test('D5, D72: no log line has a wallet, a code, a token or a signature', async () => {
  const account = newAccount()
  const other = newAccount()
  const { productId } = await calls.newGame()
  const proof = await calls.sign(account, { productId })
  const { refreshToken } = (await calls.signIn({ ...proof, productId })).json.data
  const tokens = (await calls.refresh(productId, refreshToken)).json
  const { session: own } = await calls.enter(account)
  const form = { client_id: productId }
  const grant = (await call('POST /device/authorization', { form })).json
  const path = { userCode: grant.user_code }
  await call('POST /device/{userCode}', { path, body: { approve: true }, session: own })
  const added = await calls.signToAdd(other, account, own)
  await call('POST /login/user/wallets', { body: added, session: own })
  const removal = await calls.sign(account, { remove: other.address }, own)
  const wallet = { path: { address: other.address }, body: removal, session: own }
  expect((await call('DELETE /login/user/wallets/{address}', wallet)).status).toBe(200)
  expect((await call('POST /login/sign-out', { session: own })).status).toBe(200)
  const secrets = [
    ...[account.address, other.address, proof.signature, added.signature, refreshToken, own],
    added.consent.signature,
    ...[tokens.access_token, tokens.refresh_token, grant.device_code, grant.user_code],
  ]
  expect(service.log.length).toBeGreaterThan(8)
  const log = service.log.join('\n').toLowerCase()
  for (const secret of secrets) {
    expect(log).not.toContain(`${secret}`.toLowerCase())
  }
  expect(log).not.toContain(grant.user_code.replace('-', '').toLowerCase())
})
