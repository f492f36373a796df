import { dirname, join } from 'node:path'
import { SecretsManager } from '@aws-sdk/client-secrets-manager'
import { STS } from '@aws-sdk/client-sts'
import { samples } from '@player-nfts/local/samples'
import { limits } from '../../infra/settings/stages.ts'
import {
  type Cdk,
  devStackName,
  type Outputs,
  type Version,
} from '../../scripts/deploy-local/cdk.ts'
import { completeDeployment, runScript } from '../../scripts/deploy-local/complete-deployment.ts'
import type { Ministack } from '../../scripts/deploy-local/ministack.ts'
import type { Place } from '../../scripts/deploy-local/place.ts'
import type { Target } from '../support/services/service.ts'
import { resourcesOf } from './aws-lists.ts'

/** The tools and services that a deployment to the emulator needs. */
export interface Environment {
  python: string
  ministack: Ministack
  cdk: Cdk
  indexerUrl: string
  login: LoginRole
}

/** The role of the platform's login, which signs user JWTs (D22). */
export interface LoginRole {
  arn: string
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken: string }
}

/** A deployed version of the service. */
export interface Deployment extends Version {
  stackName: string
  outputs: Outputs
  target: Target
  edgeUrl: string
}

/** A place with the stack that is deployed to it. */
export interface Site {
  place: Place
  cdk: Cdk
  stackName: string
  settings: object
  /** Who signs user JWTs with the key of the stack. */
  login: Pick<Place['aws'], 'credentials'>
  /** Does what a place needs after a deployment. */
  complete?(version: Version): Promise<unknown>
  /** The address at which the place serves a distribution with these outputs. */
  edgeUrlOf(outputs: Outputs): string
}

const { chain, address, decimals, symbol } = samples.serviceToken

/** The settings of the deployment that the API tests call. */
export const settings = {
  stage: 'dev',
  issuer: 'player-nfts-deployed',
  userJwtAudience: 'player-nfts-deployed-platform',
  serviceToken: `${chain}:${address}:${decimals}:${symbol}`,
  usageDelaySeconds: 1,
  // The indexer of the sample world is never behind the block that it states.
  ...{ followedChains: ['POLYGON'], settlingSeconds: 1, webhooks: {} },
  edge: {},
  dashboard: true,
  // The API tests call more often than any caller may. Everything is still counted.
  ...Object.fromEntries(Object.keys(limits).map((name) => [name, 1_000_000])),
  indexerCallsPerProductAndMinute: 1_000_000,
  indexerCallsPerProductAndDay: 1_000_000,
}

/** The stage `dev` on the emulator. */
export const emulatorSite = ({ python, ministack, cdk, indexerUrl, login }: Environment): Site => ({
  place: ministack,
  cdk,
  stackName: devStackName,
  settings: { ...settings, indexerUrl, loginRoleArn: login.arn },
  login,
  complete: (version) => completeDeployment(python, ministack, version, devStackName),
  edgeUrlOf: emulatedEdgeUrl,
})

/** Changes the templates of a synthesized version. */
export type ChangeTemplates = (version: Version) => Promise<void>

/** Deploys a version of the service, with the changed settings and templates, over the previous version. */
export async function deployVersion(
  { place, cdk, stackName, settings: unchanged, login, complete, edgeUrlOf }: Site,
  name: string,
  changes: object = {},
  changeTemplates?: (version: Version) => Promise<void>,
): Promise<Deployment> {
  const version = await cdk.synth(name, { ...unchanged, ...changes })
  await changeTemplates?.(version)
  const outputs = await cdk.deploy(version)
  await complete?.(version)
  const userJwtKey = {
    ...place.aws,
    credentials: login.credentials,
    keyId: outputs.UserJwtKeyArn,
    issuer: settings.issuer,
    audience: settings.userJwtAudience,
  }
  console.log(`Deployed: ${name}`)
  const target = { url: outputs.ApiUrl, userJwtKey }
  return { ...version, stackName, outputs, target, edgeUrl: edgeUrlOf(outputs) }
}

/** Creates the role of the platform's login, which must exist before the stack, and assumes it. The stack grants its permissions. */
export async function makeLoginRole(python: string, ministack: Ministack): Promise<LoginRole> {
  const { account, aws } = ministack
  const name = 'platform-login'
  const Principal = { AWS: `arn:aws:iam::${account}:root` }
  const Statement = { Effect: 'Allow', Principal, Action: 'sts:AssumeRole' }
  const policy = JSON.stringify({ Version: '2012-10-17', Statement })
  const options = ['--role-name', name, '--assume-role-policy-document', policy]
  const cli = join(dirname(python), 'aws')
  await runScript(python, ministack, cli, 'iam', 'create-role', ...options)
  const arn = `arn:aws:iam::${account}:role/${name}`
  const assuming = { RoleArn: arn, RoleSessionName: 'login' }
  const { Credentials } = await new STS(aws).assumeRole(assuming)
  const { AccessKeyId = '', SecretAccessKey = '', SessionToken = '' } = Credentials ?? {}
  const secrets = { secretAccessKey: SecretAccessKey, sessionToken: SessionToken }
  return { arn, credentials: { accessKeyId: AccessKeyId, ...secrets } }
}

/** The address at which MiniStack serves the distribution. */
export function emulatedEdgeUrl({ ApiUrl, EdgeUrl }: Outputs): string {
  const url = new URL(EdgeUrl.replace('.cloudfront.net', '.cloudfront.localhost'))
  url.port = new URL(ApiUrl).port
  return url.origin
}

/** The secret that the distribution of a deployment sends to the API (D54). */
export async function originSecretOf(place: Place, stackName: string): Promise<string> {
  const secrets = await resourcesOf(place, stackName, 'AWS::SecretsManager::Secret')
  const origin = secrets.find((each) => each.LogicalResourceId?.startsWith('OriginSecrets'))
  const secret = { SecretId: origin?.PhysicalResourceId }
  return `${(await new SecretsManager(place.aws).getSecretValue(secret)).SecretString}`
}
