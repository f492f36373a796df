import { describe, expect, test } from 'vitest'
import { functionNames } from '../../infra/bundle/bundle.ts'
import { deploymentSettings } from '../../infra/settings/settings.ts'
import { expectFault } from '../support/deployment-faults.ts'
import {
  domain,
  edge,
  everything,
  prodSettings,
  retainedSecret,
  signInSettings,
  webhookSettings,
} from '../support/prod-settings.ts'
import { rolePermissions } from '../support/role-permissions.ts'
import {
  aliasedFunction,
  checksOf,
  checksRole,
  environmentOf,
  functionsOf,
  functionsWith,
  type Json,
  ofWebhooks,
  type ServiceTemplate,
  serviceTemplate,
} from '../support/service-template.ts'

const on = serviceTemplate(webhookSettings)
const { webhooks: _, ...others } = webhookSettings
const off = serviceTemplate(others)
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

describe('D121: webhooks in a deployment', () => {
  test('add a function and a route for each operation, and the deliverer, and nothing without the setting', () => {
    const usual = functionNames({})
    const added = functionNames({ webhooks: true }).filter((name) => !usual.includes(name))
    expect(functionsOf(on).toSorted()).toEqual([...functionsOf(off), ...added].toSorted())
    // The names of versions follow from what the functions are.
    const unversioned = ({ resources }: ServiceTemplate) =>
      Object.keys(resources).filter((id) => !id.includes('CurrentVersion'))
    const [before, after] = [unversioned(off), unversioned(on)]
    expect(before.filter((id) => !after.includes(id))).toEqual([])
    const resources = after.filter((id) => !before.includes(id))
    expect(resources.filter((id) => !/webhook|Deliverer/i.test(id))).toEqual([])
  })

  test('leave no trace without the setting, beside the operation with which a server asks for events', () => {
    const ofEvents = /^WEBHOOK_CONTRACTS$|webhook-?events/i
    const traces = JSON.stringify([off.resources, off.outputs]).match(/[\w-]*webhook[\w-]*/gi) ?? []
    expect(traces.filter((trace) => !ofEvents.test(trace))).toEqual([])
  })

  test('D124: no deployment can reach servers on its own machine', () => {
    for (const settings of [
      webhookSettings,
      everything,
      { followedChains: ['POLYGON'], webhooks: {} },
    ])
      expect(JSON.stringify(serviceTemplate(settings).resources)).not.toContain('WEBHOOK_LOOPBACK')
  })

  test('have limits, except in the stage local', () => {
    expect(environmentOf(on, '-test-webhook')).toMatchObject({
      WEBHOOK_TESTS_PER_PRODUCT_AND_HOUR: '10',
      WEBHOOK_TESTS_PER_HOST_AND_HOUR: '60',
    })
    expect(environmentOf(on, '-replay-webhook')).toMatchObject({ WEBHOOK_REPLAYS_PER_HOUR: '4' })
    const { followedChains } = webhookSettings
    const local = serviceTemplate({ stage: 'local', followedChains, webhooks: {} })
    const limited = Object.keys(environmentOf(local, '-test-webhook')).filter((name) =>
      name.includes('_PER_'),
    )
    expect(limited).toEqual([])
    expect(ofWebhooks(local, 'AWS::SQS::Queue').QueueName).toBe('PlayerNfts-local-webhooks')
  })

  test('D120: know the hosts of the deployment that the settings name, each of them once and without a port', () => {
    const hostsOf = (settings: object): string | undefined =>
      environmentOf(serviceTemplate({ ...webhookSettings, ...settings }), '-create-webhook')
        .WEBHOOK_OWN_HOSTS
    expect(hostsOf({})).toBeUndefined()
    expect(hostsOf({ domain, edge })).toBe('nfts.studio.example,api.studio.example')
    expect(hostsOf({ ...signInSettings })).toBe('api.studio.example')
    const walletSignIn = { page: 'play.studio.example:8443' }
    expect(hostsOf({ ...signInSettings, edge: {}, walletSignIn })).toBe('play.studio.example')
    const domains = serviceTemplate({ ...webhookSettings, domain })
    expect(functionsWith(domains, 'WEBHOOK_OWN_HOSTS')).toEqual([
      'create-webhook',
      'update-webhook',
    ])
  })
})

describe('D123: the secrets of webhooks', () => {
  const secretsOf = ({ all }: ServiceTemplate) =>
    all('AWS::SecretsManager::Secret').filter(([id]) => id.startsWith('WebhookSecrets'))

  test('are known to the functions that make one, or that sign', () => {
    expect(functionsWith(on, 'WEBHOOK_SECRETS')).toEqual([
      ...['create-webhook', deliverer, 'rotate-webhook-secret'],
    ])
    expect(secretsOf(on)).toHaveLength(1)
  })

  test('are in the order of the setting, and a retained secret is taken back', () => {
    const secrets = ['2', retainedSecret, '1']
    const template = serviceTemplate({ ...webhookSettings, webhooks: { secrets } })
    const made = secretsOf(template).map(([id]) => id)
    const [second, first] = made
    expect([made.length, second, first]).toEqual([
      ...[2, expect.stringMatching(/Secret2/), expect.stringMatching(/Secret1/)],
    ])
    const text = JSON.stringify(environmentOf(template, `-${deliverer}`).WEBHOOK_SECRETS)
    const named = text.match(/\{"Ref":"\w+"\}|arn:aws:secretsmanager[^"]*?(?=:SecretString)/g)
    expect(named).toEqual([`{"Ref":"${second}"}`, retainedSecret, `{"Ref":"${first}"}`])
    expect(JSON.stringify(template.outputs['WebhookSecretArns'].Value)).toContain(retainedSecret)
  })

  test('remain with keepData', () => {
    const policies = (template: ServiceTemplate) =>
      secretsOf(template).map(([, { DeletionPolicy }]) => DeletionPolicy)
    expect(policies(on)).toEqual(['RetainExceptOnCreate'])
    expect(policies(serviceTemplate({ ...webhookSettings, keepData: false }))).toEqual(['Delete'])
  })

  test('D81: that the stack does not make are looked for before there is a table', () => {
    const webhooks = { secrets: [retainedSecret] }
    const template = serviceTemplate({ ...webhookSettings, webhooks })
    expect(checksOf(template).WebhookSecrets).toEqual([retainedSecret])
    expect(JSON.stringify(checksRole(template))).toContain('"secretsmanager:DescribeSecret"')
    expect(checksOf(on)).not.toHaveProperty('WebhookSecrets')
    expect(JSON.stringify(checksRole(on))).not.toContain('"secretsmanager:DescribeSecret"')
  })
})

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
    const { ScheduleExpression, State, Targets } = ofWebhooks(on, 'AWS::Events::Rule')
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
    expect(ofWebhooks(resting, 'AWS::Events::Rule').State).toBe('DISABLED')
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

test.each<[Record<string, unknown>, string]>([
  [{ followedChains: undefined }, 'webhooks needs followedChains, for example'],
  [{ followedChains: [] }, 'webhooks needs followedChains, for example'],
  [{ webhooks: true }, 'webhooks must be an object with "secrets", which is optional'],
  [{ webhooks: { secret: '1' } }, 'webhooks.secret is not a setting'],
  [{ webhooks: { secrets: ['1', '2', '3', '4'] } }, 'webhooks.secrets must name at most three'],
  [{ webhooks: { secrets: ['A'] } }, 'webhooks.secrets.0 must be 1 to 32 of a-z, 0-9 and "-", or'],
  [
    { webhooks: { secrets: ['arn:aws:secretsmanager:eu-west-1:123456789012:secret:a'] } },
    'webhooks.secrets.0 must be 1 to 32 of a-z, 0-9 and "-", or the complete ARN of a secret',
  ],
  [{ webhookEventsPerMinute: 0 }, 'webhookEventsPerMinute must be a whole number from 1'],
])('D121: %j is refused', (changes, fault) => {
  expectFault(webhookSettings, changes, fault)
})

test('D121: webhooks are an option of each stage', () => {
  expect(deploymentSettings(webhookSettings).webhooks).toEqual({ secrets: ['1'] })
  expect(deploymentSettings(prodSettings)).not.toHaveProperty('webhooks')
})
