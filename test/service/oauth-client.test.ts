import * as oauth from 'openid-client'
import { afterAll, expect, test } from 'vitest'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startOwnService({}, afterAll)
const { call } = service
const { enter, newGame } = signInCalls(service)

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
