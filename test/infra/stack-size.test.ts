import { CfnResource } from 'aws-cdk-lib'
import { describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import { base, type Route } from '../../lib/contract/route.ts'
import { everything } from '../support/prod-settings.ts'
import { resourceBudgets } from '../support/resource-budgets.ts'
import {
  type Json,
  type Resource,
  serviceApp,
  serviceTemplate,
  templateOf,
} from '../support/service-template.ts'
import { usualRoutes } from '../support/usual-routes.ts'

const kinds: readonly Route[] = [
  routes.getProduct,
  routes.createPlayerToken,
  routes.getPlayerDetails,
  routes.getNfts,
]

/** Twenty operations that do not exist, each with a path of its own. */
const madeUp = Array.from({ length: 5 }, (_, index) =>
  kinds.map((route): Route => {
    const id = `madeUp${route.id}${index}`
    return { ...route, id, paths: [`${base}/${id}`] }
  }),
).flat()

const operations = [...usualRoutes, ...madeUp]

/** The resources of the worker: its function, its queue, their alarms, and what moves its traffic. */
const isOfWorker = ([id]: [id: string, resource: Resource]): boolean =>
  /^WorkQueue|^Functionsworkqueue|^TrafficShiftingworkQueue|^MonitoringAlarms(workererrors|deadletters|oldwork)/.test(
    id,
  )

const today = serviceTemplate(everything)
const worker = Object.entries(today.resources).filter(isOfWorker)
const { app, stack } = serviceApp(everything, { operations })
for (const [id, { Type, Properties }] of worker) {
  new CfnResource(stack, `Second${id}`, { type: Type, properties: Properties })
}
/** With everything on, with the made-up operations, and with copies of the resources of the worker. */
const full = templateOf({ app, stack })

const countOf = (resources: readonly Resource[], type: string): number =>
  resources.filter(({ Type }) => Type === type).length

describe('D83: the stack has room for twenty more operations', () => {
  test('D148: each needs six resources, and a seventh if an update shifts its traffic', () => {
    const added = new Map<string, number>()
    const ofWorker = worker.map(([, resource]) => resource)
    for (const { Type } of Object.values(full.resources)) {
      const before = countOf(Object.values(today.resources), Type) + countOf(ofWorker, Type)
      added.set(Type, countOf(Object.values(full.resources), Type) - before)
    }
    const { 'AWS::CloudWatch::Alarm': alarms, ...others } = Object.fromEntries(
      [...added].filter(([, count]) => count !== 0),
    )
    expect(others).toEqual({
      'AWS::Lambda::Function': 20,
      'AWS::IAM::Role': 20,
      'AWS::Lambda::Version': 20,
      'AWS::Lambda::Alias': 20,
      'AWS::ApiGatewayV2::Integration': 20,
      'AWS::ApiGatewayV2::Route': 20,
      'AWS::CodeDeploy::DeploymentGroup': 10,
    })
    // An alarm watches up to ten operations.
    expect(alarms).toBeLessThanOrEqual(3)
  })

  test('with everything on and a second worker with its queue, it has fewer resources than the 500 that CloudFormation accepts', () => {
    expect(new Set(worker.map(([, { Type }]) => Type))).toEqual(
      new Set([
        ...['AWS::Lambda::Function', 'AWS::Lambda::Version', 'AWS::Lambda::Alias'],
        ...['AWS::IAM::Role', 'AWS::Logs::LogGroup', 'AWS::Lambda::EventSourceMapping'],
        ...['AWS::SQS::Queue', 'AWS::SQS::QueuePolicy', 'AWS::CodeDeploy::DeploymentGroup'],
        ...['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm'],
      ]),
    )
    expect(Object.keys(full.resources).length).toBeLessThanOrEqual(resourceBudgets.withTwentyMore)
  })

  test('the policy of the invocation role fits into the 10,240 characters that IAM accepts', () => {
    const [, role] = full.all('AWS::IAM::Role').find(([id]) => id.startsWith('HttpApi')) ?? []
    const statements: Json[] = role?.Properties.Policies[0].PolicyDocument.Statement
    const [{ Resource: aliases }, ...more] = statements
    expect([aliases.length, more]).toEqual([operations.length, []])
    const arn = `arn:aws-us-gov:lambda:ap-southeast-1:123456789012:function:${'f'.repeat(64)}:live`
    expect(JSON.stringify(statements).length + aliases.length * arn.length).toBeLessThan(10_240)
  })
})
