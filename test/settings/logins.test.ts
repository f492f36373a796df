import { describe, expect, test } from 'vitest'
import { publicKey } from '../support/prod-settings.ts'
import { settingsWith } from './new-container.ts'

const tokens = {
  PLAYER_TOKEN_ISSUERS: 'https://nfts.studio.example',
  PLAYER_TOKEN_AUDIENCE: 'games',
}
const single = { ...tokens, ISSUER: 'https://own.example', USER_JWT_AUDIENCE: 'own' }
const listed = [
  { issuer: 'a', audiences: ['x', 'y'], jwksUrl: 'https://a.example/' },
  {
    ...{ issuer: 'b', audiences: ['x'], publicKeys: [publicKey], users: 'u', userIdClaim: 'c.d' },
    wallets: {
      claim: 'w',
      addressField: 'a',
      where: { constructor: 'x', y: [1, true] },
      chains: ['POLYGON', 'BASE'],
    },
    ...{ usernameClaims: ['n', 'sub'], requiredClaims: { scope: 'read' } },
  },
]
const usual = {
  ...{ userIdClaim: 'sub', usernameClaims: ['username'], wallets: { claim: 'wallets' } },
  requiredClaims: {},
}
const LOGINS = JSON.stringify(listed)

describe('D90: the logins of the functions', () => {
  test('the single settings are a list of one', async () => {
    const { loginKeySettings, loginClaimSettings } = await settingsWith({
      ...single,
      ...{ USER_JWT_JWKS_URL: 'https://own.example/', USERNAME_CLAIM: 'name' },
      WALLET_CHAINS: 'BASE',
    })
    expect(loginKeySettings()).toEqual([
      { jwksUrl: 'https://own.example/', algorithms: ['RS256', 'ES256'] },
    ])
    expect(loginClaimSettings()).toEqual([
      {
        ...{ ...usual, issuer: 'https://own.example', users: 'https://own.example' },
        ...{ audiences: ['own'], usernameClaims: ['name'] },
        wallets: { claim: 'wallets', chains: ['BASE'] },
      },
    ])
  })

  test('a list has the defaults of the single settings', async () => {
    const { loginKeySettings, loginClaimSettings } = await settingsWith({ ...tokens, LOGINS })
    expect(loginKeySettings()).toEqual([
      { jwksUrl: 'https://a.example/', algorithms: ['RS256', 'ES256'] },
      { publicKeys: [publicKey], algorithms: ['ES256'] },
    ])
    expect(loginClaimSettings()).toEqual([
      { ...usual, issuer: 'a', audiences: ['x', 'y'], users: 'a' },
      {
        ...{ issuer: 'b', audiences: ['x'], users: 'u', userIdClaim: 'c.d' },
        wallets: {
          claim: 'w',
          addressField: 'a',
          where: { constructor: 'x', y: [1, true] },
          chains: ['POLYGON', 'BASE'],
        },
        ...{ usernameClaims: ['n', 'sub'], requiredClaims: { scope: 'read' } },
      },
    ])
  })

  test('the key of the stack is the first of several logins', async () => {
    const { loginKeySettings, loginClaimSettings } = await settingsWith({
      ...single,
      ...{ LOGINS, USER_JWT_KEY_ARNS: 'arn1,arn2' },
    })
    expect(loginKeySettings()[0]).toEqual({ keyArns: ['arn1', 'arn2'], algorithms: ['ES256'] })
    expect(loginKeySettings()).toHaveLength(3)
    expect(loginClaimSettings().map(({ issuer }) => issuer)).toEqual([
      'https://own.example',
      'a',
      'b',
    ])
  })

  test.each<[Record<string, string>, string]>([
    [{ LOGINS: '[' }, 'LOGINS must be a list of 1 to 10 logins, in JSON'],
    [{ LOGINS: '[{"issuer":"a"}]' }, 'LOGINS.0.audiences must be set'],
    [
      { LOGINS, USER_JWT_JWKS_URL: 'https://own.example/' },
      'USER_JWT_PUBLIC_KEYS and USER_JWT_JWKS_URL must not be set with LOGINS',
    ],
    [
      { LOGINS: JSON.stringify([listed[0], listed[0]]) },
      'LOGINS.1.audiences must not have an audience of LOGINS.0, which has the same issuer',
    ],
  ])('%j end the start of a function', async (variables, fault) => {
    const { loginKeySettings } = await settingsWith({ ...tokens, ...variables })
    expect(loginKeySettings).toThrow(new Error(`Invalid settings: ${fault}`))
  })

  test('player tokens have issuers of their own, or that of user JWTs', async () => {
    const { PLAYER_TOKEN_AUDIENCE, PLAYER_TOKEN_ISSUERS } = tokens
    const none = await settingsWith({ PLAYER_TOKEN_AUDIENCE })
    expect(none.tokenSettings).toThrow(
      new Error('Invalid settings: ISSUER or PLAYER_TOKEN_ISSUERS must be set'),
    )
    const own = await settingsWith(tokens)
    expect(own.tokenSettings()).toMatchObject({ playerTokenIssuers: [PLAYER_TOKEN_ISSUERS] })
  })
})
