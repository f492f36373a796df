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
    const functions = on.propertiesOf('AWS::Lambda::Function')
    const found = functions.find(({ FunctionName: name }) => name === fullName)
    expect(found).toMatchObject({
      ...{ MemorySize: 256, Timeout: 60, ReservedConcurrentExecutions: 16 },
      RecursiveLoop: 'Allow',
    })
    expect(JSON.stringify(found.LoggingConfig)).toContain('FunctionsDelivererLogs')
  })

  test('delivers to more webhooks at a time with the setting', () => {
    const more = { ...webhookSettings, reservedConcurrency: { deliverWebhooks: 41 } }
    expect(concurrencyOf(serviceTemplate(more))).toEqual([35, 5])
    const variables = { WEBHOOK_DELIVERIES: '35' }
    expect(environmentOf(serviceTemplate(more), `-${deliverer}`)).toMatchObject(variables)
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
    const configured = on.propertiesOf('AWS::Lambda::EventInvokeConfig')
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
    const readOrWritten = rolePermissions(on, deliverer).flatMap(
      (each) => / on Table for (\w+)#/.exec(each)?.[1] ?? [],
    )
    expect(new Set(readOrWritten)).toEqual(
      new Set(['BINDING', 'FOLLOW', 'PRODUCT', 'WEBHOOK_PLACES']),
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
})
