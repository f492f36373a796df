import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { expectRefusal, signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startOwnService({}, afterAll)
const { call } = service
const { enter, askForToken, refresh, newGame } = signInCalls(service)

const authorize = (productId: string) =>
  call('POST /device/authorization', { form: { client_id: productId } })

/** A game that asks for access. */
async function asking() {
  const { productId, apiKey, change } = await newGame()
  const { device_code: deviceCode, user_code: userCode } = (await authorize(productId)).json
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
  return {
    ...{ productId, apiKey, change, userCode: userCode as string },
    poll: (clientId = productId) =>
      askForToken({ grant_type: grantType, client_id: clientId, device_code: deviceCode }),
  }
}

const see = (session: string, userCode: string) =>
  call('GET /device/{userCode}', { path: { userCode }, session })

const decide = (session: string, userCode: string, approve: unknown = true) =>
  call('POST /device/{userCode}', { path: { userCode }, body: { approve }, session })

const gamesOf = async (session: string) =>
  (await call('GET /login/user/games', { session })).json.data

test('D112: a game shows a code, the player approves it on the page, and the game reads the player', async () => {
  const { productId, apiKey } = await newGame()
  const { headers, json: grant } = await authorize(productId)
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
  const poll = () =>
    askForToken({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: productId,
      device_code: grant.device_code,
    })
  const pending = await poll()
  expect([pending.status, pending.json.error]).toEqual([400, 'authorization_pending'])
  expect((await poll()).json.error).toBe('authorization_pending')
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
  await sleep(5_000)
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

describe('D112: a code', () => {
  test('is decided once', async () => {
    const [{ userCode, poll }, one, two] = [
      await asking(),
      await enter(newAccount()),
      await enter(newAccount()),
    ]
    expect((await decide(one.session, userCode, false)).json.data.state).toBe('denied')
    expectRefusal(await decide(two.session, userCode), 'already_decided')
    expectRefusal(await decide(one.session, userCode), 'already_decided')
    expect((await decide(one.session, userCode, false)).json.data.state).toBe('denied')
    expect((await poll()).json.error).toBe('access_denied')
    expect(await gamesOf(two.session)).toEqual([])
  })

  test('D144: that one user approves in two tabs gives access, whichever is first', async () => {
    const account = newAccount()
    const { userCode, poll } = await asking()
    const tabs = [await enter(account), await enter(account), await enter(account)]
    const all = await Promise.all(tabs.map(({ session }) => decide(session, userCode)))
    expect(all.map(({ json }) => json.data.state)).toEqual(['approved', 'approved', 'approved'])
    const [{ session }] = tabs as [{ session: string }]
    expect((await decide(session, userCode)).json.data.state).toBe('approved')
    expect((await poll()).status).toBe(200)
    expectRefusal(await decide((await enter(newAccount())).session, userCode), 'already_decided')
  })

  test('D144: that the user approved before signing out everywhere is approved no more', async () => {
    const account = newAccount()
    const { userCode, poll } = await asking()
    const { session } = await enter(account)
    expect((await decide(session, userCode)).json.data.state).toBe('approved')
    await call('POST /login/sign-out', { session })
    const next = (await enter(account)).session
    expectRefusal(await decide(next, userCode), 'already_decided')
    expect((await poll()).json.error).toBe('access_denied')
    expect(await gamesOf(next)).toEqual([])
  })

  test('that is wrong, or of a product that was stopped, is that of no game', async () => {
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

  test('is of one product', async () => {
    const [{ userCode, poll }, other] = [await asking(), await newGame()]
    const { session } = await enter(newAccount())
    await decide(session, userCode)
    expectRefusal(await poll(other.productId), 'invalid_grant')
    expectRefusal(await authorize('x'), 'invalid_client')
    expectRefusal(await authorize('0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'), 'invalid_client')
  })
})
