import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOwnService } from '../../../test/support/services/own-service.ts'
import { newAccount } from '../../../test/support/sign-in/account.ts'
import { signInCalls } from '../../../test/support/sign-in/sign-in-calls.ts'
import { writeSampleUsers } from '../../samples/sample-items.ts'
import { samplePlayerToken } from '../../samples/sample-player-token.ts'
import { sampleAccounts, samples } from '../../samples/samples.ts'

const service = await startOwnService({}, afterAll)
const { call, stack } = service
const { enter, sign, signToAdd } = signInCalls(service)
const { threeWallets, oneWallet, emptyWallet } = samples.players
const nextStart = () => writeSampleUsers(stack, Date.now())
beforeAll(nextStart)

test('D114: a sample player is the same user with each wallet and with a user JWT', async () => {
  const { userId, username, wallets } = threeWallets
  for (const account of sampleAccounts(threeWallets)) {
    const { user } = await enter(account)
    expect(user).toMatchObject({ userId, username })
    expect(user.wallets.map(({ address }: { address: string }) => address)).toEqual(wallets)
  }
  const playerToken = await samplePlayerToken(stack, threeWallets)
  const { json } = await call('GET /player/details', { playerToken })
  expect(json.data).toMatchObject({ userId, username })
})

test('D114: the next start leaves the name of a sample player, and a wallet that has moved', async () => {
  const [account] = sampleAccounts(oneWallet)
  if (!account) throw new Error('no wallet')
  await enter(account, { username: 'finch' })
  await nextStart()
  expect((await enter(account)).user).toMatchObject({ userId: oneWallet.userId, username: 'finch' })
  const mine = newAccount()
  const { session, user } = await enter(mine)
  const body = await signToAdd(account, mine, session, { move: true })
  expect((await call('POST /login/user/wallets', { body, session })).status).toBe(200)
  await nextStart()
  expect((await enter(account)).user.userId).toBe(user.userId)
})

test('D114: a sample player who was forgotten does not keep the stack from starting', async () => {
  const [account] = sampleAccounts(emptyWallet)
  if (!account) throw new Error('no wallet')
  const mine = newAccount()
  const { session } = await enter(mine)
  const body = await signToAdd(account, mine, session, { move: true })
  expect((await call('POST /login/user/wallets', { body, session })).status).toBe(200)
  const second = await sign(account, { remove: account.address }, session)
  const path = { address: account.address }
  await call('DELETE /login/user/wallets/{address}', { path, body: second, session })
  await nextStart()
  expect((await enter(account)).user.userId).not.toBe(emptyWallet.userId)
})
