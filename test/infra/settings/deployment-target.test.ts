import { describe, expect, test } from 'vitest'
import { settingsFileIn, targetOf } from '../../../infra/settings/deployment-target.ts'
import { deploymentSettings, InvalidDeploymentSettings } from '../../../infra/settings/settings.ts'
import { faultsOf } from '../../support/deployment-faults.ts'
import {
  backup,
  domain,
  edge,
  prodSettings,
  retainedKey,
  retainedSecret,
  webhookSettings,
} from '../../support/prod-settings.ts'

describe('the context of the CDK command', () => {
  test('names the settings file', () => {
    expect(settingsFileIn({ settings: 'prod.json' })).toBe('prod.json')
    expect(settingsFileIn({})).toBeUndefined()
  })

  test('may have the keys of the CDK itself', () => {
    const ofCdk = {
      'aws:cdk:enable-path-metadata': true,
      '@aws-cdk/core:failSynthOnValidationErrors': false,
      'acknowledged-issue-numbers': [1],
      'availability-zones:account=123456789012:region=eu-central-1': [],
    }
    expect(settingsFileIn({ ...ofCdk, settings: 'prod.json' })).toBe('prod.json')
  })

  test('with another key is refused', () => {
    const context = { setting: 'prod.json', Settings: 'prod.json' }
    expect(() => settingsFileIn(context)).toThrow(
      new InvalidDeploymentSettings(
        'The context has keys that this app does not read: "setting", "Settings". It reads -c settings=<file>.',
      ),
    )
  })
})

describe('D68: the account and the Region of the settings', () => {
  const place = { account: '123456789012', region: 'eu-central-1' }
  const pinned = deploymentSettings({ ...place })
  const here = { CDK_DEFAULT_ACCOUNT: place.account, CDK_DEFAULT_REGION: place.region }

  test('are those of the stack, which is not deployed to any other', () => {
    expect(targetOf(pinned, here)).toEqual(place)
    expect(targetOf(pinned, { CDK_DEFAULT_REGION: 'us-east-1' })).toEqual(place)
    expect(targetOf(deploymentSettings({}), here)).toEqual({})
  })

  test.each([
    ['aws', 'ap-southeast-4'],
    ['aws-us-gov', 'us-gov-west-1'],
    ['aws-eusc', 'eusc-de-east-1'],
  ])('can be in the partition %s: %s', (partition, region) => {
    const key = `arn:${partition}:kms:${region}:123456789012:key/0a1b`
    const settings = deploymentSettings({ region, playerTokenKeys: ['2', key] })
    expect(targetOf(settings, { CDK_DEFAULT_REGION: region })).toEqual({ region })
  })

  test('are refused with the credentials of another account or for another Region', () => {
    const elsewhere = { CDK_DEFAULT_ACCOUNT: '210987654321', CDK_DEFAULT_REGION: 'us-east-1' }
    const firstLine = 'The settings are not for this account or Region:'
    expect(faultsOf(() => targetOf(pinned, elsewhere), firstLine)).toEqual([
      'account is 123456789012, but the credentials are for the account 210987654321',
      'region is eu-central-1, but AWS_REGION or the profile is for us-east-1',
    ])
    expect(() => targetOf(pinned, { ...here, CDK_DEFAULT_REGION: 'us-east-1' })).toThrow(
      'region is eu-central-1',
    )
  })
})

describe('the resources of the settings, if they are not where the stack is', () => {
  const here = { CDK_DEFAULT_ACCOUNT: '123456789012', CDK_DEFAULT_REGION: 'eu-west-1' }
  const other = { CDK_DEFAULT_ACCOUNT: '210987654321', CDK_DEFAULT_REGION: 'eu-central-1' }
  const topic = 'arn:aws:sns:eu-central-1:123456789012:pager'
  const faultsIn = (settings: object, current: object): string[] =>
    faultsOf(
      () => targetOf(deploymentSettings({ ...settings }), current),
      'The settings name resources that AWS would refuse:',
    )

  test.each([
    ['domain.certificateArn', { domain }],
    ['playerTokenKeys.0', { playerTokenKeys: [retainedKey] }],
    ['userJwtKeys.1', { userJwtKeys: ['2', retainedKey] }],
    ['tableKeyArn', { tableKeyArn: retainedKey }],
    ['indexerSecretArn', { indexerSecretArn: retainedSecret }],
    ['webhooks.secrets.1', { ...webhookSettings, webhooks: { secrets: ['1', retainedSecret] } }],
    ['alarmTopicArn', { alarmTopicArn: topic }],
  ])('in another Region are refused: %s', (path, settings) => {
    const fault = `${path} must be in the Region of the stack, eu-west-1, but is in eu-central-1`
    expect(faultsIn(settings, here)).toEqual([fault])
    expect(faultsIn({ ...settings, region: 'eu-west-1' }, {})).toEqual([fault])
    expect(faultsIn(settings, { ...here, CDK_DEFAULT_REGION: 'eu-central-1' })).toEqual([])
    // Nobody has chosen the Region that the CDK command names then.
    expect(faultsIn(settings, { CDK_DEFAULT_REGION: 'us-east-1' })).toEqual([])
  })

  test.each([
    ['domain.certificateArn', { domain }],
    ['playerTokenKeys.0', { playerTokenKeys: [retainedKey, '1'] }],
    ['edge.domain.certificateArn', { edge: { domain: edge.domain } }],
    ['edge.webAclArn', { edge: { webAclArn: edge.webAclArn } }],
  ])('in another account are refused: %s', (path, settings) => {
    const fault = `${path} must be in the account of the stack, 210987654321, but is in 123456789012`
    expect(faultsIn(settings, other)).toEqual([fault])
    expect(faultsIn({ ...settings, account: '210987654321' }, {})).toEqual([fault])
  })

  test.each([
    ['a key that only verifies', { playerTokenKeys: ['2', retainedKey] }],
    ['a key of the table', { tableKeyArn: retainedKey }],
    ['a secret', { indexerSecretArn: retainedSecret }],
    ['a topic', { alarmTopicArn: topic }],
    ['the role of a login', { loginRoleArn: prodSettings.loginRoleArn }],
  ])('in another account are not refused where AWS permits it: %s', (_, settings) => {
    expect(faultsIn(settings, other)).toEqual([])
  })

  test('D70: a backup is not copied to its own vault', () => {
    const there = { CDK_DEFAULT_ACCOUNT: '210987654321', CDK_DEFAULT_REGION: 'eu-central-1' }
    expect(faultsIn({ backup }, there)).toEqual([
      'backup.copyTo must be another vault than backup.vault of this account',
    ])
    expect(faultsIn({ backup: { ...backup, vault: 'own' } }, there)).toEqual([])
    expect(faultsIn({ backup }, here)).toEqual([])
    expect(faultsIn({ backup }, {})).toEqual([])
  })
})
