import * as v from 'valibot'
import { httpUrl, texts, wholeNumber } from './forms.ts'
import { limitOf, limitSetting, perHour, present } from './limits.ts'
import { part } from './part.ts'
import type { Setting } from './setting.ts'

// The settings of webhooks (D121), apart from the others: a bundle contains every row of a file of which it reads one.

export const WEBHOOK_QUEUE_URL = {
  meaning:
    'the URL of the SQS queue of deliveries to webhooks; not set in a deployment without webhooks (D121)',
  form: httpUrl,
  optional: true,
} as const satisfies Setting

export const WEBHOOK_TEST_QUEUE_URL = {
  meaning: 'the URL of the SQS queue of the tests of webhooks (D150)',
  form: httpUrl,
} as const satisfies Setting

export const WEBHOOK_SECRETS = {
  meaning:
    'the secrets from which those of webhooks follow: new ones from the first, and those of before from the others (D123)',
  form: texts,
} as const satisfies Setting

export const WEBHOOK_OWN_HOSTS = {
  meaning: 'the hosts of the deployment, which are no hosts of webhooks (D120)',
  form: texts,
  optional: true,
} as const satisfies Setting

export const WEBHOOK_LOOPBACK = {
  meaning:
    '`true` if webhooks can also be `http` on 127.0.0.1. Only `npm start` sets it, and no deployment can (D124)',
  form: v.literal('true', 'must be true, or not set'),
  optional: true,
} as const satisfies Setting

export const WEBHOOK_EVENTS_PER_MINUTE = {
  meaning:
    'the events of a chain that a webhook gets of one minute of that chain; the others of the minute are one event that says so (D122)',
  form: wholeNumber(1, 100_000),
  default: 600,
  optional: true,
  inDeployment: 'webhookEventsPerMinute',
} as const satisfies Setting

export const WEBHOOK_DELIVERIES = {
  meaning:
    'how many messages of the queue of deliveries are handled at a time; slow servers share half of them (D143)',
  form: wholeNumber(2, 100_000),
  default: 10,
  optional: true,
} as const satisfies Setting

/** The count of a limit. Without the setting, the limit does not apply. */
// @__NO_SIDE_EFFECTS__
const webhookLimitSetting = <const Name extends string>(inDeployment: Name, meaning: string) => ({
  ...limitSetting(inDeployment, meaning),
  meaning: `with \`webhooks\`, ${meaning} (D121)`,
})

export const WEBHOOK_TESTS_PER_PRODUCT_AND_HOUR = webhookLimitSetting(
  'webhookTestsPerProductAndHour',
  'the test messages of a product to its webhooks in an hour',
)

export const WEBHOOK_TESTS_PER_HOST_AND_HOUR = webhookLimitSetting(
  'webhookTestsPerHostAndHour',
  'the test messages of all products to a host in an hour',
)

export const WEBHOOK_REPLAYS_PER_HOUR = webhookLimitSetting(
  'webhookReplaysPerHour',
  'the replays of a webhook in an hour',
)

/** The queue of deliveries to webhooks; `undefined` in a deployment without webhooks (D121). */
export const webhookQueueSettings = part({ WEBHOOK_QUEUE_URL }, (env) => ({
  queueUrl: env.WEBHOOK_QUEUE_URL,
}))

/** The queue of the tests of webhooks (D150). */
export const webhookTestQueueSettings = part({ WEBHOOK_TEST_QUEUE_URL }, (env) => ({
  testQueueUrl: env.WEBHOOK_TEST_QUEUE_URL,
}))

/** The secrets from which those of webhooks follow (D123). */
export const webhookSecretSettings = part({ WEBHOOK_SECRETS }, (env) => ({
  secrets: env.WEBHOOK_SECRETS,
}))

/** Where webhooks can be (D120, D124). */
export const webhookUrlSettings = part({ WEBHOOK_OWN_HOSTS, WEBHOOK_LOOPBACK }, (env) => ({
  ownHosts: env.WEBHOOK_OWN_HOSTS ?? [],
  permitsLoopback: env.WEBHOOK_LOOPBACK === 'true',
}))

/** How many events of a minute a webhook gets, and how many messages are handled at a time (D122). */
export const webhookDeliverySettings = part(
  { WEBHOOK_EVENTS_PER_MINUTE, WEBHOOK_DELIVERIES },
  (env) => ({
    eventsPerMinute: env.WEBHOOK_EVENTS_PER_MINUTE,
    deliveries: env.WEBHOOK_DELIVERIES,
  }),
)

/** The limits of test messages (D121); an absent one does not apply. */
export const webhookTestLimits = part(
  { WEBHOOK_TESTS_PER_PRODUCT_AND_HOUR, WEBHOOK_TESTS_PER_HOST_AND_HOUR },
  (env) => ({
    tests: present(limitOf('webhook_tests', env.WEBHOOK_TESTS_PER_PRODUCT_AND_HOUR, perHour)),
    testsOfHost: present(
      limitOf('webhook_tests_by_host', env.WEBHOOK_TESTS_PER_HOST_AND_HOUR, perHour),
    ),
  }),
)

/** The limit of replays (D121); an absent one does not apply. */
export const webhookReplayLimits = part({ WEBHOOK_REPLAYS_PER_HOUR }, (env) => ({
  replays: present(limitOf('webhook_replays', env.WEBHOOK_REPLAYS_PER_HOUR, perHour)),
}))
