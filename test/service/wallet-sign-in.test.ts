import type { Account } from '@player-nfts/local/samples/sample-account'
import { afterAll, describe, expect, test } from 'vitest'
import type { ProblemCode } from '../../lib/domain/problems.ts'
import type { SignedMessage } from '../../simulation/page-calls.ts'
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
const { askFor: ask, sign, signIn, askForToken, refresh, newGame } = signInCalls(service)

const askFor = (productId: string, account: Account, more: object = {}) =>
  ask(account, { productId, ...more })

/** What a wallet sends to sign in to a game. */
const proofOf = async (productId: string, account: Account) => ({
  ...(await sign(account, { productId })),
  productId,
})

test('D110: a player signs in with a wallet, and the game reads the player', async () => {
  const [{ productId, apiKey }, account] = [await newGame(), newAccount()]
  const asked = await askFor(productId, account)
  const { message, expiresAt } = asked.json.data
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
  expect(['content-type', 'cache-control', 'pragma'].map((name) => headers.get(name))).toEqual([
    ...['application/json', 'no-store', 'no-cache'],
  ])
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
  expect((await refresh(productId, tokens.refresh_token)).status).toBe(200)
})

test('D118: a 401 says what it wants, and no answer with a token is kept', async () => {
  const challenge = async (answer: ReturnType<typeof call>) => {
    const { status, headers } = await answer
    return `${status} ${headers.get('www-authenticate')}`
  }
  expect(await challenge(call('GET /login/user'))).toBe('401 Bearer')
  expect(
    await challenge(call('GET /login/user', { headers: { authorization: 'Bearer 1.x' } })),
  ).toBe('401 Bearer error="invalid_token"')
  const { productId } = await newGame()
  const { message } = (await askFor(productId, newAccount())).json.data
  const proof = { message, signature: newAccount().sign(message), productId }
  expect(await challenge(signIn(proof))).toBe('401 Wallet')
  const { headers } = await refresh(productId, 'unknown')
  expect([headers.get('cache-control'), headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
  const asJson = await call('POST /token', { body: { grant_type: 'refresh_token' } })
  expect(asJson.json).toMatchObject({
    status: 415,
    title: 'The body is compressed, or not declared as a form',
  })
})

describe('D106: a product', () => {
  test('says whether players sign in, and where, as browsers write it', async () => {
    const { apiKey } = await newGame()
    const patch = (body: object) => call('PATCH /product', { apiKey, body })
    const signInDomains = ['Game.Example:443', 'game.example', 'localhost:5173']
    const shown = { signIn: true, signInDomains: ['game.example', 'localhost:5173'] }
    expect((await patch({ signInDomains })).json.data).toMatchObject(shown)
    expect((await call('GET /product', { apiKey })).json.data).toMatchObject(shown)
    expect((await patch({ signIn: false, signInDomains: [] })).json.data).toMatchObject({
      ...{ signIn: false, signInDomains: [] },
    })
  })

  test.each([
    ['signIn', 'yes', 'signIn', 'must be true or false'],
    ['signInDomains', 'game.example', 'signInDomains', 'must be a list'],
    ['signInDomains', ['https://game.example'], 'signInDomains.0', 'must be a host name such as'],
    ['signInDomains', Array(11).fill(domain), 'signInDomains', 'must have at most 10 hosts'],
    ['website', 'a.example', 'websiteLink', ''],
  ])('does not say so with %s %j', async (name, value, path, message) => {
    const { apiKey } = await newGame()
    const body = { [name]: value, ...(name === 'website' && { websiteLink: 'b.example' }) }
    const faults = expectProblem(await call('PATCH /product', { apiKey, body }), 'invalid_request')
    expect(faults).toEqual([{ in: 'body', path, message: expect.stringContaining(message) }])
  })
})

describe('D110: a message', () => {
  test.each([
    ['no address', { address: undefined }, 'address'],
    ['a bad checksum', { address: '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, 'address'],
    ['a chain that is not open', { chain: 'ETHEREUM' }, 'chain'],
    ['another host', { domain: 'evil.example' }, 'domain'],
    ['a host with a Cyrillic letter', { domain: 'gаme.example' }, 'domain'],
    ['a URL', { domain: 'https://game.example' }, 'domain'],
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

  test.each([
    ['does not sign players in', { signIn: false }],
    ['is stopped', { stoppedAt: '2026-11-27T00:00:00.000Z' }],
    ['is deleted', { endedAt: '2026-11-27T00:00:00.000Z' }],
  ])('is not written for a product that %s, and nobody signs in to it', async (_, fields) => {
    const { productId, change } = await newGame()
    const account = newAccount()
    const proof = await proofOf(productId, account)
    const { refreshToken } = (await signIn(await proofOf(productId, account))).json.data
    await change(fields)
    expectRefusal(await askFor(productId, account), 'invalid_client')
    expectRefusal(await signIn(proof), 'invalid_client')
    expectRefusal(await refresh(productId, refreshToken), 'invalid_client')
    expectRefusal(await askFor('0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e', account), 'invalid_client')
  })
})

describe('D110: a proof is refused', () => {
  test.each<[ProblemCode, (proof: SignedMessage) => Partial<SignedMessage>]>([
    ['message_too_large', () => ({ message: 'a'.repeat(4_097) })],
    ['signature_malformed', () => ({ signature: '0x' })],
    ['no_account_on_chain', ({ message }) => ({ signature: newAccount().sign(message) })],
  ])('as %s, and its twin is accepted', async (code, change) => {
    const { productId } = await newGame()
    const proof = await proofOf(productId, newAccount())
    expectRefusal(await signIn({ ...proof, ...change(proof) }), code)
    expect((await signIn(proof)).status).toBe(200)
  })

  test('with a field that is missing, too long, or no name', async () => {
    const { productId } = await newGame()
    const proof = await proofOf(productId, newAccount())
    const missing = expectProblem(await signIn({}), 'invalid_request')
    expect(missing.map(({ path }) => path)).toEqual(['message', 'signature'])
    const long = await signIn({ ...proof, username: 'x'.repeat(101) })
    expect(expectProblem(long, 'invalid_request')).toMatchObject([{ path: 'username' }])
    for (const username of [' ', 'tessaly\u0000', 'a\nb']) {
      const faults = expectProblem(await signIn({ ...proof, username }), 'invalid_request')
      expect(faults).toMatchObject([{ path: 'username' }])
    }
    expect((await signIn(proof)).status).toBe(200)
  })
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
    expect(headers.get('content-type')).toBe('application/json')
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
