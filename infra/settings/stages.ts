/** The defaults of a stage (D68). Those of `prod` keep data, and have none for what only the operator knows. */
export const protections = ['dev', 'prod'] as const

/**
 * The stage for AWS emulators. It has no alarms, CloudWatch dashboard or domain, its functions have the architecture
 * of this machine and a declared endpoint, and its resources have names that are known before the deployment.
 */
export const localStage = 'local'

/** The names of the resources that CloudFormation otherwise names, in the stage `local`. */
export interface ResourceNames {
  readonly table?: string
  readonly queue?: string
  readonly deadLetters?: string
  readonly indexerSecret?: string
  readonly webhooks?: string
  readonly webhookTests?: string
}

export const resourceNames = (stage: string, stackName: string): ResourceNames =>
  stage === localStage
    ? {
        table: stackName,
        queue: `${stackName}-work`,
        deadLetters: `${stackName}-dead-letters`,
        indexerSecret: `${stackName}/indexer-key`,
        webhooks: `${stackName}-webhooks`,
        webhookTests: `${stackName}-webhook-tests`,
      }
    : {}

/** The limits of all stages (D47) but `local`, against which people run load tests. */
export const limits = {
  registrationsPerHour: 100,
  registrationsPerAddressAndHour: 10,
  playerTokensPerUserAndHour: 60,
  playerDetailsPerPlayerAndMinute: 30,
  clientReadsPerPlayerAndMinute: 30,
  allowlistedNftsPerProductAndMinute: 60_000,
  nftsPerProduct: 1_000_000,
  newKeysPerProductAndDay: 100,
  refreshedNfts: 10_000,
  signInsPerHour: 36_000,
  signInsPerAddressAndHour: 600,
  refusedSignInsPerAddressAndHour: 60,
  contractChecksPerHour: 6_000,
  contractChecksPerAddressAndHour: 100,
  contractChecksPerAccountAndHour: 10,
  deviceCodesPerHour: 36_000,
  deviceCodesPerAddressAndHour: 200,
  deviceGuessesPerHour: 10,
  webhookTestsPerProductAndHour: 10,
  webhookTestsPerHostAndHour: 60,
  webhookReplaysPerHour: 4,
}

/** The defaults of a stage with the protection `dev`. Its tokens are not those of another stage. */
const devDefaults = (stage: string): Record<string, unknown> => ({
  protection: 'dev',
  issuer: `player-nfts-${stage}`,
  userJwtAudience: `player-nfts-${stage}-platform`,
  playerTokenAudience: `player-nfts-${stage}-games`,
  /** USDC, from its issuer's list: https://developers.circle.com/stablecoins/usdc-contract-addresses */
  serviceToken: 'POLYGON:0x3c499c542cef5e3811e1192ce70d8cc03d5c3359:6:USDC',
  registrationOpen: true,
  /** A new account has too few concurrent executions to reserve any of them. */
  reservedConcurrency: 'none',
  ...limits,
  keepData: false,
  logRetentionDays: 14,
})

/** The defaults of the stages that have a name here, by setting. */
export const stageDefaults: Readonly<
  Record<'dev' | 'local' | 'prod', Readonly<Record<string, unknown>>>
> = {
  dev: devDefaults('dev'),
  [localStage]: {
    issuer: 'player-nfts-local',
    userJwtAudience: 'player-nfts-local-platform',
    playerTokenAudience: 'player-nfts-local-games',
    serviceToken: 'POLYGON:0x3c499c542cef5e3811e1192ce70d8cc03d5c3359:6',
    awsEndpointUrl: 'http://127.0.0.1:4566',
    registrationOpen: true,
    reservedConcurrency: 'none',
    /** As with `npm start`. */
    usageDelaySeconds: 1,
    keepData: false,
    logRetentionDays: 1,
  },
  prod: { protection: 'prod', ...limits, keepData: true, logRetentionDays: 90 },
}

/** The defaults of the settings in a stage with this protection, or with that of its name. */
export function defaultsOf(stage: unknown, protection: unknown): Record<string, unknown> {
  if (stage === localStage) return stageDefaults.local
  if ((protection ?? stage) === 'prod') return stageDefaults.prod
  return devDefaults(typeof stage === 'string' ? stage : 'dev')
}
