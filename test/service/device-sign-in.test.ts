import * as oauth from 'openid-client'
import { afterAll, expect, test } from 'vitest'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { expectRefusal, signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startOwnService({}, afterAll)

const { call } = service

const calls = signInCalls(service)
const { enter, askForToken, refresh, newGame } = calls

const authorize = (productId: string) =>
  call('POST /device/authorization', { form: { client_id: productId } })

/** A game that asks for access. */
async function asking() {
  const game = await newGame()
  const client_id = game.productId
  const authorization = await authorize(client_id)
  const { device_code, user_code } = authorization.json
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  const poll = () => askForToken({ grant_type, client_id, device_code })
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

test('D112: a code that is wrong, or of a product that was stopped, is that of no game', async () => {
  const { userCode, change, poll, productId } = await asking()
  const { session } = await enter(newAccount())
  const last = userCode.endsWith('B') ? 'C' : 'B'
  for (const code of [`${userCode.slice(0, -1)}${last}`, 'AEIOU', 'x']) {
    expectRefusal(await see(session, code), 'unknown_user_code')
    expectRefusal(await decide(session, code), 'unknown_user_code')
  }
  expect((await decide(session, userCode, 'yes')).json.code).toBe('invalid_request')
  await change({ stoppedAt: '2026-11-27T00:00:00.000Z' })
  expectRefusal(await decide(session, userCode), 'unknown_user_code')
  expectRefusal(await poll(), 'invalid_client')
  expectRefusal(await authorize(productId), 'invalid_client')
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
