import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { CloudFormation } from '@aws-sdk/client-cloudformation'
import { CloudWatchLogs } from '@aws-sdk/client-cloudwatch-logs'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { Template } from '../../infra/deployment/stack-templates.ts'
import type { TrafficShift } from '../../infra/settings/deployment-setting-table.ts'
import type { Cdk, Outputs, Version } from '../../scripts/deploy-local/cdk.ts'
import {
  completeDeployment,
  setIndexerKey,
} from '../../scripts/deploy-local/complete-deployment.ts'
import type { Ministack } from '../../scripts/deploy-local/ministack.ts'
import { runCommand } from '../../scripts/deploy-local/run-command.ts'
import { unsupportedTypes } from '../../scripts/deploy-local/unsupported.ts'
import type { Credentials } from '../../scripts/smoke-test/credentials.ts'
import { smokeTest } from '../../scripts/smoke-test/report.ts'
import { registration, serviceAt } from '../support/services/service.ts'
import { type Environment, settings } from './deployment.ts'
import { faultsIn, playerOfProduct } from './smoke.ts'
import type { Tally } from './tally.ts'

export const prodStackName = 'PlayerNfts-prod'

/** Deploys the stage `prod` with canary updates and its other defaults, without what the emulator does not have. */
export async function checkProduction(
  environment: Environment,
  cdk: Cdk,
  tally: Tally,
): Promise<void> {
  const { python, ministack } = environment
  const synth = synthesisOf(environment, cdk)
  const linear = await synth('linear')
  const version = await synth('canary')
  await tally.check('The emulator refuses each type that is taken out, and no other', async () => {
    const refused = await refusedTypes(ministack, version.fullTemplateFile)
    assert.deepEqual(refused.toSorted(), Object.keys(unsupportedTypes).toSorted())
  })
  await tally.check('D81: a first deploy for which the account has no room leaves no table', () =>
    expectRefusedWithoutTable(ministack, cdk, linear),
  )
  const outputs = await cdk.deploy(version)
  const { ApiUrl: url } = outputs
  await completeDeployment(python, ministack, version, prodStackName)
  console.log('Deployed: the stage prod')
  console.log(
    'Not seen to run, because no emulator has CodeDeploy: an update that turns back by its alarms. test/infra/deployment/traffic-shifting.test.ts checks the template.',
  )
  await setIndexerKey(ministack, { outputs })
  await tally.check('The smoke test passes with production settings', async () => {
    const { checked } = await smokeTest(url, {})
    assert.deepEqual(faultsIn(checked), [])
  })
  await tally.check('D69: The smoke test tests the indexer of production', async () => {
    const credentials = await newPlayerOfProduct(environment, outputs)
    const { checked, whyUntested } = await smokeTest(url, credentials)
    assert.deepEqual(faultsIn(checked), [])
    assert.equal(whyUntested.indexer, undefined)
  })
  await tally.check('A caller without IAM credentials cannot register in production', async () => {
    const body = JSON.stringify(registration())
    const response = await fetch(`${url}/api/public/v1/product`, { method: 'POST', body })
    assert.equal(response.status, 403)
  })
  await tally.check('A production stack is protected against its removal', () =>
    assert.rejects(cdk.destroy(version), /[Tt]ermination ?[Pp]rotection/),
  )
  const synthAgain = (kept: object) => synth('canary', kept)
  const keeping = { stackName: prodStackName, version, outputs, synthAgain }
  await makeAgain(ministack, cdk, keeping, tally)
}

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

/** Synthesizes the stage `prod` with a value of `trafficShift`, and with further settings. */
const synthesisOf =
  ({ indexerUrl, login }: Environment, cdk: Cdk) =>
  (trafficShift: TrafficShift, further: object = {}): Promise<Version> => {
    const { issuer, userJwtAudience, serviceToken } = settings
    return cdk.synth(`prod-${trafficShift}${Object.keys(further).length > 0 ? '-again' : ''}`, {
      ...{ stage: 'prod', issuer, userJwtAudience, serviceToken, indexerUrl, trafficShift },
      playerTokenAudience: 'player-nfts-deployed-games',
      loginRoleArn: login.arn,
      registrationOpen: false,
      alarmEmail: 'operations@studio.example',
      ...further,
    })
  }

/** Deploys a version as if it reserved more executions than the account has, and takes the way out that the reason names. */
async function expectRefusedWithoutTable(ministack: Ministack, cdk: Cdk, version: Version) {
  const template = await readFile(version.templateFile, 'utf8')
  const needing = template.replace(/("ReservedConcurrency": )"\d+"/, '$1"901"')
  await writeFile(version.templateFile, needing)
  await assert.rejects(
    cdk.deploy(version),
    /901 more .* the account can reserve 900 in this Region/,
  )
  const { TableNames } = await new DynamoDB(ministack.aws).listTables()
  assert.deepEqual(TableNames, [])
  await unprotect(ministack, prodStackName)
}

/** The credentials of the smoke test: a key of a new product with a contract, and a token of a player with an NFT of it. */
async function newPlayerOfProduct(
  { ministack: { aws, environment }, login }: Environment,
  { ApiUrl: url, UserJwtKeyArn: keyId }: Outputs,
): Promise<Credentials> {
  const { issuer, userJwtAudience: audience } = settings
  const userJwtKey = { ...aws, credentials: login.credentials, keyId, issuer, audience }
  const service = serviceAt({ url, userJwtKey })
  // As docs/first-day.md#5-register-a-product shows it.
  const { accessKeyId, secretAccessKey } = aws.credentials
  const registered = await runCommand({
    name: 'curl',
    file: 'curl',
    args: [
      ...['--silent', '--show-error', '--fail', '--cacert', `${environment['AWS_CA_BUNDLE']}`],
      ...['--aws-sigv4', `aws:amz:${aws.region}:execute-api`],
      ...['--user', `${accessKeyId}:${secretAccessKey}`],
      ...['--header', 'Content-Type: application/json', '--data', JSON.stringify(registration())],
      `${url}/api/public/v1/product`,
    ],
    seconds: 60,
  })
  const { apiKey } = JSON.parse(registered).data
  return await playerOfProduct(service, apiKey)
}

/** A deployed stack that keeps its data when it is removed. */
export interface Keeping {
  readonly stackName: string
  readonly version: Version
  readonly outputs: Outputs
  /** Synthesizes the stack with settings that name what it has kept. */
  synthAgain(kept: object): Promise<Version>
}

/** Switches the termination protection of a stack off. */
async function unprotect({ aws }: Pick<Ministack, 'aws'>, stackName: string): Promise<void> {
  const unprotected = { StackName: stackName, EnableTerminationProtection: false }
  await new CloudFormation(aws).updateTerminationProtection(unprotected)
}

/** Removes the stack, and makes it again with the table and the keys that it has kept, as docs/changes.md#removal shows it. */
async function makeAgain(
  { aws }: Pick<Ministack, 'aws'>,
  cdk: Cdk,
  { stackName, version, outputs, synthAgain }: Keeping,
  tally: Tally,
): Promise<void> {
  const logs = new CloudWatchLogs(aws)
  const accessLogs = async () => {
    const asked = { logGroupNamePrefix: `/aws/vendedlogs/${stackName}-` }
    const { logGroups = [] } = await logs.describeLogGroups(asked)
    return logGroups.map(({ logGroupName }) => logGroupName)
  }
  await unprotect({ aws }, stackName)
  await cdk.destroy(version)
  const kept = await accessLogs()
  await tally.check('D84: a removed stack has kept its access log', () => {
    assert.equal(kept.length, 1)
    assert.match(kept[0] ?? '', /-[0-9a-f]{8}\/http-api$/)
  })
  const again = await synthAgain({
    restoredTable: outputs.TableName,
    playerTokenKeys: [outputs.PlayerTokenKeyArn],
    userJwtKeys: [outputs.UserJwtKeyArn],
  })
  await cdk.deploy(again)
  await tally.check('D84: a stack that was made again has an access log of its own', async () => {
    assert.equal((await accessLogs()).filter((name) => !kept.includes(name)).length, 1)
  })
}
