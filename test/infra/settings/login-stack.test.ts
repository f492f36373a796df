import { describe, expect, test } from 'vitest'
import { prodSettings, severalLogins } from '../../support/prod-settings.ts'
import { checksOf, environmentOf, serviceTemplate } from '../../support/service-template.ts'

const { loginRoleArn } = prodSettings
const ofKey = { loginRoleArn, issuer: 'https://own.example', userJwtAudience: 'own' }

const listed = serviceTemplate(severalLogins)
const besideKey = serviceTemplate({ ...severalLogins, ...ofKey })

describe('D90: a stack with a list of logins', () => {
  test('gives the list to the three functions that need it', () => {
    const functions = listed
      .all('AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.Environment?.Variables?.LOGINS)
      .map(([, { Properties }]) => Properties.FunctionName.replace('PlayerNfts-prod-', ''))
    expect(functions.toSorted()).toEqual(['create-player-token', 'get-key-set', 'get-public-key'])
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
