import type { Resources } from '@player-nfts/local/aws/provision'
import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'
import { expect, inject } from 'vitest'
import { bundleFile, workerName } from '../../../infra/bundle/bundle.ts'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import {
  delivererName,
  followerName,
  sweepOfWebhooks,
} from '../../../lib/contract/background-names.ts'
import type { TestAws } from '../aws/test-aws.ts'
import { startIamProxy } from '../proxies/iam-proxy.ts'
import { serviceTemplate } from '../service-template.ts'
import { startContainers, startGateway } from './containers.ts'
import { allowing, type Deployed, grantedFunctions } from './granted-functions.ts'
import { serviceAt } from './service.ts'

/** A service whose functions have the variables and permissions that the template gives them. */
export type GrantedService = Awaited<ReturnType<typeof startGrantedService>>

/** The timeout of the follower, which leaves six seconds for polls. */
const secondsOfFollower = 20

/** The worker starts no batch in this time before its timeout. */
const reserveSeconds = 20

/**
 * Runs the functions of the template of these settings. Each has an access key id that is its name, on
 * an AWS that denies all calls but those that its role allows. Ends with the test file.
 */
export async function startGrantedService(
  { access, resources }: TestAws,
  settings: Record<string, unknown>,
  playerTokenPublicKeys = resources.playerTokenPublicKey,
) {
  const deployed = {
    ...deployedAs(resources),
    DeploymentChecks: { PlayerTokenPublicKeys: playerTokenPublicKeys },
  }
  const granted = grantedFunctions(serviceTemplate(settings), deployed)
  const iam = await startIamProxy(
    access.endpoint ?? '',
    (caller, { permission, leadingKeys }) =>
      allowing(granted[caller]?.permissions ?? [], permission, leadingKeys),
    (address) => nameOf(address, deployed),
  )
  const definition = (name: string, variables?: Record<string, string>): LambdaFunction => ({
    file: bundleFile(inject('functionsDir'), name),
    env: {
      AWS_REGION: access.region,
      AWS_ACCESS_KEY_ID: name,
      AWS_SECRET_ACCESS_KEY: 'any',
      AWS_SESSION_TOKEN: 'any',
      AWS_ENDPOINT_URL: iam.url,
      // The indexer of a test is never behind, and a read is enough (D153).
      ...{ KEPT_FROM_READS: '1', OWNERS_LAG_SECONDS: '5' },
      ...(variables ?? granted[name]?.environment),
    },
    timeoutSeconds: granted[name]?.timeoutSeconds ?? 0,
  })
  const functions = Object.fromEntries(Object.keys(granted).map((name) => [name, definition(name)]))
  const { [workerName]: worker, [followerName]: follower } = functions
  const log: string[] = []
  const { invoke } = startContainers(
    {
      ...functions,
      'no time': { ...(worker as LambdaFunction), timeoutSeconds: reserveSeconds },
      ...(follower && { [followerName]: { ...follower, timeoutSeconds: secondsOfFollower } }),
    },
    (line) => log.push(line),
  )
  const url = await startGateway({ invoke })
  const { issuer = '', userJwtAudience: audience = '' } = deploymentSettings(settings)
  const userJwtKey = { ...access, keyId: resources.userJwtKeyArn, issuer, audience }
  return {
    ...serviceAt({ url, userJwtKey }),
    /** The permissions and variables of each function in the template. */
    granted,
    /** The proxy with the calls of the functions, passed on and denied. */
    iam,
    /** The output of the functions, line by line. */
    log,
    /** Makes the worker process a message; with `no time`, it sends the rest on immediately. */
    async work(message: string, time?: 'no time') {
      const event = { Records: [{ messageId: 'message', body: message }] }
      const result = await invoke(time ?? workerName, event)
      expect(result).toEqual({ ok: true, payload: '{"batchItemFailures":[]}' })
    },
    /** Invokes the follower, which polls for some seconds. */
    async follow() {
      expect(await invoke(followerName, {})).toMatchObject({ ok: true })
    },
    /** Invokes the function that delivers to webhooks, with its schedule or with a message of its queue. */
    async deliver(event: object) {
      const body = JSON.stringify(event)
      const message = { messageId: 'message', receiptHandle: 'handle', body }
      const isSchedule = 'kind' in event && event.kind === sweepOfWebhooks.kind
      const sent = isSchedule ? event : { Records: [message] }
      expect(await invoke(delivererName, sent)).toMatchObject({ ok: true })
    },
    /** Starts a function with these variables and Lambda's own, and returns its error message, or ''. */
    async start(name: string, variables: Record<string, string>) {
      const host = startContainers({ [name]: definition(name, variables) })
      const result = await host.invoke(name, {})
      await host.close()
      return result.ok ? '' : result.message
    },
  }
}

/** The local resources in place of the template's resources. */
const deployedAs = (local: Resources): Deployed => ({
  Table: { Ref: local.tableName, Arn: `arn:aws:dynamodb:::table/${local.tableName}` },
  WorkQueue: { Ref: local.queueUrl, Arn: 'arn:aws:sqs:::work' },
  WebhookQueue: { Ref: local.webhookQueueUrl, Arn: 'arn:aws:sqs:::webhooks' },
  WebhookQueueTests: { Ref: local.webhookTestQueueUrl, Arn: 'arn:aws:sqs:::webhook-tests' },
  PlayerTokenKeyKey1: { Arn: local.playerTokenKeyArn },
  UserJwtKeyKey1: { Arn: local.userJwtKeyArn },
  PlayerDigestKey1: { SecretString: local.playerDigestKey },
  SignInSecret1: { SecretString: local.signInSecret },
  WebhookSecretsSecret1: { SecretString: local.webhookSecret },
  OriginSecretsSecret1: { SecretString: 'the secret of the distribution' },
  IndexerKey: { Ref: local.indexerSecretArn, Arn: local.indexerSecretArn },
})

/** The name of the resource that a call addresses by its name, URL or ARN. */
const nameOf = (address: string, deployed: Deployed): string =>
  Object.keys(deployed).find((name) => Object.values(deployed[name] ?? {}).includes(address)) ??
  address
