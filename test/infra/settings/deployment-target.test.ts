import { describe, expect, test } from 'vitest'
import { settingsFileIn, targetOf } from '../../../infra/settings/deployment-target.ts'
import { deploymentSettings, InvalidDeploymentSettings } from '../../../infra/settings/settings.ts'

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
    expect(() => targetOf(pinned, elsewhere)).toThrow(
      new InvalidDeploymentSettings(
        `The settings are not for this account or Region:
- account is 123456789012, but the credentials are for the account 210987654321
- region is eu-central-1, but AWS_REGION or the profile is for us-east-1`,
      ),
    )
    expect(() => targetOf(pinned, { ...here, CDK_DEFAULT_REGION: 'us-east-1' })).toThrow(
      'region is eu-central-1',
    )
  })
})
