import assert from 'node:assert/strict'
import { LambdaClient } from '@aws-sdk/client-lambda'
import { nestedName } from '../../infra/deployment/stack-templates.ts'
import type { Cdk } from '../../scripts/deploy-local/cdk.ts'
import { setIndexerKey } from '../../scripts/deploy-local/complete-deployment.ts'
import type { Place } from '../../scripts/deploy-local/place.ts'
import { liveIds } from '../../scripts/roll-back/deployments.ts'
import { type LiveFunction, readLiveFunctions } from '../../scripts/roll-back/live-functions.ts'
import { type Service, serviceAt } from '../support/services/service.ts'
import { resourcesOf } from './aws-lists.ts'
import type { ChangeTemplates, Deployment } from './deployment.ts'
import { addFailingResource, missingFunction } from './recovery.ts'
import { type Belongings, expectKept, newBelongings } from './survival.ts'
import type { Tally } from './tally.ts'

/** A deployment with every nested stack. */
export interface WithNestedStacks {
  place: Place
  cdk: Cdk
  deploy(name: string, changes: object, changeTemplates?: ChangeTemplates): Promise<Deployment>
}

/** The deployment while it is checked. */
interface Checked extends Omit<WithNestedStacks, 'cdk'> {
  service: Service
  belongings: Belongings
  functions(): Promise<LiveFunction[]>
}

const signIn = {
  walletSignIn: { page: 'play.studio.example' },
  userIds: 'assigned',
  dashboard: false,
}

/** Another size, because the CDK uploads no second template with the hash that a template had before its change. */
const sized = (memoryMegabytes: number) => ({ ...signIn, memoryMegabytes })

const everyNestedStack = ['Monitoring', 'WalletSignIn', 'Webhooks']

/** One stack with nested stacks is deployed, updated, turned back and removed (D147). */
export async function checkNestedStacks(
  { place, cdk, deploy }: WithNestedStacks,
  tally: Tally,
): Promise<void> {
  const first = await deploy('everything on', signIn)
  const { stackName } = first
  await setIndexerKey(place, first)
  const service = serviceAt(first.target)
  const belongings = await newBelongings(service)
  const client = new LambdaClient(place.aws)
  const functions = () => readLiveFunctions(client, stackName)
  const checked = { place, deploy, service, belongings, functions }
  await tally.check('D147: A stack with every nested stack serves their operations', async () => {
    assert.deepEqual(await nestedStacks(place, stackName), everyNestedStack)
    await expectServed(service, belongings, [200, 200])
  })

  await deploy('all functions changed', sized(512))
  const second = await functions()
  await tally.check('D147: An update changes the functions of every stack', () => {
    assert.equal(liveIds(second).length, 1)
    assert.deepEqual(
      second.filter(({ live, versions }) => live !== versions[0] || versions.length !== 2),
      [],
    )
  })
  await checkFailures(checked, tally)
  await cdk.destroy(await checkSettings(checked, first, tally))
  await tally.check('D147: The removal of the stack removes every function', async () => {
    assert.deepEqual(await functions(), [])
  })
}

/** Each setting goes off and on by itself, and its nested stack with it. Returns the last deployment, which has both. */
async function checkSettings(
  { place, deploy, service, belongings }: Checked,
  first: Deployment,
  tally: Tally,
): Promise<Deployment> {
  const off = { WalletSignIn: { walletSignIn: undefined }, Webhooks: { webhooks: undefined } }
  const steps = [
    ['WalletSignIn goes off', ['Monitoring', 'Webhooks'], 256],
    ['Webhooks goes off', ['Monitoring'], 320],
    ['WalletSignIn goes on', ['Monitoring', 'WalletSignIn'], 384],
    ['Webhooks goes on', everyNestedStack, 416],
  ] as const
  let last = first
  for (const [name, expected, megabytes] of steps) {
    const has = (nested: string) => expected.some((each) => each === nested)
    const changes = Object.entries(off).flatMap(([nested, without]) =>
      has(nested) ? [] : [without],
    )
    last = await deploy(name, Object.assign(sized(megabytes), ...changes))
    await tally.check(`D147: ${name}, by itself`, async () => {
      assert.deepEqual(await nestedStacks(place, last.stackName), expected)
      await expectServed(service, belongings, [
        has('Webhooks') ? 200 : 404,
        has('WalletSignIn') ? 200 : 404,
      ])
    })
  }
  return last
}

/** Updates that fail in a nested stack, and after all of them, are turned back. */
async function checkFailures({ place, deploy, functions }: Checked, tally: Tally): Promise<void> {
  const live = await functions()
  const places = [
    ['in a nested stack', 'Webhooks', 640],
    ['in the stack after its nested stacks', undefined, 768],
  ] as const
  for (const [where, nested, megabytes] of places) {
    await tally.check(`D147: An update that fails ${where} is turned back`, async () => {
      await assert.rejects(
        deploy(`failing ${where}`, sized(megabytes), addFailingResource(place, nested)),
        ({ message }: Error) =>
          message.includes(missingFunction) && !message.includes('ROLLBACK_FAILED'),
      )
      assert.deepEqual(memoryOf(await functions()), memoryOf(live))
    })
  }
}

const memoryOf = (functions: readonly LiveFunction[]) =>
  Object.fromEntries(functions.map(({ name, live }) => [name, live.memoryMegabytes]))

async function nestedStacks(place: Place, stackName: string): Promise<string[]> {
  const found = await resourcesOf(place, stackName, 'AWS::CloudFormation::Stack')
  return found.map(({ LogicalResourceId = '' }) => nestedName(LogicalResourceId)).toSorted()
}

/** The data of before is there, and operations of webhooks and of sign-in answer with these statuses. */
async function expectServed(
  service: Service,
  belongings: Belongings,
  statuses: readonly [webhooks: number, signIn: number],
): Promise<void> {
  await expectKept(service, belongings)
  const { apiKey } = belongings
  const answers = [
    await service.call('GET /product/webhooks', { apiKey }),
    await service.call('GET /.well-known/oauth-authorization-server'),
  ]
  assert.deepEqual(
    answers.map(({ status }) => status),
    statuses,
  )
}
