import { functionTimeoutSeconds } from '../lib/domain/time-budget.ts'

/** The kinds of deployment; they differ in these defaults and in nothing else. */
export const stages = ['dev', 'prod'] as const

export type Stage = (typeof stages)[number]

/** What both stages have. */
export const common = {
  allowlistChains: ['POLYGON', 'BSC'],
  loginAlgorithm: 'ES256',
  playerTokenKeys: ['1'],
  userJwtKeys: ['1'],
  registrationOpen: true,
  /** What AWS gives a Region of an account; new accounts begin lower. */
  accountConcurrency: 1_000,
  reservedConcurrency: {},
  slowestOpenCallSeconds: functionTimeoutSeconds,
  /** What Alchemy gives its free plan. */
  indexerUnitsPerSecond: 500,
  sweepDelaySeconds: 60,
}

/** What a deployment has unless its settings say otherwise. */
export const stageDefaults: Record<Stage, Record<string, unknown>> = {
  dev: {
    ...common,
    issuer: 'player-nfts-dev',
    userJwtAudience: 'player-nfts-dev-platform',
    playerTokenAudience: 'player-nfts-dev-games',
    /** USDC, by its issuer's list of contracts: https://developers.circle.com/stablecoins/usdc-contract-addresses */
    serviceToken: 'POLYGON:0x3c499c542cef5e3811e1192ce70d8cc03d5c3359:6',
    keepData: false,
    logRetentionDays: 14,
  },
  prod: { ...common, keepData: true, logRetentionDays: 90 },
}
