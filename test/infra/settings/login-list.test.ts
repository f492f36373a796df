import { describe, expect, test } from 'vitest'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { faultsOf } from '../../support/deployment-faults.ts'
import { prodSettings, publicKey, severalLogins } from '../../support/prod-settings.ts'

const [first = {}, second = {}]: Record<string, unknown>[] = severalLogins.logins
const { loginRoleArn } = prodSettings

const withLogins = (...logins: unknown[]) => ({ ...severalLogins, logins })
const faultsIn = (settings: Record<string, unknown>) => faultsOf(() => deploymentSettings(settings))

const notAList = 'logins must be a list of 1 to 10 logins, in JSON'
const leftOut = (name: string) =>
  `${name} must be left out with logins, which has it for each login`
const values =
  'must be an object with a path for each name, and as its value a text, a number, true or false, or a list of them'
const notASubject =
  'userIds must be assigned with more than one login, because two logins never share a user id: a deployment that has players with subject gives all of them new ids'

describe('D90: several logins', () => {
  test.each<Record<string, unknown>>([
    severalLogins,
    withLogins(first),
    { ...withLogins(first), userIds: 'subject' },
    withLogins(first, { ...first, audiences: ['another'], users: 'another app' }),
    { ...severalLogins, issuer: 'own', userJwtAudience: 'own', loginRoleArn },
    { stage: 'dev', logins: [first], playerTokenIssuers: ['player-nfts-dev'] },
    { stage: 'dev', logins: [first], playerTokenIssuers: ['x'], loginRoleArn, userIds: 'assigned' },
  ])('%j are valid', (settings) => {
    expect(deploymentSettings(settings)).toMatchObject(settings)
  })

  test('an issuer and an audience that are defaults are those of the key of the stack, or of nobody', () => {
    const dev = { stage: 'dev', logins: [first], playerTokenIssuers: ['x'] }
    const { issuer, userJwtAudience } = deploymentSettings(dev)
    expect([issuer, userJwtAudience]).toEqual([undefined, undefined])
    expect(deploymentSettings({ ...dev, loginRoleArn, userIds: 'assigned' })).toMatchObject({
      issuer: 'player-nfts-dev',
      userJwtAudience: 'player-nfts-dev-platform',
    })
  })

  test.each<[string, Record<string, unknown>, string]>([
    ['no list', { ...severalLogins, logins: first }, notAList],
    [
      'JWTs without an issuer, for the same audience twice',
      withLogins(
        { ...first, statesIssuer: false },
        { ...second, audiences: ['platform'], statesIssuer: false },
      ),
      'logins.1.audiences must not have an audience of logins.0, which has the same issuer',
    ],
    ['a text', { ...severalLogins, logins: JSON.stringify([first]) }, notAList],
    ['an empty list', withLogins(), notAList],
    [
      'eleven logins',
      withLogins(
        ...Array.from({ length: 11 }, (_, index) => ({ ...first, issuer: `https://${index}` })),
      ),
      notAList,
    ],
    [
      'a login that is a text',
      withLogins('https://login.example'),
      'logins.0 must be an object with "issuer", "audiences", and "jwksUrl" or "publicKeys"',
    ],
    ['no issuer', withLogins({ ...first, issuer: undefined }), 'logins.0.issuer must be set'],
    [
      'no audience',
      withLogins({ ...first, audiences: [] }),
      'logins.0.audiences must not be an empty list',
    ],
    [
      'an unknown field',
      withLogins({ ...first, audience: 'platform' }),
      'logins.0.audience is not a setting: did you mean audiences?',
    ],
    [
      'no keys',
      withLogins({ ...first, jwksUrl: undefined }),
      'logins.0 must have either jwksUrl or publicKeys',
    ],
    [
      'keys and a key set',
      withLogins(first, { ...second, jwksUrl: 'https://x.example/' }),
      'logins.1 must have either jwksUrl or publicKeys',
    ],
    [
      'a key set without TLS',
      withLogins({ ...first, jwksUrl: 'http://login.example/' }),
      'logins.0.jwksUrl must be an https URL, because anybody on the way could replace the keys',
    ],
    [
      'public keys for several algorithms',
      withLogins({ ...second, algorithms: ['ES256', 'RS256'] }),
      'logins.0.algorithms must be one of ES256, ES384, RS256, PS256, EdDSA, because there is no jwksUrl',
    ],
    [
      'public keys for another algorithm',
      withLogins({ ...second, algorithms: ['EdDSA'] }),
      'logins.0.publicKeys must be public keys for EdDSA (algorithms), each as the base64 of its DER SubjectPublicKeyInfo',
    ],
    [
      'the same issuer and audience twice',
      withLogins(first, { ...first, audiences: ['other', 'platform'], users: 'others' }),
      'logins.1.audiences must not have an audience of logins.0, which has the same issuer',
    ],
    [
      'the same users twice, by default',
      withLogins(first, { ...first, audiences: ['other'] }),
      'logins.1.users must differ from that of logins.0, because two logins never share a user',
    ],
    [
      'the users of another issuer',
      withLogins(second, { ...first, users: 'wallets' }),
      'logins.1.users must differ from that of logins.0, because two logins never share a user',
    ],
    [
      'the users of people who sign in with a wallet',
      withLogins({ ...first, users: 'wallet' }),
      'logins.0.users must not be wallet, which names people who sign in with a wallet',
    ],
    [
      'the issuer of people who sign in with a wallet',
      withLogins({ ...first, issuer: 'wallet' }),
      'logins.0.users must not be wallet, which names people who sign in with a wallet',
    ],
    [
      'the same issuer without a list',
      { ...prodSettings, issuer: 'wallet' },
      'issuer must not be wallet, which names people who sign in with a wallet',
    ],
    [
      'the audience of player tokens',
      withLogins({ ...first, audiences: ['platform', 'games'] }),
      'logins.0.audiences must not have the audience of player tokens',
    ],
    [
      'the issuer and audience of the key of the stack',
      {
        ...withLogins(first),
        ...{ issuer: first['issuer'], userJwtAudience: 'platform', loginRoleArn },
      },
      'logins.0.audiences must not have an audience of the key of the stack, which has the same issuer',
    ],
    [
      'the users of the key of the stack',
      { ...withLogins(first), issuer: first['issuer'], userJwtAudience: 'own', loginRoleArn },
      'logins.0.users must differ from that of the key of the stack, because two logins never share a user',
    ],
    [
      'a condition without a field',
      withLogins({ ...first, wallets: { claim: 'w', addressField: 'a', where: {} } }),
      'logins.0.wallets.where must not be empty',
    ],
    [
      'a condition with another value',
      withLogins({ ...first, wallets: { claim: 'w', addressField: 'a', where: { type: null } } }),
      `logins.0.wallets.where ${values}`,
    ],
    [
      'a condition with no values',
      withLogins({ ...first, wallets: { claim: 'w', addressField: 'a', where: { type: [] } } }),
      `logins.0.wallets.where ${values}`,
    ],
    [
      'a condition without the field of addresses',
      withLogins({ ...first, wallets: { claim: 'w', where: { type: 'wallet' } } }),
      'logins.0.wallets.addressField must be set with where, which keeps objects only',
    ],
    [
      'no claim of wallets',
      withLogins({ ...first, wallets: {} }),
      'logins.0.wallets.claim must be set',
    ],
    [
      'a text as wallets',
      withLogins({ ...first, wallets: 'wallets' }),
      'logins.0.wallets must be an object with "claim", and optional "addressField" and "where"',
    ],
    [
      'required claims with a path that is not complete',
      withLogins({ ...first, requiredClaims: { 'scope.': 'read' } }),
      `logins.0.requiredClaims ${values}`,
    ],
    [
      'no name',
      withLogins({ ...first, usernameClaims: [] }),
      'logins.0.usernameClaims must name a claim',
    ],
    ['user ids that are subjects', { ...severalLogins, userIds: 'subject' }, notASubject],
    [
      'user ids that are subjects by default',
      { ...severalLogins, userIds: undefined },
      notASubject,
    ],
    [
      'no issuer of player tokens',
      { ...severalLogins, playerTokenIssuers: undefined },
      'playerTokenIssuers must be set with logins, which are not the issuers of player tokens',
    ],
    ['an issuer without a role', { ...severalLogins, issuer: 'x' }, leftOut('issuer')],
    ['an audience', { ...severalLogins, userJwtAudience: 'x' }, leftOut('userJwtAudience')],
    ['a user id claim', { ...severalLogins, userIdClaim: 'id' }, leftOut('userIdClaim')],
    ['a username claim', { ...severalLogins, usernameClaim: 'x' }, leftOut('usernameClaim')],
    ['a wallets claim', { ...severalLogins, walletsClaim: 'x' }, leftOut('walletsClaim')],
    [
      'algorithms of one login',
      { ...severalLogins, loginAlgorithms: ['RS256'] },
      leftOut('loginAlgorithms'),
    ],
    [
      'an algorithm of one login',
      { ...severalLogins, loginAlgorithm: 'RS256' },
      leftOut('loginAlgorithm'),
    ],
    [
      'a key set of one login',
      { ...severalLogins, loginJwksUrl: 'https://x.example/' },
      leftOut('loginJwksUrl'),
    ],
    [
      'keys of one login',
      { ...severalLogins, loginPublicKeys: [publicKey] },
      leftOut('loginPublicKeys'),
    ],
  ])('%s: one sentence', (_, settings, fault) => {
    expect(faultsIn(settings)).toEqual([fault])
  })
})
