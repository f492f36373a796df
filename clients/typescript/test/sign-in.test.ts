import { afterAll, expect, test } from 'vitest'
import { grantTypes } from '../../../lib/contract/oauth.ts'
import { startOwnService } from '../../../test/support/services/own-service.ts'
import { newAccount } from '../../../test/support/sign-in/account.ts'
import { gameDomain, signInCalls } from '../../../test/support/sign-in/sign-in-calls.ts'
import { ApiError, PlayerNfts } from '../src/index.ts'

const service = await startOwnService({}, afterAll)
const { newGame } = signInCalls(service)
const client = new PlayerNfts({ baseUrl: service.url })
const [refreshToken, deviceCode] = grantTypes

const codeOf = (called: Promise<unknown>) =>
  called.then(
    () => 'no error',
    (error: ApiError) => [error instanceof ApiError, error.status, error.code],
  )

test('D116: the client signs a player in to a game, and gets tokens', async () => {
  const { productId } = await newGame()
  const account = newAccount()
  const params = { address: account.address, chain: 'POLYGON', productId, domain: gameDomain }
  const { message } = await client.createSignInMessage(params)
  const proof = { message, signature: account.sign(message) }
  const signedIn = await client.signIn({ ...proof, productId })
  const token = { grant_type: refreshToken, client_id: productId }
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
  const params = { address: account.address, chain: 'POLYGON' }
  const { message } = await client.createSignInMessage(params)
  const { session = '' } = await client.signIn({ message, signature: account.sign(message) })
  const user = client.withOptions({ session })
  expect(await user.decideDeviceRequest({ userCode, approve: true })).toMatchObject({
    state: 'approved',
  })
  const grant = { grant_type: deviceCode, client_id: productId, device_code }
  expect((await client.createToken(grant)).token_type).toBe('Bearer')
  expect(await user.getGames()).toMatchObject([{ productId }])
  await user.endAccess({ productId })
  expect(await user.getGames()).toEqual([])
  await user.signOut()
  expect(await codeOf(user.getSignedInUser())).toEqual([true, 401, 'invalid_session'])
})
