import * as v from 'valibot'
import { httpUrl, sqsDelaySeconds, text, texts } from './forms.ts'
import { part } from './part.ts'
import type { Setting } from './setting.ts'

export const AWS_REGION = { meaning: 'the AWS Region', form: text } as const satisfies Setting

export const AWS_ACCESS_KEY_ID = {
  meaning: 'the id of the access key for calls to AWS',
  form: text,
} as const satisfies Setting

export const AWS_SECRET_ACCESS_KEY = {
  meaning: 'the secret of the access key',
  form: text,
} as const satisfies Setting

export const AWS_SESSION_TOKEN = {
  meaning: 'the session token of temporary credentials',
  form: text,
  optional: true,
} as const satisfies Setting

export const AWS_ENDPOINT_URL = {
  meaning: 'an endpoint that replaces AWS for DynamoDB, KMS, SQS and Secrets Manager',
  form: httpUrl,
  optional: true,
} as const satisfies Setting

export const TABLE_NAME = {
  meaning: 'the name of the DynamoDB table',
  form: text,
} as const satisfies Setting

export const MAINTENANCE = {
  meaning:
    '`true` if the table must not be used, so that operations that need it fail with 503 (D44)',
  form: v.literal('true', 'must be true, or not set'),
  optional: true,
} as const satisfies Setting

export const QUEUE_URL = {
  meaning: 'the URL of the SQS queue of the background work',
  form: httpUrl,
} as const satisfies Setting

export const SWEEP_DELAY_SECONDS = {
  meaning:
    'the seconds from unbinding a contract to sweeping its entries, and from the end of a product to deleting its data: more than the timeout of any function, at most 900 (D19, D45)',
  form: sqsDelaySeconds,
  default: 60,
  inDeployment: 'sweepDelaySeconds',
} as const satisfies Setting

export const EDGE_SECRETS = {
  meaning:
    'the secrets that the CloudFront distribution sends: beside each of them, `CloudFront-Viewer-Address` is the address of the caller (D54)',
  form: texts,
  optional: true,
} as const satisfies Setting

export const PLAYER_DIGEST_KEY = {
  meaning: 'the key of the digests by which log lines name players (D72)',
  form: text,
} as const satisfies Setting

/** The AWS Region, the credentials, and an endpoint that replaces AWS. Lambda sets all but the endpoint. */
export const awsSettings = part(
  {
    AWS_REGION,
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
    AWS_SESSION_TOKEN,
    AWS_ENDPOINT_URL,
  },
  (env) => ({
    region: env.AWS_REGION,
    endpoint: env.AWS_ENDPOINT_URL,
    credentials: {
      accessKeyId: env.AWS_ACCESS_KEY_ID,
      secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
      ...(env.AWS_SESSION_TOKEN && { sessionToken: env.AWS_SESSION_TOKEN }),
    },
  }),
)

/** The DynamoDB table, and whether it must not be used (D44). */
export const tableSettings = part({ TABLE_NAME, MAINTENANCE }, (env) => ({
  tableName: env.TABLE_NAME,
  isInMaintenance: env.MAINTENANCE === 'true',
}))

/** The queue of the background work. `sweepDelaySeconds` exceeds the timeout of every function (D19). */
export const queueSettings = part({ QUEUE_URL, SWEEP_DELAY_SECONDS }, (env) => ({
  queueUrl: env.QUEUE_URL,
  sweepDelaySeconds: env.SWEEP_DELAY_SECONDS,
}))

/** The secrets that the CloudFront distribution in front of the API sends; empty without one (D54). */
export const edgeSettings = part({ EDGE_SECRETS }, (env) => ({ secrets: env.EDGE_SECRETS ?? [] }))

/** The key of the digests by which log lines name players (D72). */
export const playerDigestSettings = part({ PLAYER_DIGEST_KEY }, (env) => ({
  key: env.PLAYER_DIGEST_KEY,
}))
