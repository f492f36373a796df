import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import type { Service } from '../support/services/service.ts'
import type { ChangeTemplates } from './deployment.ts'
import type { Place } from './place.ts'
import { type Belongings, expectKept, newBelongings } from './survival.ts'
import type { Update } from './updates.ts'

/**
 * A deployment with a restored table that fails after its checks is rolled back. For the checks, the roll-back is an
 * update that forgets the restored table (D76).
 */
export async function expectRolledBack(
  place: Place,
  update: Update,
  restoring: object,
): Promise<void> {
  // The CDK uploads no second template with the hash that a template had before its change.
  const another = { ...restoring, logRetentionDays: 3 }
  await assert.rejects(
    update('restored table, and a failure', another, addFailingResource(place)),
    ({ message }: Error) =>
      message.includes(missingFunction) && !/ROLLBACK_FAILED|The table in use/.test(message),
  )
}

/** A deployment that forgets the restored table is refused, and nothing that was written to the table is lost (D76). */
export async function expectForgettingRefused(
  service: Service,
  belongings: Belongings,
  { update, settings, restoredTable }: { update: Update; settings: object; restoredTable: string },
): Promise<void> {
  // The stack's own table does not have what is written while the restored table is in use.
  const later = await newBelongings(service)
  await assert.rejects(update('forgotten table', settings), ({ message }: Error) =>
    [`The table in use is ${restoredTable}`, `set "leaveTable": "${restoredTable}"`].every(
      (text) => message.includes(text) && !/did not say/.test(message),
    ),
  )
  await expectKept(service, belongings)
  await expectKept(service, later)
}

export const missingFunction = 'function:does-not-exist'

/** Adds a resource that CloudFormation creates last, and cannot create, to the template of the stack or of a nested stack. */
export const addFailingResource =
  ({ account, aws }: Place, nested?: string): ChangeTemplates =>
  async (version) => {
    const ofStack =
      nested === undefined ? version.templateFile : version.nestedTemplateFiles[nested]
    const templateFile = `${ofStack}`
    const template = JSON.parse(await readFile(templateFile, 'utf8'))
    template.Resources.Failing = {
      Type: 'Custom::Failing',
      Properties: {
        ServiceToken: `arn:aws:lambda:${aws.region}:${account}:${missingFunction}`,
      },
      DependsOn: Object.keys(template.Resources),
    }
    await writeFile(templateFile, JSON.stringify(template, null, 1))
  }
