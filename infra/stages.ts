/**
 * The stages. Deployments of the stages `dev` and `prod` differ only in the defaults of their settings. The stage
 * `local` is for AWS emulators: it has no alarms, dashboard or domain, its functions have the architecture of this
 * machine and a declared endpoint, and its resources have names that are known before the deployment.
 */
export const stages = ['dev', 'prod', 'local'] as const

export type Stage = (typeof stages)[number]

/** The names of the resources that CloudFormation otherwise names, in the stage `local`. */
export interface ResourceNames {
  readonly table?: string
  readonly queue?: string
  readonly deadLetters?: string
  readonly indexerSecret?: string
}

export const resourceNames = (stage: Stage, stackName: string): ResourceNames =>
  stage === 'local'
    ? {
        table: stackName,
        queue: `${stackName}-work`,
        deadLetters: `${stackName}-dead-letters`,
        indexerSecret: `${stackName}/indexer-key`,
      }
    : {}

/**
 * The limits of the stages `dev` and `prod` (D47). The stage `local` has none, because people run load tests
 * against it.
 */
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
}

/** The defaults that depend on the stage, by setting. */
export const stageDefaults: Record<Stage, Record<string, unknown>> = {
  dev: {
    issuer: 'player-nfts-dev',
    userJwtAudience: 'player-nfts-dev-platform',
    playerTokenAudience: 'player-nfts-dev-games',
    /** USDC, from its issuer's list: https://developers.circle.com/stablecoins/usdc-contract-addresses */
    serviceToken: 'POLYGON:0x3c499c542cef5e3811e1192ce70d8cc03d5c3359:6:USDC',
    registrationOpen: true,
    /** A new account has too few concurrent executions to reserve any of them. */
    reservedConcurrency: 'none',
    ...limits,
    keepData: false,
    logRetentionDays: 14,
  },
  local: {
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
  prod: { ...limits, keepData: true, logRetentionDays: 90 },
}
