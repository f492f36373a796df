import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { DynamoDB, waitUntilTableExists } from '@aws-sdk/client-dynamodb'
import { KMS } from '@aws-sdk/client-kms'
import type { Place } from '../../scripts/deploy-local/place.ts'
import type { Service } from '../support/services/service.ts'
import type { ChangeTemplates, Deployment } from './deployment.ts'
import { checkRollBack } from './roll-back.ts'
import { type Belongings, expectKept, newBelongings } from './survival.ts'
import type { Tally } from './tally.ts'
import type { Update } from './updates.ts'

/** What an operator has after a rotation: the first deployment, whose keys are gone, and tokens of these keys. */
interface Past {
  place: Place
  deployment: Deployment
  belongings: Belongings
}

/** The name of the table that replaces the table of a stack. */
const restoredName = ({ stackName }: Pick<Deployment, 'stackName'>) => `${stackName}-restored`

/** AWS takes as long as it needs for a restore, mostly less than half of it. */
export const secondsToRestore = 3_600

/** docs/runbook.md: takes keys back that have left the stack, and restores the table. */
export async function checkRecovery(past: Past, update: Update, tally: Tally): Promise<void> {
  const { place, deployment, belongings } = past
  const { PlayerTokenKeyArn, UserJwtKeyArn } = deployment.outputs
  const retained = {
    playerTokenKeys: ['2', PlayerTokenKeyArn],
    userJwtKeys: ['2', UserJwtKeyArn],
  }
  await tally.check('A key that is pending deletion is refused', () =>
    assert.rejects(update('deleted keys', retained), {
      message: new RegExp(`${PlayerTokenKeyArn} cannot be used: it is pending deletion`),
    }),
  )
  await cancelDeletion(place, [PlayerTokenKeyArn, UserJwtKeyArn])
  await tally.check(
    'A retained key is taken back by its ARN, and its tokens are valid',
    async () => {
      await expectKept(await update('retained keys', retained), belongings)
    },
  )

  const stopped = await update('maintenance', { ...retained, maintenance: true })
  await tally.check('D44: maintenance stops every operation that needs the table', async () => {
    await expectMaintenance(stopped, belongings)
  })
  // With another size, because the CDK uploads no second template with the hash that a template had before its change.
  const mend = { ...retained, memoryMegabytes: 512 }
  const failingMend = () => update('failing mend', mend, addFailingResource(place))
  await checkRollBack({ place, deployment, belongings, bad: stopped, failingMend }, tally)
  const restoredTable = restoredName(deployment)
  await tally.check('A restored table that does not exist is refused', async () => {
    const changes = { ...retained, maintenance: true, restoredTable }
    await assert.rejects(update('no restored table', changes), {
      message: new RegExp(`${restoredTable} \\(restoredTable\\) cannot be used: it does not exist`),
    })
  })
  await restore(place, deployment.outputs.TableName, restoredTable)
  await tally.check(
    'D76: CloudFormation rolls a deployment with a restored table back',
    async () => {
      await expectRolledBack(place, update, { ...retained, restoredTable })
      await expectMaintenance(stopped, belongings)
    },
  )
  const service = await update('restored', { ...retained, restoredTable })
  await tally.check('The service uses the restored table', () => expectKept(service, belongings))
  await tally.check('D76: a deployment that forgets the restored table is refused', () =>
    expectForgettingRefused(service, belongings, { update, settings: retained, restoredTable }),
  )
}

/** Deletes what the stack has used and does not delete: the retained keys and the restored table. */
export async function deleteRetained({ aws }: Place, deployment: Deployment): Promise<void> {
  const { outputs } = deployment
  const kms = new KMS(aws)
  for (const KeyId of [outputs.PlayerTokenKeyArn, outputs.UserJwtKeyArn]) {
    await kms.scheduleKeyDeletion({ KeyId, PendingWindowInDays: 7 })
  }
  await new DynamoDB(aws).deleteTable({ TableName: restoredName(deployment) })
}

async function cancelDeletion({ aws }: Place, keyArns: readonly string[]): Promise<void> {
  const kms = new KMS(aws)
  for (const KeyId of keyArns) {
    await kms.cancelKeyDeletion({ KeyId })
    await kms.enableKey({ KeyId })
  }
}

async function expectMaintenance({ call }: Service, { apiKey }: Belongings): Promise<void> {
  const read = await call('GET /product', { apiKey })
  assert.deepEqual(
    [read.status, read.json.code, read.headers.get('retry-after')],
    [503, 'service_unavailable', '60'],
  )
  assert.equal((await call('GET /.well-known/jwks.json')).status, 200)
}

async function restore({ aws }: Place, table: string, TableName: string): Promise<void> {
  const client = new DynamoDB(aws)
  await client.restoreTableToPointInTime({
    SourceTableName: table,
    TargetTableName: TableName,
    UseLatestRestorableTime: true,
  })
  await waitUntilTableExists({ client, maxWaitTime: secondsToRestore }, { TableName })
}

/**
 * A failing deployment with a restored table is rolled back: for the checks, an update that forgets the table (D76).
 */
async function expectRolledBack(place: Place, update: Update, restoring: object): Promise<void> {
  // The CDK uploads no second template with the hash that a template had before its change.
  const another = { ...restoring, logRetentionDays: 3 }
  await assert.rejects(
    update('restored table, and a failure', another, addFailingResource(place)),
    ({ message }: Error) =>
      message.includes(missingFunction) && !/ROLLBACK_FAILED|The table in use/.test(message),
  )
}

/** A deployment that forgets the restored table is refused, and nothing that was written to the table is lost (D76). */
async function expectForgettingRefused(
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
