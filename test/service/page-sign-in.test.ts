import { afterAll, describe, expect, test } from 'vitest'
import { checksumAddress } from '../../lib/domain/nft/address.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { expectRefusal, signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startOwnService({}, afterAll)
const { call } = service
const { askFor, sign, signToAdd, signIn, enter, refresh, newGame } = signInCalls(service)
const page = new URL(service.url).host

const userOf = (session: string) => call('GET /login/user', { session })

const add = (session: string, body: object) => call('POST /login/user/wallets', { body, session })

const remove = (session: string, address: string, body: object) =>
  call('DELETE /login/user/wallets/{address}', { path: { address }, body, session })

/** A user with two wallets. */
async function twoWallets() {
  const [first, second] = [newAccount(), newAccount()]
  const { session, user } = await enter(first)
  await add(session, await signToAdd(second, first, session))
  return { first, second, session: session as string, userId: user.userId as number }
}

const addressesIn = ({ json }: Awaited<ReturnType<typeof userOf>>) =>
  json.data.wallets.map(({ address }: { address: string }) => address)

test('D111: somebody signs in on the page, has a name and a second wallet, and signs out', async () => {
  const [first, second] = [newAccount(), newAccount()]
  const { session, user, refreshToken } = await enter(first)
  expect(refreshToken).toBeUndefined()
  const wallet = { address: first.address, chain: null, addedAt: expect.any(String) }
  const shortened = expect.stringMatching(/^0x[0-9a-fA-F]{4}…[0-9a-fA-F]{4}$/)
  expect(user).toEqual({ userId: expect.any(Number), username: shortened, wallets: [wallet] })
  expect((await userOf(session)).json.data).toEqual(user)
  const again = await enter(first, { username: 'tessaly' })
  expect(again.user).toEqual({ ...user, username: 'tessaly' })
  const proof = await signToAdd(second, first, session)
  expect(proof.message).toContain(`${page} wants you to sign in`)
  expect(proof.message).toContain('\nAdd this wallet to tessaly.\n')
  const address = checksumAddress(second.address)
  expect(proof.consent.message).toContain(`\nAdd the wallet ${address} to tessaly. Whoever has it `)
  expect(proof.consent.message).toContain(`\nRequest ID: consent:${user.userId}:${second.address}`)
  const added = await add(session, proof)
  expect(addressesIn(added)).toEqual([first.address, second.address])
  expect((await enter(second)).user.userId).toBe(user.userId)
  expect((await call('POST /login/sign-out', { session })).status).toBe(200)
  for (const ended of [session, again.session]) {
    expectRefusal(await userOf(ended), 'invalid_session')
  }
  expect((await enter(second)).user.userId).toBe(user.userId)
})

test('D103, D111: a sign-out ends the tokens of all games at once', async () => {
  const [{ productId }, account] = [await newGame(), newAccount()]
  const game = await signIn({ ...(await sign(account, { productId })), productId })
  const tokens = (await refresh(productId, game.json.data.refreshToken)).json
  const readPlayer = () => call('GET /player/details', { playerToken: tokens.access_token })
  expect((await readPlayer()).status).toBe(200)
  const { session } = await enter(account)
  await call('POST /login/sign-out', { session })
  expectProblem(await readPlayer(), 'invalid_player_token')
  expectRefusal(await refresh(productId, tokens.refresh_token), 'invalid_grant')
})

test('D111: a session is required by a message that is about its user, and by no other', async () => {
  const [account, { address }] = [newAccount(), newAccount()]
  for (const asked of [{ link: true }, { move: true }, { consent: address }, { remove: address }]) {
    expectRefusal(await askFor(account, asked), 'missing_session')
    expectRefusal(await askFor(account, asked, 'nonsense'), 'invalid_session')
  }
  expect((await askFor(account, { link: false })).status).toBe(200)
  const body = { address, chain: 'POLYGON' }
  const headers = { authorization: 'Basic bmVvOnRyaW4=' }
  expectRefusal(await call('POST /login/message', { body, headers }), 'missing_session')
})

describe('D111: a message on the page', () => {
  test('is of no use to a game, and one of a game is none on the page', async () => {
    const [{ productId }, account] = [await newGame(), newAccount()]
    const proof = await sign(account, {})
    expectRefusal(await signIn({ ...proof, productId }), 'domain_not_permitted')
    const ofGame = await sign(account, { productId })
    expectRefusal(await signIn(ofGame), 'domain_not_permitted')
    expect((await signIn(proof)).status).toBe(200)
  })

  test.each([
    [{ domain: 'evil.example' }, 'domain'],
    [{ link: true, move: true }, 'move'],
    [{ link: true, consent: `0x${'a'.repeat(40)}` }, 'consent'],
    [{ link: true, consentChain: 'BSC' }, 'consentChain'],
    [{ consent: `0x${'a'.repeat(40)}`, removeChain: 'BSC' }, 'removeChain'],
  ])('is not written for %j', async (asked, path) => {
    const faults = expectProblem(await askFor(newAccount(), asked), 'invalid_request')
    expect(faults).toMatchObject([{ in: 'body', path }])
  })

  test.each(['consent', 'remove'])('names the chain of a smart account: %s', async (kind) => {
    const [account, { address }] = [newAccount(), newAccount()]
    const { session } = await enter(account)
    const asked = { [kind]: address, [`${kind}Chain`]: 'AMOY' }
    const { message } = (await askFor(account, asked, session)).json.data
    expect(message).toContain(` the wallet ${checksumAddress(address)} on AMOY `)
    expect(message).toMatch(new RegExp(`\nRequest ID: ${kind}:\\d+:${address}:80002$`))
  })
})

describe('D111: a wallet', () => {
  test('of another user is refused, unless its message says that it moves', async () => {
    const [mine, theirs] = [newAccount(), newAccount()]
    const { session, user } = await enter(mine)
    const other = await enter(theirs)
    const linking = await signToAdd(theirs, mine, session)
    expectRefusal(await add(session, linking), 'wallet_of_another_user')
    const moving = await sign(theirs, { move: true }, session)
    expect(moving.message).toContain('\nMove this wallet from the user who has it to 0x')
    expect(addressesIn(await add(session, { ...linking, ...moving }))).toEqual([
      mine.address,
      theirs.address,
    ])
    expectRefusal(await userOf(other.session), 'invalid_session')
    expect((await enter(theirs)).user.userId).toBe(user.userId)
  })

  test('D144: is added by nobody who has the session alone, and a problem names the signature', async () => {
    const [mine, stolen] = [newAccount(), newAccount()]
    const { session } = await enter(mine)
    const proof = await sign(stolen, { link: true }, session)
    const missing = expectProblem(await add(session, proof), 'invalid_request')
    expect(missing).toEqual([{ in: 'body', path: 'consent', message: 'is required' }])
    const text = expectProblem(await add(session, { ...proof, consent: 'mine' }), 'invalid_request')
    expect(text).toEqual([{ in: 'body', path: 'consent', message: 'must be a JSON object' }])
    const bySelf = await add(session, await signToAdd(stolen, stolen, session))
    expectRefusal(bySelf, 'consent_of_other_wallet')
    const ofPage = await add(session, { ...proof, consent: await sign(mine, {}) })
    expectRefusal(ofPage, 'message_for_another_purpose')
    expect(ofPage.json.detail).toMatch(/^In consent: The message was written for something else/)
    expect(addressesIn(await userOf(session))).toEqual([mine.address])
  })

  test('is removed with itself or an older one, and ends what it has begun', async () => {
    const { first, second, session, userId } = await twoWallets()
    const { productId } = await newGame()
    const begun = await enter(second)
    const game = await signIn({ ...(await sign(second, { productId })), productId })
    const { refreshToken } = game.json.data
    const newer = await sign(second, { remove: first.address }, session)
    expectRefusal(await remove(session, first.address, newer), 'proof_of_newer_wallet')
    const proof = await sign(first, { remove: second.address }, session)
    expectRefusal(await remove(session, first.address, proof), 'message_for_another_purpose')
    expect(addressesIn(await remove(session, second.address, proof))).toEqual([first.address])
    expectRefusal(await userOf(begun.session), 'invalid_session')
    expectRefusal(await refresh(productId, refreshToken), 'invalid_grant')
    expect((await userOf(session)).status).toBe(200)
    expect((await enter(second)).user.userId).not.toBe(userId)
  })
})
