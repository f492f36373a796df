import { describe, expect, test } from 'vitest'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { coveredChains } from '../../../lib/domain/nft/chain.ts'
import { faultsIn } from '../../support/deployment-faults.ts'
import { prodSettings, publicKey, severalLogins } from '../../support/prod-settings.ts'
import {
  checksOf,
  environmentOf,
  functionsWith,
  serviceTemplate,
} from '../../support/service-template.ts'

const [first = {}, second = {}]: Record<string, unknown>[] = severalLogins.logins
const { loginRoleArn } = prodSettings

const withLogins = (...logins: unknown[]) => ({ ...severalLogins, logins })

const notAList = 'logins must be a list of 1 to 10 logins, in JSON'
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

  test.each<[Record<string, unknown>, string]>([
    [{ issuer: undefined }, '.issuer must be set'],
    [{ audiences: [] }, '.audiences must not be an empty list'],
    [{ audience: 'platform' }, '.audience is not a setting: did you mean audiences?'],
    [{ jwksUrl: undefined }, ' must have either jwksUrl or publicKeys'],
    [
      { jwksUrl: 'http://login.example/' },
      '.jwksUrl must be an https URL, because anybody on the way could replace the keys',
    ],
    [
      { users: 'wallet' },
      '.users must not be wallet, which names people who sign in with a wallet',
    ],
    [
      { issuer: 'wallet' },
      '.users must not be wallet, which names people who sign in with a wallet',
    ],
    [
      { audiences: ['platform', 'games'] },
      '.audiences must not have the audience of player tokens',
    ],
    [{ wallets: { claim: 'w', addressField: 'a', where: {} } }, '.wallets.where must not be empty'],
    [
      { wallets: { claim: 'w', addressField: 'a', where: { type: null } } },
      `.wallets.where ${values}`,
    ],
    [
      { wallets: { claim: 'w', addressField: 'a', where: { type: [] } } },
      `.wallets.where ${values}`,
    ],
    [
      { wallets: { claim: 'w', where: { type: 'wallet' } } },
      '.wallets.addressField must be set with where, which keeps objects only',
    ],
    [{ wallets: {} }, '.wallets.claim must be set'],
    [{ wallets: { claim: 'w', chains: [] } }, '.wallets.chains must name a chain'],
    [
      { wallets: { claim: 'w', chains: ['POLYGON', 'matic'] } },
      `.wallets.chains.1 must be one of ${coveredChains.join(', ')}: "matic" is not the name of a chain, POLYGON is`,
    ],
    [
      { wallets: 'wallets' },
      '.wallets must be an object with "claim", and optional "addressField", "where" and "chains"',
    ],
    [{ requiredClaims: { 'scope.': 'read' } }, `.requiredClaims ${values}`],
    [{ usernameClaims: [] }, '.usernameClaims must name a claim'],
  ])('with %j: one sentence', (changes, fault) => {
    expect(faultsIn(withLogins({ ...first, ...changes }))).toEqual([`logins.0${fault}`])
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
    [
      'keys and a key set',
      withLogins(first, { ...second, jwksUrl: 'https://x.example/' }),
      'logins.1 must have either jwksUrl or publicKeys',
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
      'the same issuer without a list',
      { ...prodSettings, issuer: 'wallet' },
      'issuer must not be wallet, which names people who sign in with a wallet',
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
  ])('%s: one sentence', (_, settings, fault) => {
    expect(faultsIn(settings)).toEqual([fault])
  })

  test('each setting of one login is left out', () => {
    const replaced = {
      ...{ issuer: 'x', loginAlgorithm: 'RS256', loginAlgorithms: ['RS256'] },
      ...{ loginJwksUrl: 'https://x.example/', loginPublicKeys: [publicKey] },
      ...{ userIdClaim: 'id', userJwtAudience: 'x', usernameClaim: 'x' },
      ...{ walletChains: ['BASE'], walletsClaim: 'x' },
    }
    expect(faultsIn({ ...severalLogins, ...replaced })).toEqual(
      Object.keys(replaced).map(
        (name) => `${name} must be left out with logins, which has it for each login`,
      ),
    )
  })
})

const ofKey = { loginRoleArn, issuer: 'https://own.example', userJwtAudience: 'own' }

const listed = serviceTemplate(severalLogins)
const besideKey = serviceTemplate({ ...severalLogins, ...ofKey })

describe('D90: a stack with a list of logins', () => {
  test('gives the list to the three functions that need it', () => {
    expect(functionsWith(listed, 'LOGINS')).toEqual([
      ...['create-player-token', 'get-key-set', 'get-public-key'],
    ])
    const { LOGINS, ...others } = environmentOf(listed, '-get-public-key')
    expect(JSON.parse(LOGINS)).toEqual(severalLogins.logins)
    expect(others).toEqual({})
  })

  test('has no key and no issuer of its own for user JWTs, and says that to its checks', () => {
    expect(listed.all('AWS::KMS::Key')).toHaveLength(1)
    for (const name of ['-create-player-token', '-get-player-details']) {
      const variables = environmentOf(listed, name)
      expect(variables.PLAYER_TOKEN_ISSUERS).toBe('https://nfts.studio.example')
      for (const absent of ['ISSUER', 'USER_JWT_AUDIENCE', 'USER_JWT_KEY_ARNS']) {
        expect(variables).not.toHaveProperty(absent)
      }
    }
    const PlayerTokenIssuers = severalLogins.playerTokenIssuers
    expect(checksOf(listed)).toMatchObject({ PlayerTokenIssuers })
    // The keys in a set are not known to a deployment.
    expect(checksOf(listed).Keys[1]).toMatchObject({ Purpose: 'user JWTs', Accepted: [] })
    const [, withKeys] = severalLogins.logins
    const known = serviceTemplate({ ...severalLogins, logins: [withKeys] })
    expect(checksOf(known).Keys[1]).toMatchObject({ Accepted: withKeys?.publicKeys })
  })

  test('has the key of the stack too if a role signs with it', () => {
    expect(besideKey.all('AWS::KMS::Key')).toHaveLength(2)
    expect(Object.keys(environmentOf(besideKey, '-get-public-key')).toSorted()).toEqual([
      'LOGINS',
      'USER_JWT_KEY_ARNS',
    ])
    expect(environmentOf(besideKey, '-create-player-token')).toMatchObject({
      ISSUER: ofKey.issuer,
      USER_JWT_AUDIENCE: ofKey.userJwtAudience,
      USER_IDS: 'assigned',
    })
  })

  test('says the issuer of player tokens to its checks without a list too', () => {
    expect(checksOf(serviceTemplate(prodSettings))).toMatchObject({
      PlayerTokenIssuers: [prodSettings.issuer],
    })
  })
})
