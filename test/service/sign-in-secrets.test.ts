import { afterAll, expect, test } from 'vitest'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startOwnService({}, afterAll)
const { call } = service
const calls = signInCalls(service)

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
