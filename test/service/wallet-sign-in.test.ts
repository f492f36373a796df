import type { Account } from '@player-nfts/local/samples/sample-account'
import { afterAll, describe, expect, test } from 'vitest'
import { checksumAddress } from '../../lib/domain/nft/address.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import {
  gameDomain as domain,
  expectRefusal,
  signInCalls,
} from '../support/sign-in/sign-in-calls.ts'

const service = await startOwnService({}, afterAll)
const { call } = service
const {
  askFor: ask,
  sign,
  signToAdd,
  signIn,
  enter,
  askForToken,
  refresh,
  newGame,
} = signInCalls(service)

const askFor = (productId: string, account: Account, more: object = {}) =>
  ask(account, { productId, ...more })

/** What a wallet sends to sign in to a game. */
const proofOf = async (productId: string, account: Account) => ({
  ...(await sign(account, { productId })),
  productId,
})

/** The type of an answer of the token endpoint, and whether it may be kept. */
const keepingOf = (headers: Headers) =>
  ['content-type', 'cache-control', 'pragma'].map((name) => headers.get(name))

test('D110: a player signs in with a wallet, and the game reads the player until the sign-out', async () => {
  const [{ productId, apiKey }, account] = [await newGame(), newAccount()]
  const request = await askFor(productId, account)
  const { message, expiresAt } = request.json.data
  expect(message).toContain(`${domain} wants you to sign in with your Ethereum account:`)
  expect(message).toContain('\nSign in to Ember.\n')
  expect(message).toContain('\nChain ID: 137\n')
  expect(message).toContain(`\nExpiration Time: ${expiresAt}\n`)
  const proof = { message, signature: account.sign(message), productId, username: 'tessaly' }
  const { status, json } = await signIn(proof)
  expect(status).toBe(200)
  const { refreshToken, user } = json.data
  expect(user).toMatchObject({ userId: expect.any(Number), username: 'tessaly' })
  const { headers, json: tokens } = await refresh(productId, refreshToken)
  expect(keepingOf(headers)).toEqual(['application/json', 'no-store', 'no-cache'])
  expect(tokens).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 86_400,
    refresh_token: expect.any(String),
  })
  const playerToken = tokens.access_token
  const details = await call('GET /player/details', { playerToken })
  expect(details.json.data).toMatchObject({ userId: user.userId, username: 'tessaly' })
  expect((await call('GET /player/tokens', { playerToken, apiKey })).status).toBe(200)
  const other = await newGame()
  const elsewhere = await call('GET /player/tokens', { playerToken, apiKey: other.apiKey })
  expectProblem(elsewhere, 'invalid_player_token')
  const next = (await refresh(productId, tokens.refresh_token)).json
  const { session } = await enter(account)
  await call('POST /login/sign-out', { session })
  expectProblem(await call('GET /player/details', { playerToken }), 'invalid_player_token')
  expectRefusal(await refresh(productId, next.refresh_token), 'invalid_grant')
})

describe('D106: a product', () => {
  test('says whether players sign in, and where, as browsers write it', async () => {
    const { apiKey } = await newGame()
    const patch = (body: object) => call('PATCH /product', { apiKey, body })
    const signInDomains = ['Game.Example:443', 'game.example', 'localhost:5173']
    const shown = { signIn: true, signInDomains: ['game.example', 'localhost:5173'] }
    expect((await patch({ signInDomains })).json.data).toMatchObject(shown)
    expect((await call('GET /product', { apiKey })).json.data).toMatchObject(shown)
  })

  test.each([
    ['signIn', 'yes', 'signIn', 'must be true or false'],
    ['signInDomains', ['https://game.example'], 'signInDomains.0', 'must be a host name such as'],
    ['signInDomains', Array(11).fill(domain), 'signInDomains', 'must have at most 10 hosts'],
  ])('does not say so with %s %j', async (name, value, path, message) => {
    const { apiKey } = await newGame()
    const body = { [name]: value }
    const faults = expectProblem(await call('PATCH /product', { apiKey, body }), 'invalid_request')
    expect(faults).toEqual([{ in: 'body', path, message: expect.stringContaining(message) }])
  })
})

describe('D110: a message', () => {
  test.each([
    ['a bad checksum', { address: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'address'],
    ['a chain that is not open', { chain: 'ETHEREUM' }, 'chain'],
    ['another host', { domain: 'evil.example' }, 'domain'],
  ])('is not written for %s', async (_, more, path) => {
    const { productId } = await newGame()
    const answer = await askFor(productId, newAccount(), more)
    expect(expectProblem(answer, 'invalid_request')).toMatchObject([{ in: 'body', path }])
  })

  test('is for one of the hosts, which is named if there are several', async () => {
    const { productId } = await newGame([domain, 'localhost:5173'])
    const none = await askFor(productId, newAccount())
    expect(expectProblem(none, 'invalid_request')).toEqual([
      { in: 'body', path: 'domain', message: 'is required' },
    ])
    const { json } = await askFor(productId, newAccount(), { domain: 'localhost:5173' })
    expect(json.data.message).toContain('\nURI: http://localhost:5173\n')
    const native = await newGame([])
    expect((await askFor(native.productId, newAccount())).status).toBe(400)
  })

  test('is not written for a product that is stopped, and nobody signs in to it', async () => {
    const { productId, change } = await newGame()
    const account = newAccount()
    const proof = await proofOf(productId, account)
    const { refreshToken } = (await signIn(await proofOf(productId, account))).json.data
    await change({ stoppedAt: '2026-11-27T00:00:00.000Z' })
    expectRefusal(await askFor(productId, account), 'invalid_client')
    expectRefusal(await signIn(proof), 'invalid_client')
    expectRefusal(await refresh(productId, refreshToken), 'invalid_client')
  })
})

test('D110, D118: a proof with the signature of nobody or of another wallet is refused, and its twin is accepted', async () => {
  const { productId } = await newGame()
  const proof = await proofOf(productId, newAccount())
  expectRefusal(await signIn({ ...proof, signature: '0x' }), 'signature_malformed')
  const foreign = await signIn({ ...proof, signature: newAccount().sign(proof.message) })
  expectRefusal(foreign, 'no_account_on_chain')
  expect(foreign.headers.get('www-authenticate')).toBe('Wallet')
  expect((await signIn(proof)).status).toBe(200)
})

test('D110: the token endpoint answers the errors of OAuth', async () => {
  const { productId } = await newGame()
  const { refreshToken } = (await signIn(await proofOf(productId, newAccount()))).json.data
  const other = await newGame()
  const grant = { grant_type: 'refresh_token', client_id: productId }
  const cases = [
    [{}, 'invalid_request'],
    [grant, 'invalid_request'],
    [{ ...grant, grant_type: 'password' }, 'unsupported_grant_type'],
    [{ ...grant, grant_type: 'constructor' }, 'unsupported_grant_type'],
    [{ ...grant, refresh_token: 'x' }, 'invalid_grant'],
    [{ ...grant, refresh_token: `${refreshToken}x` }, 'invalid_grant'],
    [{ ...grant, client_id: 'x', refresh_token: refreshToken }, 'invalid_client'],
    [{ ...grant, client_id: other.productId, refresh_token: refreshToken }, 'invalid_grant'],
  ] as const
  for (const [fields, error] of cases) {
    const { status, json, headers } = await askForToken(fields as Record<string, string>)
    expect([status, json.error]).toEqual([400, error])
    expect(json.error_description).toBe(json.detail)
    expect(keepingOf(headers)).toEqual(['application/json', 'no-store', 'no-cache'])
  }
  expect((await refresh(productId, refreshToken)).status).toBe(200)
})

test('D110: a user of a login and a user of a wallet that the login names are two', async () => {
  const { productId } = await newGame()
  const account = newAccount()
  const { user } = (await signIn(await proofOf(productId, account))).json.data
  const { playerToken } = await service.newPlayer([account.address])
  const { userId } = (await call('GET /player/details', { playerToken })).json.data
  expect(userId).not.toBe(user.userId)
})

const page = new URL(service.url).host

const userOf = (session: string) => call('GET /login/user', { session })

const add = (session: string, body: object) => call('POST /login/user/wallets', { body, session })

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

test('D111: a session is required by a message that is about its user, and by no other', async () => {
  const [account, { address }] = [newAccount(), newAccount()]
  for (const request of [
    { link: true },
    { move: true },
    { consent: address },
    { remove: address },
  ]) {
    expectRefusal(await ask(account, request), 'missing_session')
    expectRefusal(await ask(account, request, 'nonsense'), 'invalid_session')
  }
  expect((await ask(account, { link: false })).status).toBe(200)
  const body = { address, chain: 'POLYGON' }
  const headers = { authorization: 'Basic bmVvOnRyaW4=' }
  expectRefusal(await call('POST /login/message', { body, headers }), 'missing_session')
})

describe('D111: a message on the page', () => {
  test.each([
    [{ domain: 'evil.example' }, 'domain'],
    [{ link: true, move: true }, 'move'],
    [{ link: true, consent: `0x${'a'.repeat(40)}` }, 'consent'],
    [{ link: true, consentChain: 'BSC' }, 'consentChain'],
    [{ consent: `0x${'a'.repeat(40)}`, removeChain: 'BSC' }, 'removeChain'],
  ])('is not written for %j', async (request, path) => {
    const faults = expectProblem(await ask(newAccount(), request), 'invalid_request')
    expect(faults).toMatchObject([{ in: 'body', path }])
  })

  test.each(['consent', 'remove'])('names the chain of a smart account: %s', async (kind) => {
    const [account, { address }] = [newAccount(), newAccount()]
    const { session } = await enter(account)
    const request = { [kind]: address, [`${kind}Chain`]: 'AMOY' }
    const { message } = (await ask(account, request, session)).json.data
    expect(message).toContain(` the wallet ${checksumAddress(address)} on AMOY `)
    expect(message).toMatch(new RegExp(`\nRequest ID: ${kind}:\\d+:${address}:80002$`))
  })
})

test('D144: a wallet is added by nobody who has the session alone, and a problem names the signature', async () => {
  const [mine, stolen] = [newAccount(), newAccount()]
  const { session } = await enter(mine)
  const proof = await sign(stolen, { link: true }, session)
  const missing = expectProblem(await add(session, proof), 'invalid_request')
  expect(missing).toEqual([{ in: 'body', path: 'consent', message: 'is required' }])
  const bySelf = await add(session, await signToAdd(stolen, stolen, session))
  expectRefusal(bySelf, 'consent_of_other_wallet')
  const ofPage = await add(session, { ...proof, consent: await sign(mine, {}) })
  expectRefusal(ofPage, 'message_for_another_purpose')
  expect(ofPage.json.detail).toMatch(/^In consent: The message was written for something else/)
  expect(addressesIn(await userOf(session))).toEqual([mine.address])
})
