import { describe, expect, test } from 'vitest'
import { webhookSettings } from '../../support/prod-settings.ts'
import { rolePermissions } from '../../support/role-permissions.ts'
import {
  aliasedFunction,
  environmentOf,
  functionsOf,
  functionsWith,
  type Json,
  ofWebhooks,
  propertiesOf,
  type ServiceTemplate,
  serviceTemplate,
} from '../../support/service-template.ts'

const on = serviceTemplate(webhookSettings)
const deliverer = 'deliver-webhooks'
const fullName = `PlayerNfts-prod-${deliverer}`

/** The mapping of the queue of deliveries, and that of the queue of tests. */
const mappingsOf = ({ all }: ServiceTemplate): Json[] =>
  ['WebhooksWebhookQueueEventSource', 'WebhooksWebhookQueueTestEventSource'].flatMap((prefix) =>
    all('AWS::Lambda::EventSourceMapping')
      .filter(([id]) => id.startsWith(prefix))
      .map(([, { Properties }]) => Properties),
  )

/** How many messages of each of them are handled at a time. */
const concurrencyOf = (template: ServiceTemplate): number[] =>
  mappingsOf(template).map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency)

const sendersTo = (queue: string): string[] =>
  functionsOf(on).filter((name) =>
    rolePermissions(on, name).includes(`sqs:SendMessage on ${queue}`),
  )

const sweepOf = (template: ServiceTemplate): Json => ofWebhooks(template, 'AWS::Events::Rule')

describe('D122: the deliverer', () => {
  test.each([
    ['WebhookQueue', 14 * 86_400],
    ['WebhookQueueTests', 60],
  ])('has %s without a dead-letter queue, which keeps messages for %i seconds', (name, seconds) => {
    const named = new RegExp(`^${name}(Policy)?[0-9A-F]{8}$`)
    const propertiesOfIt = (type: string) =>
      on.all(type).flatMap(([id, { Properties }]) => (named.test(id) ? [Properties] : []))
    expect(propertiesOfIt('AWS::SQS::Queue')).toEqual([
      {
        MessageRetentionPeriod: seconds,
        SqsManagedSseEnabled: true,
        VisibilityTimeout: 120,
        Tags: expect.anything(),
      },
    ])
    const [policy] = propertiesOfIt('AWS::SQS::QueuePolicy')
    expect(JSON.stringify(policy)).toContain('"aws:SecureTransport":"false"')
  })

  test('has an output with the address of the queue of deliveries', () => {
    expect(on.outputs['WebhookQueueUrl'].Value.Ref).toMatch(/^WebhookQueue/)
  })

  test('gets the messages one by one, ten deliveries and five tests at a time, and can send itself more', () => {
    for (const { FunctionName, ...mapping } of mappingsOf(on)) {
      expect(aliasedFunction(on, FunctionName)).toBe(fullName)
      expect(mapping).toMatchObject({
        BatchSize: 1,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      })
    }
    expect(concurrencyOf(on)).toEqual([10, 5])
    const functions = propertiesOf(on, 'AWS::Lambda::Function')
    const found = functions.find(({ FunctionName: name }) => name === fullName)
    expect(found).toMatchObject({
      ...{ MemorySize: 256, Timeout: 60, ReservedConcurrentExecutions: 16 },
      RecursiveLoop: 'Allow',
    })
    expect(JSON.stringify(found.LoggingConfig)).toContain('FunctionsDelivererLogs')
  })

  test('delivers to more webhooks at a time with the setting, and reserves nothing in a small account', () => {
    const more = { ...webhookSettings, reservedConcurrency: { deliverWebhooks: 41 } }
    expect(concurrencyOf(serviceTemplate(more))).toEqual([35, 5])
    const told = { WEBHOOK_DELIVERIES: '35' }
    expect(environmentOf(serviceTemplate(more), `-${deliverer}`)).toMatchObject(told)
    const small = serviceTemplate({ ...webhookSettings, accountConcurrency: 10 })
    expect(concurrencyOf(small)).toEqual([2, 2])
    const reserved = propertiesOf(small, 'AWS::Lambda::Function').filter(
      ({ ReservedConcurrentExecutions: each }) => each !== undefined,
    )
    expect(reserved).toEqual([])
  })

  test('is asked to sweep every five minutes, without retries', () => {
    const { ScheduleExpression, State, Targets } = sweepOf(on)
    const [{ Arn, Input, RetryPolicy }, ...more] = Targets
    expect([ScheduleExpression, State, Input, more]).toEqual([
      ...['rate(5 minutes)', 'ENABLED', '{"kind":"sweep"}', []],
    ])
    expect(aliasedFunction(on, Arn)).toBe(fullName)
    const once = { MaximumEventAgeInSeconds: 300, MaximumRetryAttempts: 0 }
    expect(RetryPolicy).toEqual(once)
    const configured = propertiesOf(on, 'AWS::Lambda::EventInvokeConfig')
    expect(
      configured.filter(({ FunctionName }) => /deliver/.test(JSON.stringify(FunctionName))),
    ).toEqual([expect.objectContaining(once)])
  })

  test('D44: rests during maintenance', () => {
    const resting = serviceTemplate({ ...webhookSettings, maintenance: true })
    expect(sweepOf(resting).State).toBe('DISABLED')
    const enabled = [resting, on].map((each) => mappingsOf(each).map(({ Enabled }) => Enabled))
    expect(enabled).toEqual([
      [false, false],
      [undefined, undefined],
    ])
  })

  test('reads and writes nothing of players, wallets and API keys, and has no other secrets', () => {
    const readable = {
      GetItem: ['PRODUCT'],
      Query: ['PRODUCT', 'BINDING', 'FOLLOW'],
      BatchGetItem: ['BINDING', 'FOLLOW'],
    }
    const reads = Object.entries(readable).flatMap(([action, partitions]) =>
      partitions.map((partition) => `dynamodb:${action} on Table for ${partition}#*`),
    )
    const granted = rolePermissions(on, deliverer).filter((each) => !each.startsWith('logs:'))
    expect(granted).toEqual(
      [
        ...reads,
        'dynamodb:UpdateItem on Table for PRODUCT#*',
        'dynamodb:PutItem on Table for PRODUCT#*',
        'dynamodb:UpdateItem on Table for FOLLOW#*',
        'dynamodb:GetItem on Table for WEBHOOK_PLACES#*',
        'dynamodb:UpdateItem on Table for WEBHOOK_PLACES#*',
        'dynamodb:DeleteItem on Table for FOLLOW#*',
        'sqs:ChangeMessageVisibility on WebhookQueue',
        'sqs:DeleteMessage on WebhookQueue',
        'sqs:GetQueueAttributes on WebhookQueue',
        'sqs:ReceiveMessage on WebhookQueue',
        'sqs:SendMessage on WebhookQueue',
        'sqs:DeleteMessage on WebhookQueueTests',
        'sqs:GetQueueAttributes on WebhookQueueTests',
        'sqs:ReceiveMessage on WebhookQueueTests',
      ].toSorted(),
    )
    expect(Object.keys(environmentOf(on, `-${deliverer}`)).toSorted()).toEqual([
      ...['FOLLOWED_CHAINS', 'TABLE_NAME', 'WEBHOOK_DELIVERIES', 'WEBHOOK_QUEUE_URL'],
      'WEBHOOK_SECRETS',
    ])
    const chosen = { ...webhookSettings, webhookEventsPerMinute: 100, webhookContracts: 5 }
    expect(environmentOf(serviceTemplate(chosen), `-${deliverer}`)).toMatchObject({
      ...{ WEBHOOK_EVENTS_PER_MINUTE: '100', WEBHOOK_CONTRACTS: '5' },
    })
  })

  test('is told by the functions that know of something new', () => {
    const senders = sendersTo('WebhookQueue')
    expect(senders.toSorted()).toEqual([
      ...['allowlist-nfts', deliverer, 'follow-chains', 'replay-webhook', 'update-webhook'],
    ])
    expect(functionsWith(on, 'WEBHOOK_QUEUE_URL')).toEqual([...senders, 'get-openapi'].toSorted())
  })

  test('D150: is asked for a test by one operation', () => {
    expect(sendersTo('WebhookQueueTests')).toEqual(['test-webhook'])
    expect(functionsWith(on, 'WEBHOOK_TEST_QUEUE_URL')).toEqual(['test-webhook'])
  })

  const alarmOf = (name: string, template = on) =>
    propertiesOf(template, 'AWS::CloudWatch::Alarm').find(
      ({ AlarmName }) => AlarmName === `PlayerNfts-prod-${name}`,
    )

  test('D149: has alarms that do not need the function: on its queue, and on a sweep that writes nothing', () => {
    expect(alarmOf('webhook-queue')).toMatchObject({
      ...{ Namespace: 'AWS/SQS', MetricName: 'ApproximateNumberOfMessagesVisible' },
      ...{ Statistic: 'Minimum', Period: 300, EvaluationPeriods: 3, DatapointsToAlarm: 3 },
      ...{ Threshold: 1, ComparisonOperator: 'GreaterThanOrEqualToThreshold' },
      TreatMissingData: 'notBreaching',
    })
    const [{ Value }] = alarmOf('webhook-queue').Dimensions
    expect(Value['Fn::GetAtt'][0]).toMatch(/^WebhookQueue/)
    expect(alarmOf('webhook-sweep')).toMatchObject({
      ...{ MetricName: 'webhookSweeps', Statistic: 'Sum', Period: 300 },
      ...{ EvaluationPeriods: 3, DatapointsToAlarm: 3, Threshold: 1 },
      ...{ ComparisonOperator: 'LessThanThreshold', TreatMissingData: 'breaching' },
    })
    const paused = serviceTemplate({ ...webhookSettings, maintenance: true })
    const names = ['webhook-queue', 'webhook-sweep', 'webhook-errors']
    expect(names.map((name) => alarmOf(name, paused) !== undefined)).toEqual([false, false, true])
  })

  test('has an alarm on the failures of the service, and one on the delay', () => {
    expect(alarmOf('webhook-delay')).toMatchObject({
      ...{ Threshold: 60, DatapointsToAlarm: 3, Statistic: 'Maximum' },
      ...{ MetricName: 'webhookDelaySeconds', TreatMissingData: 'notBreaching' },
    })
    const counted = alarmOf('webhook-errors').Metrics.flatMap(({ MetricStat }: Json) =>
      MetricStat ? [MetricStat.Metric.MetricName] : [],
    )
    expect(counted).toEqual(['deliveryDefects', 'Errors', 'deliveryDefects'])
  })
})
