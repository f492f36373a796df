import { describe, expect, test } from 'vitest'
import { functionNames } from '../../../infra/bundle/bundle.ts'
import type { Signers } from '../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { create, version } from '../../support/check-requests.ts'
import { prodSettings, retainedKey, signInSettings } from '../../support/prod-settings.ts'
import { rolePermissions } from '../../support/role-permissions.ts'
import {
  checksOf,
  environmentOf,
  type Json,
  serviceTemplate,
} from '../../support/service-template.ts'

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

const plain = serviceTemplate()

const changed = serviceTemplate({ playerDigestKey: '2' })

const secretOf = ({ all }: typeof plain) => {
  const [secret, ...others] = all('AWS::SecretsManager::Secret').filter(([id]) =>
    id.startsWith('PlayerDigest'),
  )
  expect(others).toEqual([])
  return secret
}

describe('D72: the key of the digests of players', () => {
  test('is passed on to the functions that know players, and to no other', () => {
    const [id] = secretOf(plain) ?? []
    const keys = functionNames({}).flatMap((name) => {
      const key = environmentOf(plain, `-${name}`)?.PLAYER_DIGEST_KEY
      return key === undefined ? [] : [[name, JSON.stringify(key)] as const]
    })
    expect(keys.map(([name]) => name).toSorted()).toEqual([
      ...['create-player-token', 'get-player-details'],
      ...['get-raw-metadata', 'get-structured-metadata'],
    ])
    for (const [, key] of keys) {
      expect(key).toContain('{{resolve:secretsmanager:')
      expect(key).toContain(`"${id}"`)
    }
  })

  test('is another key under another name, which the command that computes a digest finds', () => {
    expect(secretOf(changed)?.[0]).not.toBe(secretOf(plain)?.[0])
    expect(plain.outputs['PlayerDigestSecretArn'].Value).toEqual({ Ref: secretOf(plain)?.[0] })
  })
})

const aws = await startTestAws()

const [ofLogin, ofWallets] = ['signer', 'sign-in-signer'].map(
  (name) => `arn:aws:iam::123456789012:role/PlayerNfts-prod-${name}-eu-central-1`,
) as [string, string]

const signers: Signers = {
  Key: aws.resources.playerTokenKeyArn,
  Roles: [ofLogin, ofWallets],
}

const denialBut = (roles: string | readonly string[], Action: unknown = 'kms:Sign') => ({
  Effect: 'Deny',
  Principal: { AWS: '*' },
  Action,
  Resource: '*',
  Condition: { ArnNotEquals: { 'aws:PrincipalArn': roles } },
})

/** The answer to a version with these signers, if the policy of the key has this statement too. */
async function answerTo(statement: object, Signers: Signers | undefined = signers) {
  const account = { Effect: 'Allow', Action: 'kms:*', Resource: '*' }
  const Policy = JSON.stringify({ Version: '2012-10-17', Statement: [account, statement] })
  aws.interfere({
    onRequest: ({ action }) =>
      action === 'GetKeyPolicy' ? { status: 200, body: { Policy } } : undefined,
  })
  const used = version({ playerTokens: [signers.Key] }, Signers && { Signers })
  const { Status, Reason } = await create(used)
  return [Status, Reason]
}

describe('D113: a key that the stack has not created, in a deployment with sign-in with wallets', () => {
  test.each([
    [ofLogin, 'kms:Sign'],
    [[ofLogin], ['kms:Verify', 'kms:Sign']],
    [ofLogin, 'kms:*'],
  ])('is refused if its policy denies signing to all but %j (%j)', async (roles, action) => {
    const [status, reason] = await answerTo(denialBut(roles, action))
    expect(status).toBe('FAILED')
    expect(reason).toContain(`${signers.Key} denies kms:Sign to ${ofWallets}, so`)
    const replacement = JSON.stringify(denialBut([ofLogin, ofWallets], action))
    expect(reason).toContain(`by ${replacement}.`)
  })

  test.each([
    ['permits both roles', denialBut([ofWallets, ofLogin])],
    ['denies something else', denialBut(ofLogin, 'kms:ScheduleKeyDeletion')],
    ['permits it', { ...denialBut(ofLogin), Effect: 'Allow' }],
  ])('is accepted if its policy %s', async (_, statement) => {
    expect(await answerTo(statement)).toEqual(['SUCCESS', ''])
  })

  test('is asked for its policy only then, and only if it signs', () => {
    const asks = (settings: Record<string, unknown>) => {
      const template = serviceTemplate(settings)
      const may = rolePermissions(template, 'deployment-checks')
      return [may.includes(`kms:GetKeyPolicy on ${retainedKey}`), checksOf(template).Signers]
    }
    const retained = { ...signInSettings, playerTokenKeys: [retainedKey] }
    expect(asks(retained)).toEqual([true, { Key: retainedKey, Roles: expect.any(Array) }])
    expect(checksOf(serviceTemplate(retained)).Signers.Roles).toHaveLength(2)
    const without = { ...prodSettings, playerTokenKeys: [retainedKey] }
    expect(asks(without)).toEqual([false, undefined])
    expect(asks({ ...retained, playerTokenKeys: ['2', retainedKey] })).toEqual([false, undefined])
  })
})
