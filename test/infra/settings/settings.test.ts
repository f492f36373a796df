import { describe, expect, test } from 'vitest'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { faultsOf } from '../../support/deployment-faults.ts'
import {
  backup,
  domain,
  edge,
  loginElsewhere,
  loginWithKeySet,
  prodSettings,
  retainedKey,
  retainedSecret,
} from '../../support/prod-settings.ts'

describe('the settings of a deployment', () => {
  test.each<Record<string, unknown>>([
    prodSettings,
    loginElsewhere,
    loginWithKeySet,
    { ...loginWithKeySet, userIds: 'assigned', walletsClaim: 'https://studio.example/wallets' },
    { ...prodSettings, domain },
    { ...prodSettings, domain, executeApiEndpoint: false, edge },
    { edge: { priceClass: 'all', secrets: ['1'] } },
    { playerTokenIssuers: ['https://nfts.studio.example', 'player-nfts-dev'] },
    { allowlistChains: ['AMOY'] },
    { playerTokenKeys: ['2026-11', '2025-11'] },
    { registrationOpen: false, reservedConcurrency: { registerProduct: 5, getOpenapi: null } },
    { ...prodSettings, registrationOpen: false, reservedConcurrency: 'none' },
    { accountConcurrency: 10, indexerUnitsPerSecond: 10_000 },
    { stage: 'ada', protection: 'dev' },
    { ...prodSettings, stage: 'staging', protection: 'prod', account: '123456789012' },
    { stage: 'local', sweepDelaySeconds: 1 },
    { tags: { 'cost-center': 'games' }, memoryMegabytes: 512, logGroupPrefix: '/games/nfts' },
    { backup, indexerSecretArn: retainedSecret, tableKeyArn: retainedKey },
  ])('%j are valid', (settings) => {
    expect(deploymentSettings(settings)).toMatchObject(settings)
  })

  test('D68: a stage with a name of its own has the defaults of its protection, and tokens of its own', () => {
    const { stage, issuer, userJwtAudience, playerTokenAudience, ...ada } = deploymentSettings({
      stage: 'ada',
      protection: 'dev',
    })
    expect(deploymentSettings({})).toMatchObject(ada)
    expect([stage, issuer, userJwtAudience, playerTokenAudience]).toEqual([
      ...['ada', 'player-nfts-ada', 'player-nfts-ada-platform', 'player-nfts-ada-games'],
    ])
    const staging = { ...prodSettings, stage: 'staging', protection: 'prod' }
    expect({ ...deploymentSettings(staging), stage: 'prod' }).toEqual(
      deploymentSettings(prodSettings),
    )
    expect(faultsOf(() => deploymentSettings({ stage: 'staging', protection: 'prod' }))).toEqual(
      faultsOf(() => deploymentSettings({ stage: 'prod' })),
    )
  })

  test('D47: a product has a quarter of the plan, and its games without an API key have a half of that', () => {
    expect(deploymentSettings({ stage: 'dev' })).toMatchObject({
      indexerCallsPerProductAndMinute: 75,
      indexerCallsPerProductAndDay: 520,
      clientIndexerCallsPerProductAndMinute: 37,
      clientIndexerCallsPerProductAndDay: 260,
    })
    const own = { indexerCallsPerProductAndMinute: 500, clientIndexerCallsPerProductAndDay: 7 }
    expect(deploymentSettings({ stage: 'dev', ...own })).toMatchObject({
      ...own,
      indexerCallsPerProductAndDay: 520,
      clientIndexerCallsPerProductAndMinute: 250,
    })
    const local = deploymentSettings({ stage: 'local' })
    expect(Object.keys(local).filter((name) => name.endsWith('PerProductAndMinute'))).toEqual([])
  })

  test('production has no defaults for settings that only its operator knows, and one error lists all faults', () => {
    const read = () => deploymentSettings({ stage: 'prod', sweepDelaySeconds: 0, colour: 'red' })
    expect(faultsOf(read)).toEqual([
      'alarmEmail, alarmTopicArn or alarmUrl must be set',
      'colour is not a setting',
      'issuer must be set',
      'loginRoleArn, loginPublicKeys, loginJwksUrl, logins or walletSignIn must be set',
      'playerTokenAudience must be set',
      'registrationOpen must be set: with true, anybody can register products, which the limits of registrations bound; with false, only callers with an IAM permission in your account can',
      'serviceToken must be set',
      'sweepDelaySeconds must be a whole number from 1 to 900',
      'userJwtAudience must be set',
    ])
  })
})
