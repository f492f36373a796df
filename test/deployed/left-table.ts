import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import type { Service } from '../support/services/service.ts'
import { type Belongings, expectKept, newBelongings } from './survival.ts'
import type { Tally } from './tally.ts'
import type { Update } from './updates.ts'

/** A deployed version that uses a restored table. */
export interface Restored {
  service: Service
  belongings: Belongings
  /** The settings of the version without its table. */
  settings: object
  restoredTable: string
}

/** A restored table is left only on purpose, and a roll-back of CloudFormation goes back to it (D76). */
export async function checkLeftTable(
  { service, belongings, settings, restoredTable }: Restored,
  update: Update,
  tally: Tally,
): Promise<void> {
  // The stack's own table does not have what was written since the restored table is in use.
  const later = await newBelongings(service)
  const expectRestored = async () => {
    await expectKept(service, belongings)
    await expectKept(service, later)
  }
  await tally.check('D76: a deployment that forgets the restored table is refused', async () => {
    await assert.rejects(update('forgotten table', settings), (error: Error) =>
      [`The table in use is ${restoredTable}`, `set "leaveTable": "${restoredTable}"`].every(
        (text) => error.message.includes(text) && !/did not say/.test(error.message),
      ),
    )
    await expectRestored()
  })
  await tally.check('D76: CloudFormation rolls back to the table that was left', async () => {
    const leaving = { ...settings, leaveTable: restoredTable }
    await assert.rejects(update('table left', leaving, addFailingResource), (error: Error) => {
      return error.message.includes(missingFunction) && !error.message.includes('The table in use')
    })
    await expectRestored()
  })
}

const missingFunction = 'function:does-not-exist'

/** Adds a resource to a template that CloudFormation creates last, and cannot create. */
async function addFailingResource(templateFile: string): Promise<void> {
  const template = JSON.parse(await readFile(templateFile, 'utf8'))
  const others = Object.keys(template.Resources)
  template.Resources.Failing = {
    Type: 'Custom::Failing',
    Properties: { ServiceToken: `arn:aws:lambda:us-east-1:123456789012:${missingFunction}` },
    DependsOn: others,
  }
  await writeFile(templateFile, JSON.stringify(template, null, 1))
}
