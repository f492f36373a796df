import { describe, expect, test } from 'vitest'
import { removeTrial } from '../../deployed/account/removal.ts'
import { type FakeAccount, serveAws } from './fake-aws.ts'

const stage = 'trial-a1b2c3'
const service = `PlayerNfts-${stage}`

/** Removes the trial from an account. Returns what remains, and what AWS was asked. */
async function removeFrom(account: FakeAccount) {
  const { url: endpoint, asked } = await serveAws(account)
  const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
  const aws = { region: 'eu-central-1', endpoint, credentials }
  const remaining = await removeTrial({ aws, pollSeconds: 0.01, say: () => undefined }, stage)
  return { ...remaining, asked }
}

test('a trial is removed in the middle of an update: the update is cancelled first', async () => {
  const statuses = [
    'UPDATE_IN_PROGRESS',
    'UPDATE_IN_PROGRESS',
    'UPDATE_ROLLBACK_IN_PROGRESS',
    'UPDATE_ROLLBACK_COMPLETE',
    'DELETE_IN_PROGRESS',
  ]
  const { faults, asked } = await removeFrom({
    stack: (name) => (name === service ? statuses.shift() : undefined),
  })
  expect(faults).toEqual([])
  expect(asked.filter((each) => /^(Cancel|Delete)/.test(each))).toEqual([
    'CancelUpdateStack',
    'DeleteStack',
  ])
})

test('a stack whose deletion fails is deleted again', async () => {
  const statuses = ['CREATE_COMPLETE', 'DELETE_IN_PROGRESS', 'DELETE_FAILED']
  const { faults, asked } = await removeFrom({
    stack: (name) => (name === service ? statuses.shift() : undefined),
  })
  expect(faults).toEqual([])
  expect(asked.filter((each) => each === 'DeleteStack')).toHaveLength(2)
})

test('what the stacks leave is removed, and nothing of another name', async () => {
  const pending = { KeyState: 'PendingDeletion', DeletionDate: Date.UTC(2026, 11, 1) / 1_000 }
  const keys: Record<string, object> = {
    own: { Description: `${service}: player-token 1`, KeyState: 'Enabled' },
    pending: { Description: `${service}: user-jwt 1`, ...pending },
    other: { Description: 'PlayerNfts-prod: player-token 1', KeyState: 'Enabled' },
  }
  const tables = new Set([`${service}-restored`, 'PlayerNfts-prod-Table', `${service}0-Table`])
  const own = [`${service}-Functions-Logs`, `/aws/vendedlogs/${service}-1a2b/http-api`]
  const groups = new Set([...own, `${service}0-Functions-Logs`])
  const removed: unknown[] = []
  const { stays, faults } = await removeFrom({
    answer(operation, body) {
      const id = `${Object.values(body)[0]}`
      if (/^(Delete|Schedule)/.test(operation)) removed.push(id)
      switch (operation) {
        case 'ListKeys':
          return { Keys: [...Object.keys(keys), 'hidden'].map((KeyId) => ({ KeyId })) }
        case 'DescribeKey':
          if (id === 'hidden') throw errorOf('AccessDeniedException', 'no DescribeKey')
          return { KeyMetadata: { KeyId: id, ...keys[id] } }
        case 'ScheduleKeyDeletion':
          Object.assign(keys[id] ?? {}, pending)
          return {}
        case 'ListTables':
          return { TableNames: [...tables] }
        case 'DeleteTable':
          tables.delete(id)
          return {}
        case 'DescribeLogGroups':
          return { logGroups: [...groups].map((logGroupName) => ({ logGroupName })) }
        case 'DeleteLogGroup':
          groups.delete(id)
          return {}
        default:
          return undefined
      }
    },
  })
  expect(faults).toEqual([])
  expect(stays).toEqual([
    'the key player-token 1, deleted on 2026-12-01',
    'the key user-jwt 1, deleted on 2026-12-01',
  ])
  expect(removed.toSorted()).toEqual(['own', `${service}-restored`, ...own].toSorted())
})

test('a table that cannot be deleted yet is deleted later', async () => {
  const tables = new Set([`${service}-restored`])
  let refusals = 2
  const { faults, asked } = await removeFrom({
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
  expect(faults).toEqual([])
  expect(asked.filter((each) => each === 'DeleteTable')).toHaveLength(3)
})

describe('what the account does not list', () => {
  test('is reported, and the rest is removed', async () => {
    const tables = new Set([`${service}-restored`])
    const { faults } = await removeFrom({
      answer(operation, { TableName }) {
        if (operation === 'ListKeys') throw errorOf('AccessDeniedException', 'an explicit deny')
        if (operation === 'ListTables') return { TableNames: [...tables] }
        if (operation === 'DeleteTable') tables.delete(`${TableName}`)
        return undefined
      },
    })
    expect(tables.size).toBe(0)
    expect(faults).toEqual(['could not be listed: the keys (an explicit deny)'])
  })

  test('is asked for again if no permission is missing', async () => {
    let failures = 2
    const { faults } = await removeFrom({
      answer(operation) {
        if (operation !== 'ListKeys' || failures === 0) return undefined
        failures -= 1
        throw errorOf('DisabledException', 'not now')
      },
    })
    expect(faults).toEqual([])
  })
})

const errorOf = (name: string, message: string) => Object.assign(new Error(message), { name })
