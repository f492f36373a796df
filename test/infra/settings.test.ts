import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  deploymentSettings,
  InvalidDeploymentSettings,
  readDeploymentSettings,
} from '../../infra/settings.ts'
import {
  domain,
  edge,
  loginElsewhere,
  loginWithKeySet,
  prodSettings,
  publicKey,
} from '../support/prod-settings.ts'

const { loginJwksUrl } = loginWithKeySet

describe('the settings of a deployment', () => {
  test('without a file, the settings are those of the stage dev', () => {
    expect(readDeploymentSettings(undefined)).toEqual(deploymentSettings({ stage: 'dev' }))
  })

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
  ])('%j are valid', (settings) => {
    expect(deploymentSettings(settings)).toMatchObject(settings)
  })

  test.each<[Record<string, unknown>, string]>([
    [{ stage: 'staging' }, 'stage must be one of dev, prod, local'],
    [{ issuer: ' ' }, 'issuer must not be empty'],
    [{ issuer: 7 }, 'issuer must be text'],
    [{ issuer: null }, 'issuer must be text'],
    [
      { playerTokenAudience: 'player-nfts-dev-platform' },
      'playerTokenAudience must differ from userJwtAudience',
    ],
    [
      { serviceToken: 'MUMBAI:0x12:18' },
      'serviceToken must be <CHAIN>:<address>:<decimals> or <CHAIN>:<address>:<decimals>:<symbol>, with 0 to 77 decimals',
    ],
    [{ allowlistChains: [] }, 'allowlistChains must name a chain'],
    [{ loginRoleArn: 'login' }, 'loginRoleArn must be the ARN of an IAM role'],
    [
      { loginRoleArn: prodSettings.loginRoleArn, loginPublicKeys: [publicKey] },
      'loginRoleArn and loginPublicKeys must not both be set',
    ],
    [
      { loginPublicKeys: [publicKey], loginAlgorithm: 'RS256' },
      'loginPublicKeys must be public keys for RS256 (loginAlgorithm) of 2048 to 8192 bits, with an odd exponent over 1, each as the base64 of its DER SubjectPublicKeyInfo',
    ],
    [
      { loginAlgorithm: 'RS256' },
      'loginAlgorithm must be ES256 without loginPublicKeys, because KMS signs with ES256',
    ],
    [
      { loginJwksUrl: 'http://login.example/jwks.json' },
      'loginJwksUrl must be an https URL, because anybody on the way could replace the keys',
    ],
    [
      { loginRoleArn: prodSettings.loginRoleArn, loginJwksUrl },
      'loginRoleArn and loginJwksUrl must not both be set',
    ],
    [
      { loginPublicKeys: [publicKey], loginJwksUrl },
      'loginPublicKeys and loginJwksUrl must not both be set',
    ],
    [
      { loginJwksUrl, loginAlgorithms: ['RS256', 'HS256'] },
      'loginAlgorithms.1 must be one of ES256, ES384, ES512, RS256, RS384, RS512, PS256, PS384, PS512, EdDSA',
    ],
    [
      { loginJwksUrl, loginAlgorithm: 'RS256' },
      'loginAlgorithm must not be set with loginJwksUrl, which has loginAlgorithms',
    ],
    [{ loginAlgorithms: ['RS256'] }, 'loginAlgorithms must be left out without loginJwksUrl'],
    [{ userIds: 'random' }, 'userIds must be one of subject, assigned'],
    [{ playerTokenKeys: [] }, 'playerTokenKeys must name at least one key'],
    [{ userJwtKeys: ['1', '1'] }, 'userJwtKeys must not name a key twice'],
    [
      { userJwtKeys: ['November'] },
      'userJwtKeys.0 must be 1 to 32 of a-z, 0-9 and "-", or the ARN of a KMS key',
    ],
    [
      { playerTokenKeys: ['1', 'arn:aws:kms:eu-central-1:123456789012:alias/key'] },
      'playerTokenKeys.1 must be 1 to 32 of a-z, 0-9 and "-", or the ARN of a KMS key',
    ],
    [
      { restoredTable: 'arn:aws:dynamodb:eu-central-1:123456789012:table/restored' },
      'restoredTable must be the name of a table, such as "player-nfts-restored", not its ARN (3 to 255 of a-z, A-Z, 0-9, "_", "." and "-")',
    ],
    [
      { awsEndpointUrl: 'http://127.0.0.1:4566' },
      'awsEndpointUrl must not be set except in the stage local',
    ],
    [{ stage: 'local', domain }, 'domain must not be set in the stage local'],
    [{ maintenance: 'yes' }, 'maintenance must be true or false'],
    [{ registrationOpen: 'no' }, 'registrationOpen must be true or false'],
    [{ domain: { name: 'x.example' } }, 'domain.certificateArn must be set'],
    [
      { domain: { name: 'x.example', certificateArn: 'x' } },
      'domain.certificateArn must be the ARN of an ACM certificate',
    ],
    [{ domain: { ...domain, zone: 'example' } }, 'domain.zone is not a setting'],
    [
      { executeApiEndpoint: false },
      'executeApiEndpoint must not be false without domain, because the API had no address',
    ],
    [{ stage: 'local', edge: {} }, 'edge must not be set in the stage local'],
    [
      { edge: true },
      'edge must be an object with "domain", "webAclArn", "priceClass" and "secrets", all of them optional',
    ],
    [
      { dashboard: true },
      'dashboard needs edge, for example "edge": {}, because CloudFront serves its files',
    ],
    [{ edge: {}, dashboard: 'on' }, 'dashboard must be true or false'],
    [
      { edge: { domain } },
      'edge.domain.certificateArn must be a certificate in us-east-1, because CloudFront uses no other Region',
    ],
    [
      { domain, edge: { domain: { ...edge.domain, name: domain.name } } },
      'edge.domain must differ from domain, which is the address of the API behind CloudFront',
    ],
    ...[
      'arn:aws:wafv2:eu-central-1:123456789012:regional/webacl/games/a1b2c3d4-5678-90ab-cdef-111122223333',
      'arn:aws:wafv2:us-east-1:123456789012:regional/webacl/games/a1b2c3d4-5678-90ab-cdef-111122223333',
      'arn:aws:waf::123456789012:webacl/a1b2c3d4-5678-90ab-cdef-111122223333',
      'games',
    ].map((webAclArn): [Record<string, unknown>, string] => [
      { edge: { webAclArn } },
      'edge.webAclArn must be the ARN of a web ACL of AWS WAF with the scope CLOUDFRONT, which is in us-east-1',
    ]),
    [{ edge: { priceClass: 100 } }, 'edge.priceClass must be one of 100, 200, all'],
    [{ edge: { secrets: [] } }, 'edge.secrets must name at least one secret'],
    [{ edge: { secrets: ['1', '1'] } }, 'edge.secrets must not name a secret twice'],
    [{ edge: { secrets: ['A'] } }, 'edge.secrets.0 must be 1 to 32 of a-z, 0-9 and "-"'],
    [{ edge: { log: true } }, 'edge.log is not a setting'],
    [{ alarmEmail: 'operations' }, 'alarmEmail must be an email address'],
    [{ alarmTopicArn: 'pager' }, 'alarmTopicArn must be the ARN of an SNS topic'],
    [{ alarmUrl: 'http://pager.example/' }, 'alarmUrl must be an https URL'],
    [{ silenceAlarmMinutes: 7 }, 'silenceAlarmMinutes must be a multiple of 5'],
    [{ accountConcurrency: 0 }, 'accountConcurrency must be a whole number from 10 to 1000000'],
    [
      { reservedConcurrency: { workQueue: 901 } },
      'reservedConcurrency must leave 100 of accountConcurrency',
    ],
    [{ reservedConcurrency: { nothing: 1 } }, 'reservedConcurrency.nothing is not a function'],
    [
      { reservedConcurrency: { workQueue: 0 } },
      'reservedConcurrency.workQueue must be a whole number from 1 to 10000',
    ],
    [
      { reservedConcurrency: 'all' },
      'reservedConcurrency must be an object with a number or null for each function, or "none"',
    ],
    [
      { volumeAlarms: { writes: 0 } },
      'volumeAlarms.writes must be a whole number from 1 to 1000000000',
    ],
    [{ volumeAlarms: { logins: 1 } }, 'volumeAlarms.logins is not a setting'],
    [{ sweepDelaySeconds: 901 }, 'sweepDelaySeconds must be a whole number from 1 to 900'],
    [
      { logRetentionDays: 10 },
      'logRetentionDays must be one of 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1827, 3653',
    ],
    [{ indexerUrl: 'localhost' }, 'indexerUrl must be a URL'],
    [{ retainData: true }, 'retainData is not a setting'],
  ])('%j are rejected with a line that names the setting', (settings, message) => {
    expect(() => deploymentSettings(settings)).toThrow(
      new InvalidDeploymentSettings(`The settings cannot be deployed:\n- ${message}`),
    )
  })

  test('D47: a product has a quarter of the plan, and its games without an API key have a half of that', () => {
    expect(deploymentSettings({ stage: 'dev' })).toMatchObject({
      indexerCallsPerProductAndMinute: 75,
      indexerCallsPerProductAndDay: 520,
      clientIndexerCallsPerProductAndMinute: 37,
      clientIndexerCallsPerProductAndDay: 260,
    })
    const own = { indexerCallsPerProductAndMinute: 1_000, clientIndexerCallsPerProductAndDay: 7 }
    expect(deploymentSettings({ stage: 'dev', ...own })).toMatchObject({
      ...own,
      indexerCallsPerProductAndDay: 520,
      clientIndexerCallsPerProductAndMinute: 500,
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
      'loginRoleArn, loginPublicKeys or loginJwksUrl must be set',
      'playerTokenAudience must be set',
      'registrationOpen must be set: with true, anybody can register products, which the limits of registrations bound; with false, only callers with an IAM permission in your account can',
      'serviceToken must be set',
      'sweepDelaySeconds must be a whole number from 1 to 900',
      'userJwtAudience must be set',
    ])
  })

  test('a JSON file contains the settings, and the error names a file that is not a JSON object', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'player-nfts-settings-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const file = join(dir, 'settings.json')
    writeFileSync(file, JSON.stringify(prodSettings))
    expect(readDeploymentSettings(file)).toEqual(deploymentSettings(prodSettings))
    for (const text of ['[]', '"prod"', 'null']) {
      writeFileSync(file, text)
      expect(() => readDeploymentSettings(file)).toThrow(
        new InvalidDeploymentSettings(`${file} is not a JSON object`),
      )
    }
    writeFileSync(file, '{')
    expect(() => readDeploymentSettings(file)).toThrow(`${file} cannot be read as a JSON object: `)
    expect(() => readDeploymentSettings(join(dir, 'none.json'))).toThrow(
      /none\.json cannot be read/,
    )
  })
})

/** The lines of the error after the first line, in alphabetical order. */
function faultsOf(read: () => unknown): string[] {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidDeploymentSettings)
    const [heading, ...faults] = (error as Error).message.split('\n- ')
    expect(heading).toBe('The settings cannot be deployed:')
    return faults.toSorted()
  }
  return []
}
