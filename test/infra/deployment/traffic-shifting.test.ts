import { expect, test } from 'vitest'
import { functionName } from '../../../lib/contract/route.ts'
import { alarmValue } from '../../support/alarm-value.ts'
import { signInOperationIds } from '../../support/operations.ts'
import { prodSettings, signInSettings, webhookSettings } from '../../support/prod-settings.ts'
import { aliasedFunction, type Json, serviceTemplate } from '../../support/service-template.ts'

// No emulator has CodeDeploy, so an update that turns back by itself was not seen: the template must say it.

const canary = serviceTemplate({
  ...{ ...signInSettings, ...webhookSettings, walletSignIn: {}, trafficShift: 'canary' },
})
const groups = canary.all('AWS::CodeDeploy::DeploymentGroup')

const byText = (a: Json, b: Json) => JSON.stringify(a).localeCompare(JSON.stringify(b))

test('D69: by default, an update moves all traffic at once', () => {
  const none = serviceTemplate(prodSettings)
  expect(none.all('AWS::CodeDeploy::Application')).toEqual([])
  for (const [, alias] of none.all('AWS::Lambda::Alias'))
    expect(alias).not.toHaveProperty('UpdatePolicy')
})

/** What a running game needs: the aliases that move in steps. */
const shifted = [
  ...['createPlayerToken', 'getPublicKey', 'getKeySet', 'getPlayerDetails'],
  ...['getRawMetadata', 'getStructuredMetadata', 'getAllowedNfts'],
  ...signInOperationIds,
  ...['workQueue', 'deliverWebhooks'],
]

const aliases = canary.all('AWS::Lambda::Alias')
const shiftedAliases = aliases.filter(([, alias]) => 'UpdatePolicy' in alias)

test('D148: with trafficShift, CodeDeploy moves what a running game needs, and the rest moves at once', () => {
  expect(shiftedAliases.map(([id]) => aliasedFunction(canary, { Ref: id })).toSorted()).toEqual(
    shifted.map((id) => `PlayerNfts-prod-${functionName(id)}`).toSorted(),
  )
})

test('D148: without sign-in and webhooks, it moves what there is', () => {
  const usual = serviceTemplate({ ...prodSettings, trafficShift: 'canary' })
  expect(usual.all('AWS::CodeDeploy::DeploymentGroup')).toHaveLength(8)
  const names = usual
    .propertiesOf('AWS::CloudWatch::Alarm')
    .flatMap(({ AlarmName }) => AlarmName.match(/-update-.*/) ?? [])
  expect(names).toEqual(['-update-server-errors', '-update-worker-errors'])
})

test('D69: each of these aliases has a deployment group of its own', () => {
  const [[applicationId] = []] = canary.all('AWS::CodeDeploy::Application')
  const policies = shiftedAliases.map(
    ([, alias]) => (alias as Json).UpdatePolicy.CodeDeployLambdaAliasUpdate,
  )
  expect(policies.map(({ ApplicationName }) => ApplicationName.Ref)).toEqual(
    groups.map(() => applicationId),
  )
  expect(policies.map(({ DeploymentGroupName }) => DeploymentGroupName.Ref).toSorted()).toEqual(
    groups.map(([id]) => id).toSorted(),
  )
})

test.each([
  ['canary', 'CodeDeployDefault.LambdaCanary10Percent5Minutes'],
  ['linear', 'CodeDeployDefault.LambdaLinear10PercentEvery1Minute'],
])('D69: %s shifts with the configuration %s', (trafficShift, name) => {
  const template = serviceTemplate({ ...prodSettings, trafficShift })
  for (const { DeploymentConfigName } of template.propertiesOf(
    'AWS::CodeDeploy::DeploymentGroup',
  )) {
    expect(DeploymentConfigName).toBe(name)
  }
})

test('D148: each shift turns back when requests, background work or deliveries to webhooks fail', () => {
  for (const [, { Properties }] of groups) {
    const watched = Properties.AlarmConfiguration.Alarms.map(
      ({ Name }: Json) => canary.resources[Name.Ref]?.Properties,
    )
    expect(watched.map(({ AlarmName }: Json) => AlarmName)).toEqual([
      'PlayerNfts-prod-update-server-errors',
      'PlayerNfts-prod-update-worker-errors',
      'PlayerNfts-prod-update-webhook-errors',
    ])
    expect(Properties).toMatchObject({
      AlarmConfiguration: { Enabled: true },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
      },
      DeploymentStyle: {
        DeploymentType: 'BLUE_GREEN',
        DeploymentOption: 'WITH_TRAFFIC_CONTROL',
      },
    })
  }
})

test('D69: its alarms go off within the first step of a shift', () => {
  const own = canary
    .propertiesOf('AWS::CloudWatch::Alarm')
    .filter(({ AlarmName }) => /-update-(server|worker|webhook)-errors$/.test(AlarmName))
  expect(own.map(({ Threshold }) => Threshold)).toEqual([1, 3, 3])
  for (const { EvaluationPeriods, Period, Metrics = [] } of own) {
    const periods = [Period, ...Metrics.map((each: Json) => each.MetricStat?.Period ?? 60)]
    expect(new Set(periods.filter((each) => each !== undefined))).toEqual(new Set([60]))
    expect(EvaluationPeriods).toBe(1)
  }
})

test('D69: they count every failure but those that the indexer causes', () => {
  const metricsOf = (name: string): Json[] =>
    canary
      .propertiesOf('AWS::CloudWatch::Alarm')
      .find(({ AlarmName }) => AlarmName === `PlayerNfts-prod-${name}`).Metrics
  const readBy = (name: string) =>
    metricsOf(name).flatMap(({ MetricStat }) =>
      MetricStat ? [`${MetricStat.Metric.MetricName} ${MetricStat.Stat}`] : [],
    )
  const resultOf = (name: string, given: Record<string, number>) =>
    alarmValue(metricsOf(name).find(({ Expression }) => Expression)?.Expression, given)

  expect(readBy('update-server-errors')).toEqual([
    'serverErrorAnswers Sum',
    'PlayerNfts-prod-unansweredRequests Sum',
    'Count Sum',
  ])
  const requests = 200
  const answers = (given: Record<string, number>) =>
    resultOf('update-server-errors', { requests, ...given })
  expect(answers({ answered: 4 })).toBe(2)
  expect(answers({ unanswered: 4 })).toBe(2)
  expect(answers({ answered: 2, unanswered: 2 })).toBe(2)
  expect(answers({ answered: 1, unanswered: 1 })).toBe(0)
  // Also before the metrics of the functions have arrived.
  expect(answers({})).toBe(0)

  expect(readBy('update-worker-errors')).toEqual([
    'workFailures Sum',
    'indexerUnavailableMessages Sum',
    'Errors Sum',
  ])
  const messages = (given: Record<string, number>) => resultOf('update-worker-errors', given)
  expect(messages({ failed: 3 })).toBe(3)
  expect(messages({ ended: 3 })).toBe(3)
  expect(messages({ failed: 5, unavailable: 5 })).toBe(0)

  expect(readBy('update-webhook-errors')).toEqual(['deliveryDefects Sum', 'Errors Sum'])
  const deliveries = (given: Record<string, number>) => resultOf('update-webhook-errors', given)
  expect(deliveries({ failed: 2, ended: 1 })).toBe(3)
  expect(deliveries({})).toBe(0)
})

test('D148: CodeDeploy may move these aliases, each by its name and with the role of its stack, and nothing else', () => {
  const roles = canary.all('AWS::IAM::Role').filter(([id]) => id.includes('TrafficShifting'))
  const movedBy = roles.map(([id, role]): [string, Json[]] => {
    const [moves, alarms, ...more] = role.Properties.Policies[0].PolicyDocument.Statement
    expect([more, role.Properties.ManagedPolicyArns]).toEqual([[], undefined])
    expect(alarms).toMatchObject({ Action: 'cloudwatch:DescribeAlarms', Resource: '*' })
    expect(moves.Action).toEqual([
      'lambda:GetAlias',
      'lambda:GetProvisionedConcurrencyConfig',
      'lambda:UpdateAlias',
    ])
    return [id.replace(/TrafficShifting.*/, ''), moves.Resource]
  })
  const stacks = ['', 'WalletSignIn', 'Webhooks']
  expect(movedBy.map(([stack]) => stack).toSorted()).toEqual(stacks)
  for (const [stack, resources] of movedBy) {
    const own = shiftedAliases.filter(([id]) => id.startsWith(`${stack}Functions`))
    const moved = own.flatMap(([, { Properties }]) => {
      const functionArn = { 'Fn::GetAtt': [Properties.FunctionName.Ref, 'Arn'] }
      // A reference to the alias would close a circle.
      return [functionArn, { 'Fn::Join': ['', [functionArn, `:${Properties.Name}`]] }]
    })
    expect(resources.toSorted(byText)).toEqual(moved.toSorted(byText))
  }
})
