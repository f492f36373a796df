import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CloudFormation } from '@aws-sdk/client-cloudformation'
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { Template } from '../../infra/deployment/stack-templates.ts'
import { type Cdk, cdkFor, type Version } from '../../scripts/deploy-local/cdk.ts'
import { completeDeployment } from '../../scripts/deploy-local/complete-deployment.ts'
import type { Ministack } from '../../scripts/deploy-local/ministack.ts'
import { unsupportedTypes } from '../../scripts/deploy-local/unsupported.ts'
import { registration } from '../support/services/service.ts'
import { type Environment, settings } from './deployment.ts'
import type { EmulatorRun } from './emulator-run.ts'
import {
  exerciseRecovery,
  expectRetainedDeleted,
  expectRetainedListed,
  followFirstDay,
  maintainAccount,
  type Operating,
  prepareAccount,
  prodStackName,
  readFailure,
  supportProductsAndPlayers,
  unprotect,
} from './operator.ts'
import { operatorShell } from './operator-shell.ts'

/** Deploys the stage `prod` with canary updates, and works with it as the pages for operators say. */
export async function checkProduction(
  environment: Environment,
  dir: string,
  { tally, cleanup }: EmulatorRun,
): Promise<void> {
  const { python, ministack, indexerUrl } = environment
  const cdk = cdkFor(ministack, dir, prodStackName)
  const operator = await operatorShell(environment, join(dir, 'operator'), {
    'eu-central-1': ministack.aws.region,
    // The waiter asks every 30 seconds.
    'aws cloudformation wait': 'sleep 5; aws cloudformation wait',
  })
  cleanup.defer(() => operator.end())
  const { serviceToken } = settings
  await operator.writeSettings({ serviceToken, indexerUrl, trafficShift: 'canary' })
  const synth: Synth = async (name, further) =>
    cdk.synth(`prod-${name}`, { ...(await operator.settings()), ...further })
  await prepareAccount(operator)
  const linear = await synth('linear', { trafficShift: 'linear' })
  const version = await synth('canary')
  await tally.check('The emulator refuses each type that is taken out, and no other', async () => {
    const refused = await refusedTypes(ministack, version.fullTemplateFile)
    assert.deepEqual(refused.toSorted(), Object.keys(unsupportedTypes).toSorted())
  })
  await tally.check('D81: a first deploy for which the account has no room leaves no table', () =>
    expectRefusedWithoutTable({ ministack, cdk, operator }, linear),
  )
  const outputs = await cdk.deploy(version)
  const complete = (deployed: Version) =>
    completeDeployment(python, ministack, deployed, prodStackName)
  await complete(version)
  console.log('Deployed: the stage prod')
  console.log(
    'Not seen to run, because no emulator has CodeDeploy: an update that turns back by its alarms. test/infra/deployment/traffic-shifting.test.ts checks the template.',
  )
  const operating = { operator, outputs, ministack, tally }
  const registered = await followFirstDay(operating)
  await tally.check('A caller without IAM credentials cannot register in production', async () => {
    const body = JSON.stringify(registration())
    const response = await fetch(`${outputs.ApiUrl}/api/public/v1/product`, {
      method: 'POST',
      body,
    })
    assert.equal(response.status, 403)
  })
  await supportProductsAndPlayers(operating, registered)
  await maintainAccount(operating)
  await exerciseRecovery(operating, async () => {
    const maintenance = await synth('maintenance')
    await cdk.deploy(maintenance)
    await complete(maintenance)
  })
  await tally.check('A production stack is protected against its removal', () =>
    assert.rejects(cdk.destroy(version), /[Tt]ermination ?[Pp]rotection/),
  )
  await makeAgain({ ...operating, cdk, synth }, version)
  await tally.check('docs/changes.md: what a removed stack has kept is deleted', () =>
    expectRetainedDeleted(operating),
  )
  await tally.check('Each command of these pages ran, or is on the list of those left out', () =>
    assert.deepEqual(operator.notRun(), []),
  )
}

/** Synthesizes the stack with the settings of the operator, and further ones. */
type Synth = (name: string, further?: object) => Promise<Version>

/** The types of a template that the emulator refuses. It gets the types alone: a template in a call may have 51,200 bytes. */
async function refusedTypes({ aws }: Ministack, templateFile: string): Promise<string[]> {
  const { Resources }: Template = JSON.parse(await readFile(templateFile, 'utf8'))
  const types = new Set(Object.values(Resources).map(({ Type }) => Type))
  const each = [...types].map((Type, index) => [`Resource${index}`, { Type }])
  const TemplateBody = JSON.stringify({ Resources: Object.fromEntries(each) })
  const client = new CloudFormation(aws)
  const refusal = await client.validateTemplate({ TemplateBody }).then(
    () => '',
    ({ message }: Error) => message,
  )
  const [, refused = ''] = /Unrecognized resource types: \[(.*)\]/.exec(refusal) ?? []
  return refused.split(', ')
}

/** Deploys a version as if it reserved more executions than the account has, and takes the way out that the reason names. */
async function expectRefusedWithoutTable(
  { ministack, cdk, operator }: Pick<Again, 'ministack' | 'cdk' | 'operator'>,
  version: Version,
) {
  const template = await readFile(version.templateFile, 'utf8')
  const needing = template.replace(/("ReservedConcurrency": )"\d+"/, '$1"901"')
  await writeFile(version.templateFile, needing)
  const reason = /901 more .* the account can reserve 900 in this Region/
  await assert.rejects(cdk.deploy(version), reason)
  const { TableNames } = await new DynamoDB(ministack.aws).listTables()
  assert.deepEqual(TableNames, [])
  await readFailure(operator, reason)
  await unprotect(operator)
}

interface Again extends Operating {
  readonly cdk: Cdk
  readonly synth: Synth
}

/** Removes the stack, and makes it again with the table and the keys that it has kept, as docs/changes.md#removal shows it. */
async function makeAgain(
  { operator, outputs, ministack: { aws }, cdk, synth, tally }: Again,
  version: Version,
): Promise<void> {
  const logs = new CloudWatchLogs(aws)
  const accessLogs = async () => {
    const asked = { logGroupNamePrefix: `/aws/vendedlogs/${prodStackName}-` }
    const { logGroups = [] } = await logs.describeLogGroups(asked)
    return logGroups.map(({ logGroupName }) => logGroupName)
  }
  await unprotect(operator)
  await cdk.destroy(version)
  const kept = await accessLogs()
  await tally.check('D84: a removed stack has kept its access log', () => {
    assert.equal(kept.length, 1)
    assert.match(kept[0] ?? '', /-[0-9a-f]{8}\/http-api$/)
  })
  await tally.check('docs/changes.md: a removed stack has kept its table and secret', () =>
    expectRetainedListed(operator, outputs),
  )
  const again = await synth('again', {
    restoredTable: outputs.TableName,
    playerTokenKeys: [outputs.PlayerTokenKeyArn],
    userJwtKeys: [outputs.UserJwtKeyArn],
  })
  await cdk.deploy(again)
  await tally.check('D84: a stack that was made again has an access log of its own', async () => {
    assert.equal((await accessLogs()).filter((name) => !kept.includes(name)).length, 1)
  })
}
