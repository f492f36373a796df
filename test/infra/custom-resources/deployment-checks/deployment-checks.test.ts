import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { CheckedProperties } from '../../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { loginPublicKey, startTestAws } from '../../../support/aws/test-aws.ts'
import {
  create,
  one,
  request,
  stackIn,
  three,
  two,
  update,
  version,
} from '../../../support/check-requests.ts'

const aws = await startTestAws()
const { access, resources, interfere } = aws

const deployed = resources.playerTokenKeyArn
const success = { Status: 'SUCCESS', Reason: '' }

beforeEach(() => interfere(stackIn('UPDATE_IN_PROGRESS')))

describe('D43: a deployment that drops all keys of a kind at once', () => {
  const keysOf = (...playerTokens: string[]) => version({ playerTokens })

  test.each([
    ['player tokens', keysOf(one), keysOf(two, three), one],
    ['user JWTs', version({ userJwts: [one, two] }), version({ userJwts: [three] }), one],
    ['user JWTs', version({ userJwts: [one] }), version({ userJwts: ['a public key'] }), one],
  ])('is refused for %s, and the reason names the keys', async (kind, before, after, key) => {
    const { Status, Reason, PhysicalResourceId } = await update(before, after)
    expect(Status).toBe('FAILED')
    expect(Reason).toContain(`none of the keys of ${kind} that are accepted now (${key}`)
    expect(Reason).toContain('"dropAllKeys": true')
    expect(PhysicalResourceId).toBe('before')
  })

  test('is refused in an update from a version without the checks, which has an alias', async () => {
    const { Status, Reason } = await create(keysOf(one))
    expect(Status).toBe('FAILED')
    expect(Reason).toContain(deployed.split('/')[1])
    expect(await create(keysOf(one, deployed))).toMatchObject(success)
  })
})

describe('a key that the stack has not created', () => {
  const importing = (arn: string, more: Partial<CheckedProperties> = {}) =>
    create(version({ playerTokens: [deployed, arn] }, { ImportedKeys: [arn], ...more }))

  test('is accepted if it is a P-256 signing key', async () => {
    expect(await importing(resources.userJwtKeyArn)).toMatchObject(success)
  })

  test('is refused if it does not exist', async () => {
    const arn = `${deployed.slice(0, -1)}x`
    const { Status, Reason } = await importing(arn)
    expect([Status, Reason]).toEqual([
      'FAILED',
      `The key ${arn} cannot be used: KMS says "Key '${arn}' does not exist".`,
    ])
  })

  test.each([
    [{ KeySpec: 'RSA_2048' }, 'it is a key of RSA_2048 to SIGN_VERIFY, not of ECC_NIST_P256'],
    [{ KeyUsage: 'KEY_AGREEMENT' }, 'it is a key of ECC_NIST_P256 to KEY_AGREEMENT, not of'],
    [{ KeyState: 'PendingDeletion' }, 'it is pending deletion (aws kms cancel-key-deletion, then'],
    [{ KeyState: 'Disabled' }, 'its state is Disabled, not Enabled'],
  ])('is refused if it is %j', async (metadata, reason) => {
    const usable = { KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY', KeyState: 'Enabled' }
    const body = { KeyMetadata: { ...usable, ...metadata } }
    interfere({
      onRequest: ({ action }) => (action === 'DescribeKey' ? { status: 200, body } : undefined),
    })
    const { Status, Reason } = await importing(resources.userJwtKeyArn)
    expect(Status).toBe('FAILED')
    expect(Reason).toContain(reason)
  })

  test('is read again while a permission of the deployment does not have its effect yet', async () => {
    const denied: string[] = []
    interfere({
      onRequest: ({ action = '' }) => {
        if (!['DescribeKey', 'GetPublicKey'].includes(action) || denied.includes(action)) return
        denied.push(action)
        return { status: 400, body: { __type: 'AccessDeniedException' } }
      },
    })
    const arn = resources.userJwtKeyArn
    expect(await importing(arn, { PublicKeysOf: [arn] })).toMatchObject({
      ...success,
      Data: { PlayerTokenPublicKeys: await loginPublicKey(aws) },
    })
    expect(denied.toSorted()).toEqual(['DescribeKey', 'GetPublicKey'])
  })
})

describe('a restored table', () => {
  const restoring = (RestoredTable: string) => {
    const playerTokens = [deployed]
    return create(version({ playerTokens }, { RestoredTable }))
  }

  test('is accepted if it is a copy of the table', async () => {
    expect(await restoring(resources.tableName)).toMatchObject(success)
  })

  test('is refused if it does not exist', async () => {
    const { Status, Reason } = await restoring('player-nfts-restord')
    expect([Status, Reason]).toEqual([
      'FAILED',
      'The table player-nfts-restord (restoredTable) cannot be used: it does not exist in this account and Region.',
    ])
  })

  test('is refused if it has other keys', async () => {
    const client = new DynamoDBClient(access)
    const TableName = 'another-table'
    await client.send(
      new CreateTableCommand({
        TableName,
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    )
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.1 }, { TableName })
    expect((await restoring(TableName)).Reason).toContain('its keys are not pk and sk')
    client.destroy()
  })

  test('is refused while it is created', async () => {
    const body = { Table: { TableStatus: 'CREATING' } }
    interfere({
      onRequest: ({ action }) => (action === 'DescribeTable' ? { status: 200, body } : undefined),
    })
    const { Reason } = await restoring(resources.tableName)
    expect(Reason).toContain('its status is CREATING')
  })
})

describe('D74: the public keys of player tokens', () => {
  const keyArns = [deployed, resources.userJwtKeyArn]
  const publishing = version({ playerTokens: keyArns }, { PublicKeysOf: keyArns })

  test('are in the answer, in the order of the keys', async () => {
    const { Data } = await create(publishing)
    const keys = Data.PlayerTokenPublicKeys.split(',')
    expect(keys).toEqual([resources.playerTokenPublicKey, await loginPublicKey(aws)])
    const reversed = { ...publishing, PublicKeysOf: keyArns.toReversed() }
    const changed = await update(publishing, reversed)
    expect(changed.Data.PlayerTokenPublicKeys.split(',')).toEqual(keys.toReversed())
  })

  test('are in the answer to a rollback too, which makes no check', async () => {
    const { PhysicalResourceId, Data } = await create(publishing)
    const back = await update(version({ playerTokens: [three] }), publishing, PhysicalResourceId)
    expect(back).toMatchObject({ ...success, PhysicalResourceId, Data })
  })

  test('are empty text, and the deployment succeeds, if one of the keys is disabled', async () => {
    interfere({
      onRequest: ({ action, body }) =>
        action === 'GetPublicKey' && body.KeyId === keyArns[1]
          ? { status: 400, body: { __type: 'DisabledException' } }
          : undefined,
    })
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const answer = await create(publishing)
    expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('DisabledException'))
    warn.mockRestore()
    expect(answer).toMatchObject({ ...success, Data: { PlayerTokenPublicKeys: '' } })
  })
})

test.each([
  [200, { ARN: 'any' }, undefined],
  [400, { __type: 'ResourceNotFoundException' }, 'it does not exist in this account and Region'],
  [200, { DeletedDate: 1 }, 'it is pending deletion (aws secretsmanager restore-secret)'],
])('a secret that the stack has not created is read: %i %j', async (status, body, fault) => {
  interfere({
    onRequest: ({ action }) => (action === 'DescribeSecret' ? { status, body } : undefined),
  })
  const reasonOf = async (secrets: object) =>
    (await create(version({ playerTokens: [deployed] }, secrets))).Reason
  const sentence = (setting: string, arn: string) =>
    fault ? `The secret ${arn} (${setting}) cannot be used: ${fault}.` : ''
  const ofIndexer = await reasonOf({ IndexerSecret: 'arn' })
  const ofWebhooks = await reasonOf({ WebhookSecrets: ['first', 'second'] })
  expect(ofIndexer).toBe(sentence('indexerSecretArn', 'arn'))
  for (const arn of ['first', 'second']) {
    expect(ofWebhooks).toContain(sentence('webhooks.secrets', arn))
  }
})

test('a check that fails for another reason fails the deployment with that reason', async () => {
  interfere({
    onRequest: () => ({ status: 400, body: { __type: 'InternalException', message: 'no' } }),
  })
  const { Status, Reason } = await create(version())
  expect([Status, Reason]).toEqual([
    'FAILED',
    'The checks of the deployment failed with InternalException: no',
  ])
})

test('the removal of a stack is never refused, and keeps the physical id', async () => {
  const body = await request({
    RequestType: 'Delete',
    PhysicalResourceId: 'any',
    ResourceProperties: version({}, { RestoredTable: 'gone' }),
  })
  expect(body).toMatchObject({ ...success, PhysicalResourceId: 'any' })
})
