import type { JWTPayload } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { startIdentityProvider } from '../support/tokens/identity-provider.ts'

const provider = await startIdentityProvider('ES256', afterAll)
const login = {
  issuer: 'privy.example',
  jwksUrl: provider.jwksUrl,
  audiences: ['app'],
  usernameClaims: ['name', 'sub'],
  wallets: {
    claim: 'linked_accounts',
    addressField: 'address',
    where: { type: 'wallet', chain_type: 'ethereum' },
  },
  requiredClaims: { scope: 'user:basic' },
}
const { call, log } = await startOwnService(
  { LOGINS: JSON.stringify([login]), USER_IDS: 'assigned' },
  afterAll,
)

const wallet = (address: string, more: object = {}) => ({
  ...{ type: 'wallet', chain_type: 'ethereum', address },
  ...more,
})

const tokens: string[] = []

/** Signs in with these linked accounts, as text. */
async function signIn(accounts: string, more: JWTPayload = {}) {
  const now = Math.floor(Date.now() / 1000)
  const userJwt = await provider.sign({
    ...{ iss: login.issuer, aud: 'app', sub: 'did:privy:1', iat: now, exp: now + 600 },
    ...{ scope: 'openid user:basic', linked_accounts: accounts, ...more },
  })
  tokens.push(userJwt)
  return await call('GET /player/token', { userJwt })
}

const lastLine = () =>
  JSON.parse(log.findLast((line) => line.includes('"createPlayerToken"')) ?? '{}')

async function expectRefused(accounts: string, rule: string, more?: JWTPayload): Promise<void> {
  const answer = await signIn(accounts, more)
  expectProblem(answer, 'invalid_user_token')
  const [claim = '', ...rest] = rule.split(' ')
  expect(answer.json.detail).toBe(`The claim ${claim} of the user JWT ${rest.join(' ')}.`)
}

describe('D92: a login with wallets in objects, as JSON in a text', () => {
  test('the line of a sign-in has how many wallets were kept and left out', async () => {
    const accounts = [
      wallet(newAddress()),
      wallet(newAddress()),
      wallet('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T', { chain_type: 'solana' }),
      { type: 'email', address: 'neo@studio.example' },
    ]
    const answer = await signIn(JSON.stringify(accounts))
    expect(answer.status, answer.text).toBe(200)
    expect(lastLine()).toMatchObject({ walletsKept: 2, walletsLeftOut: 2, status: 200 })
    const { token: playerToken } = answer.json.data
    const { json } = await call('GET /player/details', { playerToken })
    expect(json.data).toMatchObject({ username: 'did:privy:1' })
  })

  test('a condition that nothing meets leaves no wallet, and the line says so', async () => {
    expect((await signIn(JSON.stringify([wallet(newAddress(), { type: 'x' })]))).status).toBe(200)
    expect(lastLine()).toMatchObject({ walletsKept: 0, walletsLeftOut: 1 })
  })

  test('a claim that is not right is 401 with the claim and the rule', async () => {
    const text = JSON.stringify([wallet(newAddress())])
    const noJson = 'linked_accounts begins as JSON, and must be well-formed JSON as a whole'
    await expectRefused(text.slice(0, -1), noJson)
    const scope = 'scope does not have a value that the settings of the login require'
    await expectRefused(text, scope, { scope: 'openid user:basically' })
  })

  test('a user JWT that fits into the headers is read, and a larger one never arrives', async () => {
    const accounts = (count: number) =>
      JSON.stringify(Array.from({ length: count }, () => wallet(newAddress(), { type: 'other' })))
    const large = await signIn(accounts(56))
    expect(tokens.at(-1)?.length).toBeGreaterThan(8_000)
    expect(large.status, large.text).toBe(200)
    const tooLarge = await signIn(accounts(90))
    expect(tokens.at(-1)?.length).toBeGreaterThan(10_240)
    expect(tooLarge.status).toBe(431)
  })

  test('D5: the log has no token, no wallet and no failure of the service', () => {
    const all = log.join('\n')
    for (const token of tokens) expect(all).not.toContain(token.slice(0, 40))
    expect(all).not.toMatch(/0x[0-9a-f]{40}|"status":5/)
  })
})
