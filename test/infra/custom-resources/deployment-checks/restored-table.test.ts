import { beforeEach, describe, expect, test } from 'vitest'
import type { CheckedProperties } from '../../../../infra/custom-resources/deployment-checks/checked-properties.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'
import { create, stackIn, update, version } from '../../../support/check-requests.ts'

const { interfere, resources } = await startTestAws()

beforeEach(() => interfere(stackIn('UPDATE_IN_PROGRESS')))

const success = { Status: 'SUCCESS', Reason: '' }

/** A version that uses this restored table, or the stack's own. Without `LeaveTable`, it is one from before D76. */
const using = (RestoredTable = '', LeaveTable?: string): CheckedProperties =>
  version(
    { playerTokens: [resources.playerTokenKeyArn] },
    { RestoredTable, ...(LeaveTable !== undefined && { LeaveTable }) },
  )

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

  test('is refused from a version of the project that did not know leaveTable', async () => {
    expect((await update(using(resources.tableName), using('', ''))).Status).toBe('FAILED')
    expect((await update(using(resources.tableName), using(''))).Status).toBe('FAILED')
  })

  test.each([
    ["from the stack's own table to a restored one", using('', ''), restored],
    ['of the same restored table', restored, using(resources.tableName, 'earlier')],
    ["of the stack's own table", using('', ''), using('', 'earlier')],
    ['to a version of the project before D76', restored, using(resources.tableName)],
    ['from such a version', using(resources.tableName), restored],
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

  test('goes back to the restored table after a refusal, without a question', async () => {
    const current = (await update(using('', ''), restored)).PhysicalResourceId
    const refused = await update(restored, using('', ''), current)
    expect([refused.Status, refused.PhysicalResourceId]).toEqual(['FAILED', current])
    interfere({ onRequest: () => ({ status: 500, body: { __type: 'InternalException' } }) })
    expect(await update(using('', ''), restored, current)).toMatchObject(success)
  })
})

test('D76: a version has the same id with leaveTable and without, and that of a version before D76', async () => {
  const ids = [restored, using(resources.tableName), using(resources.tableName, 'earlier')].map(
    async (each) => (await create(each)).PhysicalResourceId,
  )
  expect(new Set(await Promise.all(ids)).size).toBe(1)
})
