import { beforeEach, describe, expect, test } from 'vitest'
import {
  type CheckedProperties,
  stackForm,
} from '../../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'
import { create, stackIn, two, update, version } from '../../../support/check-requests.ts'
import { prodSettings } from '../../../support/prod-settings.ts'
import { checksOf, serviceTemplate } from '../../../support/service-template.ts'

const { interfere, resources } = await startTestAws()

beforeEach(() => interfere(stackIn('UPDATE_IN_PROGRESS')))

const success = { Status: 'SUCCESS', Reason: '' }

/** A version that uses this restored table, or the stack's own.  */
const using = (RestoredTable: string, LeaveTable = ''): CheckedProperties =>
  version({ playerTokens: [resources.playerTokenKeyArn] }, { RestoredTable, LeaveTable })

const restored = using(resources.tableName, '')

describe('D76: a deployment that leaves the restored table', () => {
  test("is refused if it would use the stack's own table", async () => {
    const { Status, Reason } = await update(restored, using('', ''))
    const name = resources.tableName
    expect([Status, Reason]).toEqual([
      'FAILED',
      `The table in use is ${name} (restoredTable), and this deployment would use the stack's own table in its place, without what was written to ${name}. Set "restoredTable": "${name}", or set "leaveTable": "${name}" if it is meant: docs/runbook.md#leaving-a-restored-table.`,
    ])
  })

  test('is refused if it would use another restored table, which can be that of an earlier commit', async () => {
    const { Status, Reason } = await update(using('newer', ''), restored)
    expect(Status).toBe('FAILED')
    expect(Reason).toContain('The table in use is newer (restoredTable), and this deployment would')
    expect(Reason).toContain(`use the table ${resources.tableName} in its place`)
  })

  test('is accepted if leaveTable has the name of the table, and of no other', async () => {
    const { Status } = await update(restored, using('', 'another'))
    expect(Status).toBe('FAILED')
    expect(await update(restored, using('', resources.tableName))).toMatchObject(success)
    const other = await update(using('newer', ''), using(resources.tableName, 'newer'))
    expect(other).toMatchObject(success)
  })

  test('is refused the next time, although leaveTable still has the name of the table before', async () => {
    const next = using(resources.tableName, 'first')
    expect(await update(using('first', ''), next)).toMatchObject(success)
    expect((await update(next, using('', 'first'))).Status).toBe('FAILED')
  })

  test.each([
    ["from the stack's own table to a restored one", using('', ''), restored],
    ['of the same restored table', restored, using(resources.tableName, 'earlier')],
    ["of the stack's own table", using('', ''), using('', 'earlier')],
  ])('is not a deployment %s', async (_, before, after) => {
    expect(await update(before, after)).toMatchObject(success)
  })

  test('is not a first deployment', async () => {
    expect(await create(restored)).toMatchObject(success)
  })
})

describe('D76: a roll-back of CloudFormation', () => {
  test('leaves the restored table without being refused, and looks like a deployment that forgets it', async () => {
    const own = using('', '')
    const { PhysicalResourceId } = await update(own, restored)
    expect((await update(restored, own, PhysicalResourceId)).Status).toBe('FAILED')
    interfere(stackIn('UPDATE_ROLLBACK_IN_PROGRESS'))
    const back = await update(restored, own, PhysicalResourceId)
    expect(back).toMatchObject(success)
    expect(back.PhysicalResourceId).not.toBe(PhysicalResourceId)
  })
})

test('D76: a version has the same id with leaveTable and without', async () => {
  const ids = [restored, using(resources.tableName, 'earlier')].map(
    async (each) => (await create(each)).PhysicalResourceId,
  )
  expect(new Set(await Promise.all(ids)).size).toBe(1)
})

const reason =
  'The stack was made by a version that divided it into nested stacks differently, and cannot be updated to this one: deploy a commit of before, or remove the stack and make it again with its data (docs/changes.md#making-a-removed-stack-again).'

describe('D147: an update of a stack of another form', () => {
  const other = version({}, { Form: 'others' })

  test('is refused in one sentence, whatever else it changes', async () => {
    expect(await update(other, version({ playerTokens: [two] }))).toMatchObject({
      ...{ Status: 'FAILED', Reason: reason, PhysicalResourceId: 'before' },
    })
  })

  test('is known by what the template says', () => {
    expect(checksOf(serviceTemplate(prodSettings)).Form).toBe(stackForm)
  })
})

const issuing = (PlayerTokenIssuers: string[], more: Partial<CheckedProperties> = {}) =>
  version({}, { PlayerTokenIssuers, ...more })

describe('D90: an update without the issuer that player tokens get now', () => {
  test.each([
    [['login'], ['nfts']],
    [['nfts', 'login'], ['login']],
  ])('is refused from %j to %j', async (before, after) => {
    const { Status, Reason } = await update(issuing(before), issuing(after))
    expect([Status, Reason]).toEqual([
      'FAILED',
      `playerTokenIssuers: "${before[0]}", which player tokens get now, is missing (without the setting, they get that of issuer), so that every player token would be rejected at once. Keep it in the list: docs/connect-your-platform.md#what-one-token-can-do-and-how-it-ends. If all players may need new player tokens, set "dropAllKeys": true for this one deployment.`,
    ])
  })

  test.each([
    [['login'], ['login']],
    [['login'], ['login', 'nfts']],
    [
      ['login', 'nfts'],
      ['nfts', 'login'],
    ],
    [['nfts', 'login'], ['nfts']],
  ])('is no update from %j to %j', async (before, after) => {
    expect(await update(issuing(before), issuing(after))).toMatchObject(success)
  })

  test('is no first deployment, and none that drops all keys', async () => {
    const { Keys } = version({ playerTokens: [resources.playerTokenKeyArn] })
    expect(await create(issuing(['nfts'], { Keys }))).toMatchObject(success)
    const dropping = issuing(['nfts'], { DropAllKeys: 'true' })
    expect(await update(issuing(['login']), dropping)).toMatchObject(success)
  })
})

/** A version that is deployed, and one that is refused after it. */
const refusals: Readonly<Record<string, [CheckedProperties, CheckedProperties]>> = {
  'D43: its keys': [version(), version({ playerTokens: [two] })],
  'D76: its table': [restored, using('', '')],
  'D90: its issuers': [issuing(['login']), issuing(['nfts'])],
  'D113: its signers': [version(), version({}, { Signers: { Key: two, Roles: ['role'] } })],
  'D123: its secrets of webhooks': [version(), version({}, { WebhookSecrets: ['none'] })],
  'D147: its form': [version({}, { Form: 'others' }), version()],
}

test.each(Object.entries(refusals))(
  '%s: a refused version is turned back from, without another question',
  async (_, [deployed, refused]) => {
    const { PhysicalResourceId } = await update(deployed, deployed)
    const refusal = await update(deployed, refused, PhysicalResourceId)
    expect(refusal).toMatchObject({ Status: 'FAILED', PhysicalResourceId })
    interfere({ onRequest: () => ({ status: 500, body: { __type: 'InternalException' } }) })
    const back = await update(refused, deployed, PhysicalResourceId)
    expect(back).toMatchObject({ ...success, PhysicalResourceId })
  },
)
