import { describe, expect, test } from 'vitest'
import { removeTrial } from '../../../scripts/account-trial/removal.ts'
import { serveAws } from './fake-aws.ts'

const stage = 'trial-a1b2c3'
const service = `PlayerNfts-${stage}`

const placeAt = (endpoint: string, region = 'eu-central-1') => ({
  aws: {
    region,
    endpoint,
    credentials: { accessKeyId: 'key', secretAccessKey: 'secret' },
  },
  pollSeconds: 0.01,
})

test('a trial is removed in the middle of an update: the update is cancelled first', async () => {
  const statuses = [
    'UPDATE_IN_PROGRESS',
    'UPDATE_IN_PROGRESS',
    'UPDATE_ROLLBACK_IN_PROGRESS',
    'UPDATE_ROLLBACK_COMPLETE',
    'DELETE_IN_PROGRESS',
  ]
  const aws = await serveAws({
    stack: (name) => (name === service ? statuses.shift() : undefined),
  })
  const { others } = await removeTrial(placeAt(aws.url), stage)
  expect(others).toEqual([])
  expect(aws.asked.filter((each) => /^(Cancel|Delete)/.test(each))).toEqual([
    'CancelUpdateStack',
    'DeleteStack',
  ])
})

test('a stack whose deletion fails is deleted again when what is left of it is gone', async () => {
  let deletions = 0
  const aws = await serveAws({
    stack(name) {
      if (name !== service) return undefined
      deletions = aws.asked.filter((each) => each === 'DeleteStack').length
      return ['CREATE_COMPLETE', 'DELETE_FAILED'][deletions]
    },
  })
  const { others } = await removeTrial(placeAt(aws.url), stage)
  expect([others, deletions]).toEqual([[], 2])
})

test('what the stacks leave is removed, and nothing of another name', async () => {
  const keys = {
    own: { Description: `${service}: player-token 1`, KeyState: 'Enabled' },
    pending: {
      Description: `${service}: user-jwt 1`,
      KeyState: 'PendingDeletion',
      DeletionDate: Date.UTC(2026, 11, 1) / 1_000,
    },
    other: { Description: 'PlayerNfts-prod: player-token 1', KeyState: 'Enabled' },
  }
  const tables = new Set([`${service}-restored`, 'PlayerNfts-prod-Table', `${service}0-Table`])
  const secrets = new Map([
    ['own', stage],
    ['other', 'prod'],
  ])
  const groups = new Set([`${service}-Functions-Logs`, `/aws/vendedlogs/${service}-1a2b/http-api`])
  const removed: unknown[] = []
  const aws = await serveAws({
    answer(operation, body) {
      const key = keys[body['KeyId'] as keyof typeof keys]
      if (/^(Delete|Schedule)/.test(operation)) removed.push(Object.values(body)[0])
      switch (operation) {
        case 'ListKeys':
          return { Keys: Object.keys(keys).map((KeyId) => ({ KeyId })) }
        case 'DescribeKey':
          return { KeyMetadata: { KeyId: body['KeyId'], ...key } }
        case 'ScheduleKeyDeletion':
          Object.assign(key, keys.pending, { Description: key.Description })
          return {}
        case 'ListTables':
          return { TableNames: [...tables] }
        case 'DeleteTable':
          tables.delete(`${body['TableName']}`)
          return {}
        case 'ListSecrets':
          return {
            SecretList: [...secrets].map(([ARN, Value]) => ({
              ...{ ARN, Description: 'a secret', Tags: [{ Key: 'stage', Value }] },
            })),
          }
        case 'DeleteSecret':
          secrets.delete(`${body['SecretId']}`)
          return {}
        case 'DescribeLogGroups':
          return { logGroups: [...groups].map((logGroupName) => ({ logGroupName })) }
        case 'DeleteLogGroup':
          groups.delete(`${body['logGroupName']}`)
          return {}
        default:
          return undefined
      }
    },
  })
  const left = await removeTrial(placeAt(aws.url), stage)
  expect(left.others).toEqual([])
  expect(left.pendingKeys).toEqual([
    'player-token 1, deleted on 2026-12-01',
    'user-jwt 1, deleted on 2026-12-01',
  ])
  expect(left.hasBootstrapStack).toBe(false)
  expect(removed.toSorted()).toEqual(
    ['own', 'own', `${service}-restored`, ...groupsOfTrial].toSorted(),
  )
})

const groupsOfTrial = [`${service}-Functions-Logs`, `/aws/vendedlogs/${service}-1a2b/http-api`]

test('a table that cannot be deleted yet is deleted later', async () => {
  const tables = new Set([`${service}-restored`])
  let refusals = 2
  const aws = await serveAws({
    answer(operation, { TableName }) {
      if (operation === 'ListTables') return { TableNames: [...tables] }
      if (operation !== 'DeleteTable') return undefined
      if (refusals > 0) {
        refusals -= 1
        throw errorOf('ResourceInUseException', 'Table is being created')
      }
      tables.delete(`${TableName}`)
      return {}
    },
  })
  expect((await removeTrial(placeAt(aws.url), stage)).others).toEqual([])
  expect(aws.asked.filter((each) => each === 'DeleteTable')).toHaveLength(3)
})

describe('what the account does not list', () => {
  test('is reported, and the rest is removed', async () => {
    const tables = new Set([`${service}-restored`])
    const aws = await serveAws({
      answer(operation, { TableName }, region) {
        switch (operation) {
          case 'ListKeys':
          case 'ListSecrets':
            throw errorOf('AccessDeniedException', `no ${operation}`)
          case 'GetResources':
            if (region === 'us-east-1') throw errorOf('AccessDeniedException', 'an explicit deny')
            return { ResourceTagMappingList: [] }
          case 'ListTables':
            return { TableNames: [...tables] }
          case 'DeleteTable':
            tables.delete(`${TableName}`)
            return {}
          default:
            return undefined
        }
      },
    })
    const { others, unlisted } = await removeTrial(placeAt(aws.url), stage)
    expect(others).toEqual([])
    expect(unlisted).toEqual([
      { what: 'the keys', reason: 'no ListKeys', isDenied: true },
      { what: 'the secrets', reason: 'no ListSecrets', isDenied: true },
      {
        ...{ what: 'what has the tag of the stage in us-east-1', reason: 'an explicit deny' },
        isDenied: true,
      },
    ])
  })

  test('is asked for again if no permission is missing', async () => {
    let failures = 2
    const aws = await serveAws({
      answer(operation) {
        if (operation !== 'ListKeys' || failures === 0) return undefined
        failures -= 1
        throw errorOf('DisabledException', 'not now')
      },
    })
    expect((await removeTrial(placeAt(aws.url), stage)).unlisted).toEqual([])
  })
})

test('a key that its policy does not show is not of a trial', async () => {
  const own = { KeyId: 'own', Description: `${service}: a`, KeyState: 'PendingDeletion' }
  const aws = await serveAws({
    answer(operation, { KeyId }) {
      if (operation === 'ListKeys') return { Keys: [{ KeyId: 'hidden' }, { KeyId: 'own' }] }
      if (operation !== 'DescribeKey') return undefined
      if (KeyId === 'hidden') throw errorOf('AccessDeniedException', 'no DescribeKey')
      return { KeyMetadata: { ...own, DeletionDate: Date.UTC(2026, 11, 1) / 1_000 } }
    },
  })
  const { pendingKeys, unlisted } = await removeTrial(placeAt(aws.url), stage)
  expect([pendingKeys, unlisted]).toEqual([['a, deleted on 2026-12-01'], []])
})

test.each([
  ['eu-central-1', ['eu-central-1', 'us-east-1']],
  ['us-east-1', ['us-east-1']],
  ['eusc-de-east-1', ['eusc-de-east-1']],
  ['cn-north-1', ['cn-north-1']],
])('in %s, tags are asked for in %j', async (region, asked) => {
  const regions: string[] = []
  const aws = await serveAws({
    answer(operation, _, ofRequest) {
      if (operation === 'GetResources') regions.push(ofRequest)
      return undefined
    },
  })
  await removeTrial(placeAt(aws.url, region), stage)
  expect(new Set(regions)).toEqual(new Set(asked))
})

const errorOf = (name: string, message: string) => Object.assign(new Error(message), { name })
