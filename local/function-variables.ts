import type { VariableName } from '../lib/settings/setting-table.ts'
import type { AwsAccess } from './aws/aws-access.ts'
import type { Resources } from './aws/provision.ts'
import { hasExternalLogin, type LocalSettings } from './settings.ts'
import { deliveries } from './triggers.ts'

/** The environment variables of the functions, as in lib/settings/setting-table.ts. */
export function functionVariables(
  settings: LocalSettings,
  aws: AwsAccess,
  resources: Resources,
  { indexerUrl, url }: { indexerUrl: string | undefined; url: string },
): Record<string, string> {
  const { accessKeyId, secretAccessKey, sessionToken } = aws.credentials
  return {
    AWS_REGION: aws.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(sessionToken && { AWS_SESSION_TOKEN: sessionToken }),
    ...(aws.endpoint && { AWS_ENDPOINT_URL: aws.endpoint }),
    TABLE_NAME: resources.tableName,
    QUEUE_URL: resources.queueUrl,
    PLAYER_TOKEN_KEY_ARNS: resources.playerTokenKeyArn,
    PLAYER_TOKEN_PUBLIC_KEYS: resources.playerTokenPublicKey,
    ...(!hasExternalLogin(settings) && { USER_JWT_KEY_ARNS: resources.userJwtKeyArn }),
    PLAYER_DIGEST_KEY: resources.playerDigestKey,
    SIGN_IN_SECRET: resources.signInSecret,
    SIGN_IN_PAGE: new URL(url).host,
    SIGN_IN_NEEDS_OPERATOR: 'false',
    SMART_ACCOUNTS: 'true',
    WEBHOOK_QUEUE_URL: resources.webhookQueueUrl,
    WEBHOOK_TEST_QUEUE_URL: resources.webhookTestQueueUrl,
    WEBHOOK_SECRETS: resources.webhookSecret,
    WEBHOOK_DELIVERIES: `${deliveries}`,
    // The servers that somebody tries webhooks with are on the same machine.
    WEBHOOK_LOOPBACK: 'true',
    INDEXER_SECRET_ARN: resources.indexerSecretArn,
    ...(indexerUrl && { INDEXER_URL: indexerUrl }),
    ...settings.passed,
  } satisfies Partial<Record<VariableName, string>>
}
