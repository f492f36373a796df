import { describe, expect, test } from 'vitest'
import { functionNames } from '../../../infra/bundle/bundle.ts'
import { usualOperationIds } from '../../support/operations.ts'
import {
  loginElsewhere,
  prodSettings,
  publicKey,
  retainedKey,
} from '../../support/prod-settings.ts'
import {
  checksOf,
  checksRole,
  environmentOf,
  type Json,
  serviceTemplate,
} from '../../support/service-template.ts'

const prod = serviceTemplate(prodSettings)
const last = serviceTemplate({ playerTokenKeys: ['2'] })
const retained = serviceTemplate({ playerTokenKeys: [retainedKey, '2'] })

describe('key rotation', () => {
  const playerTokenKeysOf = (template: typeof prod) => {
    const ids = template.all('AWS::KMS::Key').map(([id]) => id)
    const order = environmentOf(template, '-create-player-token').PLAYER_TOKEN_KEY_ARNS
    const arns = (order['Fn::Join']?.[1] ?? [order]).filter((part: Json) => part !== ',')
    const alias = template
      .all('AWS::KMS::Alias')
      .find(([, { Properties }]) => Properties.AliasName.endsWith('/player-token'))
    return {
      ids: ids.filter((id) => id.startsWith('PlayerTokenKey')),
      order: arns.map((arn: Json) => arn['Fn::GetAtt'][0]),
      signing: alias?.[1].Properties.TargetKeyId['Fn::GetAtt'][0],
    }
  }

  test('a key keeps its identity through every step, and only its position changes', () => {
    const bothKeys = [
      ['1', '2'],
      ['2', '1'],
    ].map((playerTokenKeys) => serviceTemplate({ playerTokenKeys }))
    const steps = [prod, ...bothKeys, last].map(playerTokenKeysOf)
    const [one] = steps[0]?.ids ?? []
    const [two] = steps[3]?.ids ?? []
    expect(one).not.toBe(two)
    expect(steps.map(({ order }) => order)).toEqual([[one], [one, two], [two, one], [two]])
    expect(steps.map(({ ids }) => new Set(ids))).toEqual(steps.map(({ order }) => new Set(order)))
    expect(steps.map(({ signing }) => signing)).toEqual([one, one, two, two])
  })

  test('the ARN of a retained key takes the key back: it is accepted, and signs if it is first', () => {
    expect(retained.all('AWS::KMS::Key').map(([id]) => id.slice(0, 18))).toEqual([
      'PlayerTokenKeyKey2',
      'UserJwtKeyKey111F9',
    ])
    expect(checksOf(retained).PublicKeysOf).toEqual([retainedKey, arnOf('P', '2')])
    const { PLAYER_TOKEN_KEY_ARNS } = environmentOf(retained, '-create-player-token')
    expect(PLAYER_TOKEN_KEY_ARNS['Fn::Join'][1][0]).toBe(`${retainedKey},`)
    const [, alias] =
      retained.all('AWS::KMS::Alias').find(([id]) => id.startsWith('PlayerTokenKey')) ?? []
    expect(alias?.Properties.TargetKeyId).toBe(retainedKey)
    expect(checksOf(retained).ImportedKeys).toEqual([retainedKey])
    expect(checksOf(retained).Keys[0].Names).toEqual([retainedKey, '2'])
    expect(checksRole(retained).Policies[0].PolicyDocument.Statement).toContainEqual({
      Action: 'kms:DescribeKey',
      Effect: 'Allow',
      Resource: retainedKey,
    })
  })

  test('D43, D75: the checks know every key and its name, and come before the functions and the aliases', () => {
    const [[checks] = []] = prod.all('Custom::DeploymentChecks')
    expect(checksOf(prod).Keys).toEqual([
      {
        Purpose: 'player tokens',
        Alias: 'alias/PlayerNfts-prod/player-token',
        Accepted: [arnOf('P')],
        Setting: 'playerTokenKeys',
        Names: ['1'],
      },
      {
        Purpose: 'user JWTs',
        Alias: 'alias/PlayerNfts-prod/user-jwt',
        Accepted: [arnOf('U')],
        Setting: 'userJwtKeys',
        Names: ['1'],
      },
    ])
    const dependent = [...prod.all('AWS::Lambda::Function'), ...prod.all('AWS::KMS::Alias')].filter(
      ([id]) => !id.startsWith('DeploymentChecks'),
    )
    // The functions, the worker, and two aliases.
    expect(dependent).toHaveLength(usualOperationIds.length + 3)
    for (const [, resource] of dependent) {
      expect(resource.DependsOn).toContain(checks)
    }
    const [, ofLogin] = checksOf(serviceTemplate(loginElsewhere)).Keys
    expect(ofLogin).toEqual({
      Purpose: 'user JWTs',
      Alias: 'alias/PlayerNfts-prod/user-jwt',
      Accepted: [publicKey, publicKey],
    })
  })

  test('D74: the checks read the public keys for the functions that verify player tokens', () => {
    const [[checks] = []] = prod.all('Custom::DeploymentChecks')
    expect(checksOf(prod).PublicKeysOf).toEqual([arnOf('P')])
    const handedOver = functionNames({}).flatMap((name) => {
      const { PLAYER_TOKEN_PUBLIC_KEYS } = environmentOf(prod, `-${name}`) ?? {}
      return PLAYER_TOKEN_PUBLIC_KEYS ? [[name, PLAYER_TOKEN_PUBLIC_KEYS]] : []
    })
    const publicKeys = { 'Fn::GetAtt': [checks, 'PlayerTokenPublicKeys'] }
    expect(Object.fromEntries(handedOver)).toEqual({
      'get-raw-metadata': publicKeys,
      'get-structured-metadata': publicKeys,
      'get-player-details': publicKeys,
      'get-key-set': publicKeys,
    })
  })

  const arnOf = (prefix: string, generation = '1') => ({
    'Fn::GetAtt': [expect.stringMatching(new RegExp(`^${prefix}\\w+Key${generation}`)), 'Arn'],
  })
})
