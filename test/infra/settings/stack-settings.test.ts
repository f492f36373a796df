import { describe, expect, test } from 'vitest'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { usualOperationIds } from '../../support/operations.ts'
import {
  domain,
  edge,
  loginElsewhere,
  loginWithKeySet,
  prodSettings,
  publicKey,
} from '../../support/prod-settings.ts'
import {
  checksOf,
  checksRole,
  environmentOf,
  type Json,
  type ServiceTemplate,
  serviceTemplate,
  withoutStage,
} from '../../support/service-template.ts'

/** What the function that creates player tokens may do with the table. */
const tableActionsOf = ({ all }: ServiceTemplate): string[] =>
  all('AWS::IAM::Role')
    .filter(([id]) => id.startsWith('Functionscreateplayertoken'))
    .flatMap(([, { Properties }]) => Properties.Policies[0].PolicyDocument.Statement)
    .flatMap(({ Action }: Json) => [Action].flat())
    .filter((action: string) => action.startsWith('dynamodb:'))
    .toSorted()

// A stack takes seconds to synthesize, so the tests share a few.
const prod = serviceTemplate(prodSettings)
const dev = serviceTemplate({ ...deploymentSettings(prodSettings), stage: 'dev' })
const customized = serviceTemplate({
  domain,
  edge,
  dashboard: true,
  executeApiEndpoint: false,
  keepData: true,
  registrationOpen: false,
  restoredTable: 'restored',
  reservedConcurrency: { registerProduct: 5, workQueue: 7 },
  indexerUrl: 'https://indexer.example',
  ipfsGateway: 'https://ipfs.example/ipfs/',
  arweaveGateway: 'https://arweave.example/',
  allowlistChains: ['AMOY', 'BSC'],
  sweepDelaySeconds: 120,
  playerTokenKeys: ['2'],
  maintenance: true,
  dropAllKeys: true,
})

describe('the effect of a setting', () => {
  test('the stages differ in their settings only', () => {
    expect(withoutStage(dev, 'dev') === withoutStage(prod, 'prod')).toBe(true)
  })

  test('D22: an external login needs no user JWT key in the stack', () => {
    const template = serviceTemplate(loginElsewhere)
    expect(template.all('AWS::KMS::Key')).toHaveLength(1)
    expect(environmentOf(template, '-get-public-key')).toEqual({
      USER_JWT_PUBLIC_KEYS: `${publicKey},${publicKey}`,
      USER_JWT_ALGORITHM: 'ES256',
    })
    expect(template.outputs).not.toHaveProperty('UserJwtKeyArn')
  })

  test('D40, D41, D42: each function has the settings and the permissions that a login with a key set needs', () => {
    const template = serviceTemplate({
      ...loginWithKeySet,
      loginAlgorithms: ['RS256', 'EdDSA'],
      walletsClaim: 'https://studio.example/wallets',
      walletChains: ['POLYGON', 'BASE'],
      userIds: 'assigned',
      playerTokenIssuers: ['https://nfts.studio.example', 'https://login.example'],
    })
    expect(template.all('AWS::KMS::Key')).toHaveLength(1)
    const keySet = {
      USER_JWT_JWKS_URL: loginWithKeySet.loginJwksUrl,
      USER_JWT_ALGORITHMS: 'RS256,EdDSA',
    }
    const issuers = { PLAYER_TOKEN_ISSUERS: 'https://nfts.studio.example,https://login.example' }
    expect(environmentOf(template, '-get-public-key')).toEqual(keySet)
    expect(environmentOf(template, '-get-key-set')).toMatchObject(keySet)
    expect(environmentOf(template, '-get-player-details')).toMatchObject(issuers)
    expect(environmentOf(template, '-create-player-token')).toMatchObject({
      ...keySet,
      ...issuers,
      WALLETS_CLAIM: 'https://studio.example/wallets',
      WALLET_CHAINS: 'POLYGON,BASE',
      USER_IDS: 'assigned',
    })
    const ofSubjects = ['dynamodb:GetItem', 'dynamodb:UpdateItem']
    expect(tableActionsOf(template).toSorted()).toEqual([...ofSubjects, 'dynamodb:PutItem'].sort())
    expect(tableActionsOf(prod)).toEqual(ofSubjects)
    expect(environmentOf(prod, '-create-player-token')).not.toHaveProperty('PLAYER_TOKEN_ISSUERS')
  })

  test('closed registration requires permission in IAM, and no other route does', () => {
    const authorizations = ({ all }: typeof prod) =>
      Object.fromEntries(
        all('AWS::ApiGatewayV2::Route').map(([, { Properties }]) => [
          Properties.RouteKey,
          Properties.AuthorizationType,
        ]),
      )
    const open = authorizations(prod)
    expect(new Set(Object.values(open))).toEqual(new Set(['NONE']))
    expect(authorizations(customized)).toEqual({
      ...open,
      'POST /api/public/v1/product': 'AWS_IAM',
    })
  })

  test('a domain has a mapping to the API, and an output for its DNS record', () => {
    const { only, outputs } = customized
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

  test('the address of API Gateway can be switched off behind a domain', () => {
    const { DisableExecuteApiEndpoint } = customized.only('AWS::ApiGatewayV2::Api').Properties
    expect(DisableExecuteApiEndpoint).toBe(true)
    expect(customized.outputs['ApiUrl'].Value).toBe(`https://${domain.name}`)
    expect(prod.only('AWS::ApiGatewayV2::Api').Properties.DisableExecuteApiEndpoint).toBe(false)
  })

  test("a restored table replaces the stack's own table, which remains", () => {
    expect(customized.only('AWS::DynamoDB::Table').DeletionPolicy).toBe('RetainExceptOnCreate')
    const texts = ['AWS::Lambda::Function', 'AWS::IAM::Role', 'AWS::CloudWatch::Alarm'].map(
      (type) => JSON.stringify(customized.all(type)),
    )
    for (const text of texts) {
      expect(text).toContain('restored')
      expect(text).not.toContain('"Table710B521B"')
    }
    expect(customized.outputs['TableName'].Value).toBe('restored')
    expect(checksOf(customized)).toMatchObject({ RestoredTable: 'restored', DropAllKeys: 'true' })
    expect(checksOf(prod)).toMatchObject({ RestoredTable: '', DropAllKeys: 'false' })
    expect(checksOf(customized).LeaveTable).toBe('')
    expect(JSON.stringify(checksRole(customized))).toContain('"dynamodb:DescribeTable"')
  })

  test('D76: the checks know which table a deployment may leave', () => {
    const leaving = serviceTemplate({ ...prodSettings, leaveTable: 'restored' })
    expect(checksOf(leaving)).toMatchObject({ RestoredTable: '', LeaveTable: 'restored' })
  })

  test('D44: maintenance stops the background work and every function that uses the table', () => {
    const inMaintenance = ({ all }: typeof prod) =>
      all('AWS::Lambda::Function')
        .filter(([, { Properties }]) => Properties.Environment?.Variables.MAINTENANCE === 'true')
        .map(([, { Properties }]) => Properties.FunctionName)
    const users = customized
      .all('AWS::Lambda::Function')
      .filter(([, { Properties }]) => Properties.Environment?.Variables.TABLE_NAME)
    expect(inMaintenance(customized)).toEqual(users.map((each) => each[1].Properties.FunctionName))
    // All but the public key, the key set and the OpenAPI document, and the worker.
    expect(users).toHaveLength(usualOperationIds.length - 3 + 1)
    expect(inMaintenance(prod)).toEqual([])
    const enabled = ({ only }: typeof prod) =>
      only('AWS::Lambda::EventSourceMapping').Properties.Enabled
    expect([enabled(customized), enabled(prod)]).toEqual([false, undefined])
  })

  test('concurrency is reserved for the functions of the setting', () => {
    const reserved = customized
      .propertiesOf('AWS::Lambda::Function')
      .map((each) => [each.FunctionName, each.ReservedConcurrentExecutions])
    expect(Object.fromEntries(reserved)).toMatchObject({
      'PlayerNfts-dev-register-product': 5,
      'PlayerNfts-dev-work-queue': 7,
      'PlayerNfts-dev-create-player-token': 88,
    })
  })

  test('settings of the functions are in their environment variables', () => {
    expect(environmentOf(prod, '-get-player-details')).toMatchObject({
      SERVICE_TOKEN: prodSettings.serviceToken,
      ISSUER: prodSettings.issuer,
      USER_JWT_AUDIENCE: prodSettings.userJwtAudience,
      PLAYER_TOKEN_AUDIENCE: prodSettings.playerTokenAudience,
    })
    expect(environmentOf(customized, '-get-player-details').INDEXER_URL).toBe(
      'https://indexer.example',
    )
    expect(environmentOf(customized, '-get-structured-metadata')).toMatchObject({
      IPFS_GATEWAY: 'https://ipfs.example/ipfs/',
      ARWEAVE_GATEWAY: 'https://arweave.example/',
    })
    for (const name of ['-allowlist-nfts', '-get-raw-metadata', '-get-structured-metadata']) {
      expect(environmentOf(customized, name).ALLOWLIST_CHAINS).toBe('AMOY,BSC')
    }
    expect(environmentOf(customized, '-unbind-nfts')).not.toHaveProperty('ALLOWLIST_CHAINS')
    expect(environmentOf(customized, '-unbind-contract').SWEEP_DELAY_SECONDS).toBe('120')
  })

  test('D56: an output names the networks of the open chains and of the service token', () => {
    const outputOf = (settings: Record<string, unknown>) =>
      serviceTemplate(settings).outputs['IndexerNetworks'].Value
    expect(outputOf({})).toBe('polygon-mainnet, bnb-mainnet')
    const serviceToken = `BASE:0x${'a'.repeat(40)}:18`
    const allowlistChains = ['ETHEREUM', 'SAIGON']
    expect(outputOf({ allowlistChains, serviceToken })).toBe(
      'eth-mainnet, ronin-saigon, base-mainnet',
    )
  })

  test('the functions apply the defaults of their optional settings themselves', () => {
    const variables = environmentOf(prod, '-get-structured-metadata')
    for (const name of ['IPFS_GATEWAY', 'ARWEAVE_GATEWAY', 'INDEXER_URL']) {
      expect(variables).not.toHaveProperty(name)
    }
  })
})
