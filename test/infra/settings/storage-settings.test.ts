import { describe, expect, test } from 'vitest'
import { backup, prodSettings, retainedKey, retainedSecret } from '../../support/prod-settings.ts'
import {
  checksOf,
  checksRole,
  environmentOf,
  type Json,
  serviceTemplate,
} from '../../support/service-template.ts'

const otherKey = retainedKey.replace('0a1b', '4e5f')

// A removed stack that is made again: every resource that remained is taken back.
const again = {
  ...prodSettings,
  restoredTable: 'retained',
  playerTokenKeys: [retainedKey],
  userJwtKeys: [otherKey],
  indexerSecretArn: retainedSecret,
}

describe('D70: the key of the table', () => {
  const ofTable = (template: Json) =>
    template.only('AWS::DynamoDB::Table').Properties.SSESpecification
  const own = serviceTemplate({ ...prodSettings, tableKeyArn: retainedKey })

  test('is that of DynamoDB, or a key of the account', () => {
    expect(ofTable(serviceTemplate(prodSettings))).toEqual({ SSEEnabled: false })
    expect(ofTable(own)).toEqual({ SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: retainedKey })
  })

  test('can be used, through DynamoDB only, by every function that uses the table', () => {
    const statements = ({ all }: typeof own) =>
      all('AWS::IAM::Role').map(([, { Properties }]): Json[] =>
        Properties.Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement),
      )
    const usesTable = (each: Json[]) => JSON.stringify(each).includes('"dynamodb:')
    const ofKey = (each: Json[]) => each.filter(({ Resource }) => Resource === retainedKey)
    const roles = statements(own)
    expect(roles.filter(usesTable).length).toBeGreaterThan(20)
    for (const role of roles) expect(ofKey(role)).toHaveLength(usesTable(role) ? 1 : 0)
    const [statement] = roles.flatMap(ofKey)
    const region = { Ref: 'AWS::Region' }
    // In eusc-de-east-1, for example, AWS::URLSuffix is amazonaws.eu.
    expect(statement.Condition).toEqual({
      StringEquals: {
        'kms:ViaService': [
          { 'Fn::Join': ['', ['dynamodb.', region, '.amazonaws.com']] },
          { 'Fn::Join': ['', ['dynamodb.', region, '.', { Ref: 'AWS::URLSuffix' }]] },
        ],
      },
    })
    expect(statement.Action).not.toContain('kms:CreateGrant')
  })
})

describe('D70: a backup in another account', () => {
  const template = serviceTemplate({ ...prodSettings, backup: { ...backup, keepDays: 7 } })

  test('is made each day, copied, and kept for as long as its copy', () => {
    const { BackupPlan } = template.only('AWS::Backup::BackupPlan').Properties
    expect(BackupPlan.BackupPlanRule).toEqual([
      {
        RuleName: 'daily',
        TargetBackupVault: backup.vault,
        ScheduleExpression: 'cron(0 3 * * ? *)',
        Lifecycle: { DeleteAfterDays: 7 },
        CopyActions: [
          { DestinationBackupVaultArn: backup.copyTo, Lifecycle: { DeleteAfterDays: 7 } },
        ],
      },
    ])
  })

  test('is of the table that the functions use', () => {
    const resourcesOf = ({ only }: typeof template) =>
      only('AWS::Backup::BackupSelection').Properties.BackupSelection.Resources
    expect(resourcesOf(template)).toEqual([{ 'Fn::GetAtt': ['Table710B521B', 'Arn'] }])
    expect(JSON.stringify(resourcesOf(serviceTemplate({ ...again, backup })))).toContain(
      ':table/retained"',
    )
  })

  test('is not in a stack without the setting', () => {
    const types = Object.values(serviceTemplate(prodSettings).resources).map(({ Type }) => Type)
    expect(types.filter((type) => type.startsWith('AWS::Backup'))).toEqual([])
  })
})

describe('D70: a removed stack that is made again', () => {
  const template = serviceTemplate(again)

  test('has no key and no secret of the indexer of its own, and an empty table that no function uses', () => {
    expect(template.all('AWS::KMS::Key')).toEqual([])
    const secrets = template.all('AWS::SecretsManager::Secret').map(([id]) => id)
    expect(secrets).toEqual([expect.stringMatching(/^PlayerDigest/)])
    const roles = JSON.stringify(template.all('AWS::IAM::Role'))
    expect(roles).toContain(':table/retained"')
    expect(roles).not.toContain('Table710B521B')
  })

  test('uses the keys and the secret that remained', () => {
    expect(environmentOf(template, '-create-player-token')).toMatchObject({
      PLAYER_TOKEN_KEY_ARNS: retainedKey,
      USER_JWT_KEY_ARNS: otherKey,
    })
    const withSecret = environmentOf(template, '-get-player-details')
    expect(withSecret.INDEXER_SECRET_ARN).toBe(retainedSecret)
    expect(template.outputs['IndexerSecretArn'].Value).toBe(retainedSecret)
  })

  test('has a role that signs with the name that the policies of the keys have', () => {
    const names = ({ all }: typeof template) =>
      all('AWS::IAM::Role').flatMap(([, { Properties }]) => Properties.RoleName ?? [])
    expect(names(template)).toEqual(names(serviceTemplate(prodSettings)))
  })

  test('is deployed only if all of them exist', () => {
    expect(checksOf(template)).toMatchObject({
      ImportedKeys: [retainedKey, otherKey],
      RestoredTable: 'retained',
      IndexerSecret: retainedSecret,
    })
    expect(JSON.stringify(checksRole(template))).toContain('"secretsmanager:DescribeSecret"')
    expect(checksOf(serviceTemplate(prodSettings)).IndexerSecret).toBe('')
  })
})
