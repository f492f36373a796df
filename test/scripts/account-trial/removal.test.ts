import { expect, test } from 'vitest'
import { removeTrial } from '../../../scripts/account-trial/removal.ts'
import { serveAws } from './fake-aws.ts'

const stage = 'trial-a1b2c3'
const service = `PlayerNfts-${stage}`

const placeAt = (endpoint: string) => ({
  aws: {
    region: 'eu-central-1',
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
