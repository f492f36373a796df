import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { BadSettings, readSettings, settingsFrom } from '../../infra/settings.ts'
import { type Json, prodSettings, serviceTemplate } from '../support/service-template.ts'

const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  .publicKey.export({ format: 'der', type: 'spki' })
  .toString('base64')

const { loginRoleArn: _, ...withoutLogin } = prodSettings
const elsewhere = { ...withoutLogin, loginPublicKeys: [publicKey] }
const domain = {
  name: 'nfts.studio.example',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b',
}

const environmentOf = ({ all }: ReturnType<typeof serviceTemplate>, name: string): Json =>
  all('AWS::Lambda::Function').find(([, { Properties }]) =>
    Properties.FunctionName.endsWith(name),
  )?.[1].Properties.Environment.Variables

describe('the settings of a deployment', () => {
  test('without any the stage dev is deployed', () => {
    expect(settingsFrom({})).toEqual(settingsFrom({ stage: 'dev' }))
  })

  test.each<Record<string, unknown>>([
    prodSettings,
    elsewhere,
    { ...prodSettings, domain },
    { allowlistChains: ['AMOY'] },
    { playerTokenKeys: ['2026-11', '2025-11'] },
    { registrationOpen: false, reservedConcurrency: { registerProduct: 5 } },
    { accountConcurrency: 10, indexerUnitsPerSecond: 10_000 },
  ])('%j are taken', (settings) => {
    expect(() => settingsFrom(settings)).not.toThrow()
  })

  test.each<[Record<string, unknown>, string]>([
    [{ stage: 'staging' }, 'stage must be one of dev, prod'],
    [{ issuer: ' ' }, 'issuer must not be empty'],
    [{ issuer: 7 }, 'issuer Invalid type: Expected string but received 7'],
    [
      { playerTokenAudience: 'player-nfts-dev-platform' },
      'playerTokenAudience must differ from userJwtAudience',
    ],
    [{ serviceToken: 'MUMBAI:0x12:18' }, 'serviceToken must be <CHAIN>:<address>:<decimals>'],
    [{ allowlistChains: [] }, 'allowlistChains must name a chain'],
    [
      { allowlistChains: ['polygon'] },
      'allowlistChains.0 must be one of AMOY, BSC, BSC_TESTNET, MUMBAI, POLYGON',
    ],
    [{ loginRoleArn: 'login' }, 'loginRoleArn must be the ARN of a iam role'],
    [
      { loginRoleArn: prodSettings.loginRoleArn, loginPublicKeys: [publicKey] },
      'loginRoleArn and loginPublicKeys must not both be set',
    ],
    [
      { loginPublicKeys: [publicKey], loginAlgorithm: 'RS256' },
      'loginPublicKeys must be public keys for RS256, as base64 of DER SubjectPublicKeyInfo',
    ],
    [
      { loginAlgorithm: 'RS256' },
      'loginAlgorithm must be ES256 without loginPublicKeys: KMS signs with that',
    ],
    [{ playerTokenKeys: [] }, 'playerTokenKeys must name at least one key'],
    [{ userJwtKeys: ['1', '1'] }, 'userJwtKeys must not name a key twice'],
    [{ userJwtKeys: ['November'] }, 'userJwtKeys.0 must be 1 to 32 of a-z, 0-9 and "-"'],
    [{ registrationOpen: 'no' }, 'registrationOpen must be true or false'],
    [
      { domain: { name: 'x.example', certificateArn: 'x' } },
      'domain.certificateArn must be the ARN of a acm certificate',
    ],
    [{ alarmEmail: 'operations' }, 'alarmEmail must be an e-mail address'],
    [{ accountConcurrency: 0 }, 'accountConcurrency must be a whole number from 10 to 1000000'],
    [
      { reservedConcurrency: { workQueue: 901 } },
      'reservedConcurrency must leave 100 of accountConcurrency',
    ],
    [{ reservedConcurrency: { nothing: 1 } }, 'reservedConcurrency.nothing is not a function'],
    [{ sweepDelaySeconds: 901 }, 'sweepDelaySeconds must be a whole number from 1 to 900'],
    [{ logRetentionDays: 10 }, 'logRetentionDays must be one of 1, 3, 5, 7,'],
    [{ indexerUrl: 'localhost' }, 'indexerUrl must be a URL'],
    [{ retainData: true }, 'retainData is not a setting'],
  ])('%j are refused with a sentence that names the setting', (settings, message) => {
    expect(() => settingsFrom(settings)).toThrow(BadSettings)
    expect(() => settingsFrom(settings)).toThrow(`The settings cannot be deployed:\n- ${message}`)
  })

  test('production has no defaults for what only its operator knows; all of it is named at once', () => {
    expect(() => settingsFrom({ stage: 'prod', colour: 'red' })).toThrow(
      [
        'The settings cannot be deployed:',
        'alarmEmail must be set',
        'loginRoleArn or loginPublicKeys must be set',
        'issuer must be set',
        'userJwtAudience must be set',
        'playerTokenAudience must be set',
        'serviceToken must be set',
        'colour is not a setting',
      ].join('\n- '),
    )
  })

  test('are read from a JSON file, and a file that is none is named', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'player-nfts-settings-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    const file = join(dir, 'settings.json')
    writeFileSync(file, JSON.stringify(prodSettings))
    expect(readSettings(file)).toEqual(settingsFrom(prodSettings))
    for (const text of ['{', '[]', '"prod"']) {
      writeFileSync(file, text)
      expect(() => readSettings(file)).toThrow(`${file} cannot be read as a JSON object`)
    }
    expect(() => readSettings(join(dir, 'none.json'))).toThrow(/none\.json cannot be read/)
  })
})

/** The templates of both stages with the same settings, each stage's name taken out. */
const templates = ['dev', 'prod'].map((stage) =>
  JSON.stringify(serviceTemplate({ ...settingsFrom(prodSettings), stage }).resources).replaceAll(
    new RegExp(`\\b${stage}\\b`, 'g'),
    '<stage>',
  ),
)

describe('what a setting changes', () => {
  test('the stages differ in their settings only', () => {
    expect(templates[0] === templates[1]).toBe(true)
  })

  test('D22: a login that lives elsewhere needs no key in the stack', () => {
    const template = serviceTemplate(elsewhere)
    expect(template.all('AWS::KMS::Key')).toHaveLength(1)
    expect(environmentOf(template, '-get-public-key')).toEqual({
      USER_JWT_PUBLIC_KEYS: publicKey,
      USER_JWT_ALGORITHM: 'ES256',
    })
    expect(template.outputs).not.toHaveProperty('UserJwtKeyArn')
  })

  test('closed registration is open to callers that IAM lets in, and nothing else changes', () => {
    const authorizations = (registrationOpen: boolean) =>
      Object.fromEntries(
        serviceTemplate({ registrationOpen })
          .all('AWS::ApiGatewayV2::Route')
          .map(([, { Properties }]) => [Properties.RouteKey, Properties.AuthorizationType]),
      )
    const open = authorizations(true)
    expect(new Set(Object.values(open))).toEqual(new Set(['NONE']))
    expect(authorizations(false)).toEqual({ ...open, 'POST /api/public/v1/product': 'AWS_IAM' })
  })

  test('a domain gets a mapping to the API, and says where its DNS record points', () => {
    const { only, outputs } = serviceTemplate({ domain })
    expect(only('AWS::ApiGatewayV2::DomainName').Properties).toMatchObject({
      DomainName: domain.name,
      DomainNameConfigurations: [
        {
          CertificateArn: domain.certificateArn,
          EndpointType: 'REGIONAL',
          SecurityPolicy: 'TLS_1_2',
        },
      ],
    })
    expect(only('AWS::ApiGatewayV2::ApiMapping').Properties.Stage).toBeDefined()
    expect(outputs).toHaveProperty('DomainTarget')
  })

  test('a restored table takes the place of the own one, which stays', () => {
    const template = serviceTemplate({ ...prodSettings, restoredTable: 'restored' })
    expect(template.only('AWS::DynamoDB::Table').DeletionPolicy).toBe('Retain')
    const texts = ['AWS::Lambda::Function', 'AWS::IAM::Role', 'AWS::CloudWatch::Alarm'].map(
      (type) => JSON.stringify(template.all(type)),
    )
    for (const text of texts) {
      expect(text).toContain('restored')
      expect(text).not.toContain('"Table710B521B"')
    }
    expect(template.outputs['TableName'].Value).toBe('restored')
  })

  test('alarms are mailed', () => {
    expect(serviceTemplate(prodSettings).only('AWS::SNS::Subscription').Properties).toMatchObject({
      Protocol: 'email',
      Endpoint: prodSettings.alarmEmail,
    })
    expect(serviceTemplate().all('AWS::SNS::Subscription')).toEqual([])
  })

  test('concurrency is reserved for the functions that are named', () => {
    const { all } = serviceTemplate({ reservedConcurrency: { registerProduct: 5, workQueue: 7 } })
    const reserved = all('AWS::Lambda::Function').flatMap(([, { Properties }]) =>
      Properties.ReservedConcurrentExecutions === undefined
        ? []
        : [[Properties.FunctionName, Properties.ReservedConcurrentExecutions]],
    )
    expect(reserved).toEqual([
      ['PlayerNfts-dev-register-product', 5],
      ['PlayerNfts-dev-work-queue', 7],
    ])
  })

  test('what functions read is in the variables that lib/settings/environment.ts knows', () => {
    const template = serviceTemplate({
      ...prodSettings,
      indexerUrl: 'https://indexer.example',
      ipfsGateway: 'https://ipfs.example/ipfs/',
      arweaveGateway: 'https://arweave.example/',
      allowlistChains: ['AMOY', 'BSC'],
      sweepDelaySeconds: 120,
    })
    expect(environmentOf(template, '-get-player-details')).toMatchObject({
      SERVICE_TOKEN: prodSettings.serviceToken,
      INDEXER_URL: 'https://indexer.example',
      ISSUER: prodSettings.issuer,
      USER_JWT_AUDIENCE: prodSettings.userJwtAudience,
      PLAYER_TOKEN_AUDIENCE: prodSettings.playerTokenAudience,
    })
    expect(environmentOf(template, '-get-structured-metadata')).toMatchObject({
      IPFS_GATEWAY: 'https://ipfs.example/ipfs/',
      ARWEAVE_GATEWAY: 'https://arweave.example/',
    })
    expect(environmentOf(template, '-allowlist-nfts').ALLOWLIST_CHAINS).toBe('AMOY,BSC')
    expect(environmentOf(template, '-unbind-contract').SWEEP_DELAY_SECONDS).toBe('120')
  })
})

describe('key rotation', () => {
  const keysIn = (settings: Record<string, unknown>) => {
    const template = serviceTemplate(settings)
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

  test('a key keeps its identity through every step; only its place changes', () => {
    const steps = [['1'], ['1', '2'], ['2', '1'], ['2']].map((playerTokenKeys) =>
      keysIn({ playerTokenKeys }),
    )
    const [one] = steps[0]?.ids ?? []
    const [two] = steps[3]?.ids ?? []
    expect(one).not.toBe(two)
    expect(steps.map(({ order }) => order)).toEqual([[one], [one, two], [two, one], [two]])
    expect(steps.map(({ ids }) => new Set(ids))).toEqual(steps.map(({ order }) => new Set(order)))
    expect(steps.map(({ signing }) => signing)).toEqual([one, one, two, two])
  })
})
