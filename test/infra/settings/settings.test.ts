import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { deploymentSettings, InvalidDeploymentSettings } from '../../../infra/settings/settings.ts'
import { notesOn, readDeploymentSettings } from '../../../infra/settings/settings-file.ts'
import { coveredChains } from '../../../lib/domain/nft/chain.ts'
import { newFolder } from '../../support/command-fixture.ts'
import { faultsIn } from '../../support/deployment-faults.ts'
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
    // A secret may have a name with dots.
    { indexerSecretArn: retainedSecret.replace('IndexerKey', 'games...key') },
    // The same NFTs count each time they are allowlisted.
    { allowlistedNftsPerProductAndMinute: 200, nftsPerProduct: 100 },
    // A default is never too large for the limits that are set.
    { registrationsPerHour: 5, nftsPerProduct: 100, indexerCallsPerProductAndDay: 7 },
    { allowlistChains: coveredChains, followedChains: [...coveredChains, ...coveredChains] },
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
    expect(faultsIn({ stage: 'staging', protection: 'prod' })).toEqual(faultsIn({ stage: 'prod' }))
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
    const { indexerCallsPerProductAndMinute } = deploymentSettings({ indexerUnitsPerSecond: 820 })
    expect(indexerCallsPerProductAndMinute).toBe(123)
    const local = deploymentSettings({ stage: 'local' })
    expect(Object.keys(local).filter((name) => name.endsWith('PerProductAndMinute'))).toEqual([])
  })

  test.each<[Record<string, unknown>, string]>([
    [
      { registrationsPerAddressAndHour: 101 },
      'registrationsPerAddressAndHour must be at most registrationsPerHour, which is 100 by default',
    ],
    [
      { registrationsPerHour: 5, registrationsPerAddressAndHour: 6 },
      'registrationsPerAddressAndHour must be at most registrationsPerHour, which is 5',
    ],
    [
      { indexerCallsPerProductAndMinute: 521 },
      'indexerCallsPerProductAndMinute must be at most indexerCallsPerProductAndDay, which is 520 by default',
    ],
    [
      { clientIndexerCallsPerProductAndMinute: 76 },
      'clientIndexerCallsPerProductAndMinute must be at most indexerCallsPerProductAndMinute, which is 75 by default',
    ],
    [
      { indexerCallsPerProductAndDay: 500, clientIndexerCallsPerProductAndDay: 501 },
      'clientIndexerCallsPerProductAndDay must be at most indexerCallsPerProductAndDay, which is 500',
    ],
    [
      { clientIndexerCallsPerProductAndMinute: 30, clientIndexerCallsPerProductAndDay: 29 },
      'clientIndexerCallsPerProductAndMinute must be at most clientIndexerCallsPerProductAndDay, which is 29',
    ],
  ])('D47: %j are refused, because another limit is reached before', (settings, fault) => {
    expect(faultsIn(settings)).toEqual([fault])
  })

  // test/settings/environment.test.ts has the other faults.
  test.each([
    ['bnb-mainnet', '"bnb-mainnet" is not the name of a chain, BSC is'],
    ['MUMBAI', 'MUMBAI was shut down'],
  ])('D56: the chain %s is refused by name', (chain, fault) => {
    const names = coveredChains.toSorted().join(', ')
    const address = `0x${'a'.repeat(40)}`
    const settings = { allowlistChains: ['BSC', chain], serviceToken: `${chain}:${address}:18` }
    expect(faultsIn(settings)).toEqual([
      `allowlistChains.1 must be one of ${names}: ${fault}`,
      `serviceToken must have one of ${names}: ${fault}`,
    ])
  })

  test('production has no defaults for settings that only its operator knows, and one error lists all faults', () => {
    expect(faultsIn({ stage: 'prod', sweepDelaySeconds: 0, colour: 'red' })).toEqual([
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

const dir = newFolder(afterAll)
const file = join(dir, 'settings.json')

/** Reads the settings of a file with this content. */
function read(content: string | Uint8Array) {
  writeFileSync(file, content)
  return readDeploymentSettings(file)
}

const refused = (message: string) => new InvalidDeploymentSettings(message)

describe('the file with the settings of a deployment', () => {
  test('is not necessary: without it, the settings are those of the stage dev', () => {
    expect(readDeploymentSettings(undefined)).toEqual(deploymentSettings({ stage: 'dev' }))
  })

  test('is a JSON object, with or without the byte order mark of UTF-8', () => {
    const text = JSON.stringify(prodSettings)
    expect(read(text)).toEqual(deploymentSettings(prodSettings))
    expect(read(`\uFEFF${text}`)).toEqual(deploymentSettings(prodSettings))
  })

  test.each(['[]', '"prod"', 'null', '7'])('is not %s', (text) => {
    expect(() => read(text)).toThrow(refused(`${file} is not a JSON object`))
  })

  test.each([
    ['{\n  "stage": prod\n}', 'near {   "stage": prod }'],
    ['{\n  "stage": "prod"\n  "issuer": "x"\n}', 'at line 3, column 3'],
    ['\uFEFF{\n  "stage": "prod"\n  "issuer": "x"\n}', 'at line 3, column 3'],
    ['{', 'at line 1, column 2'],
    ['', 'at its end'],
  ])('is refused with the place if it is not JSON: %j', (text, where) => {
    expect(() => read(text)).toThrow(refused(`${file} is not valid JSON ${where}`))
  })

  test('is refused if it is UTF-16, in either order of its bytes', () => {
    const littleEndian = Buffer.from('\uFEFF{}', 'utf16le')
    for (const bytes of [littleEndian, Buffer.from(littleEndian).swap16()]) {
      expect(() => read(bytes)).toThrow(refused(`${file} is UTF-16: save it as UTF-8`))
    }
  })

  test('is refused with every name that an object has twice, however it is escaped', () => {
    const repeated = `
      {
        "stage": "dev", "alarmEmail": "a@studio.example", "stage": "prod", "\\u0073tage": "dev",
        "volumeAlarms": { "writes": 1, "writes": 2, "registrations": 1 },
        "allowlistChains": [{ "a": 1 }, { "a": 1, "a": 2 }], "tags": { "stage": "x", "writes": "x" }
      }`
    expect(() => read(repeated)).toThrow(
      refused(
        [
          `${file} repeats names:`,
          ...['stage', 'volumeAlarms.writes', 'allowlistChains.1.a'].map(
            (name) => `${name} is there more than once: leave one of them`,
          ),
        ].join('\n- '),
      ),
    )
  })

  test('is refused if it does not exist or is a folder', () => {
    const none = join(dir, 'none.json')
    expect(() => readDeploymentSettings(none)).toThrow(refused(`${none} does not exist`))
    expect(() => readDeploymentSettings(dir)).toThrow(refused(`${dir} cannot be read (EISDIR)`))
  })
})

test('D75: a note says that dropAllKeys is for one deployment', () => {
  expect(notesOn(deploymentSettings({ dropAllKeys: true }))).toEqual([
    expect.stringMatching(/^dropAllKeys is true, which is for one deployment: remove it/),
  ])
  expect(notesOn(deploymentSettings({}))).toEqual([])
})
