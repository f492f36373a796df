import { describe, expect, test } from 'vitest'
import { prodSettings } from '../../support/prod-settings.ts'
import { type Json, serviceTemplate } from '../../support/service-template.ts'

const template = serviceTemplate({
  ...prodSettings,
  playerTokenKeys: ['2', '1'],
  userJwtKeys: ['1', '2'],
})

describe('the policies of the signing keys', () => {
  const keyPolicies = () =>
    template.all('AWS::KMS::Key').map(([id, { Properties }]) => ({
      isOfLogin: id.startsWith('UserJwtKey'),
      statements: Properties.KeyPolicy.Statement as Json[],
    }))

  test('D22: the role of the login can sign with every user JWT key, with one algorithm', () => {
    const grants = keyPolicies().map(({ isOfLogin, statements }) => [
      isOfLogin,
      statements.slice(1).filter(({ Effect }) => Effect === 'Allow'),
    ])
    const grant = {
      Action: ['kms:GetPublicKey', 'kms:Sign'],
      Condition: { StringEqualsIfExists: { 'kms:SigningAlgorithm': 'ECDSA_SHA_256' } },
      Effect: 'Allow',
      Principal: { AWS: prodSettings.loginRoleArn },
      Resource: '*',
    }
    expect(grants).toEqual([
      [false, []],
      [false, []],
      [true, [grant]],
      [true, [grant]],
    ])
  })

  test('D70: nobody signs but the role of the function, and the role of the login', () => {
    const [, signer] =
      template.all('AWS::IAM::Role').find(([, { Properties }]) => Properties.RoleName) ?? []
    const name = { 'Fn::Join': ['', ['PlayerNfts-prod-signer-', { Ref: 'AWS::Region' }]] }
    expect(signer?.Properties.RoleName).toEqual(name)
    const [, ofFunction] =
      template
        .all('AWS::Lambda::Function')
        .find(([, { Properties }]) => Properties.FunctionName.endsWith('-create-player-token')) ??
      []
    expect(template.resources[ofFunction?.Properties.Role['Fn::GetAtt'][0]]).toBe(signer)
    const signerArn = [
      ...['arn:', { Ref: 'AWS::Partition' }, ':iam::', { Ref: 'AWS::AccountId' }],
      ...[':role/PlayerNfts-prod-signer-', { Ref: 'AWS::Region' }],
    ]
    for (const { isOfLogin, statements } of keyPolicies()) {
      expect(statements.filter(({ Effect }) => Effect === 'Deny')).toEqual([
        {
          Action: 'kms:Sign',
          Condition: {
            ArnNotEquals: {
              'aws:PrincipalArn': isOfLogin
                ? prodSettings.loginRoleArn
                : { 'Fn::Join': ['', signerArn] },
            },
          },
          Effect: 'Deny',
          Principal: { AWS: '*' },
          Resource: '*',
        },
      ])
      // The account can change the policy, which is the way out.
      expect(statements[0]).toMatchObject({ Effect: 'Allow', Action: 'kms:*', Resource: '*' })
    }
  })

  test('D70: without the role of a login, IAM policies decide who signs user JWTs', () => {
    const dev = serviceTemplate()
    const denials = dev
      .all('AWS::KMS::Key')
      .map(([id, { Properties }]) => [
        id.startsWith('UserJwtKey'),
        Properties.KeyPolicy.Statement.filter(({ Effect }: Json) => Effect === 'Deny').length,
      ])
    expect(denials).toEqual([
      [false, 1],
      [true, 0],
    ])
  })
})
