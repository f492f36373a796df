/** The stages. Two deployments of different stages differ only in the defaults of their settings. */
export const stages = ['dev', 'prod'] as const

export type Stage = (typeof stages)[number]

/** The defaults that depend on the stage, by setting. */
export const stageDefaults: Record<Stage, Record<string, unknown>> = {
  dev: {
    issuer: 'player-nfts-dev',
    userJwtAudience: 'player-nfts-dev-platform',
    playerTokenAudience: 'player-nfts-dev-games',
    /** USDC, from its issuer's list: https://developers.circle.com/stablecoins/usdc-contract-addresses */
    serviceToken: 'POLYGON:0x3c499c542cef5e3811e1192ce70d8cc03d5c3359:6:USDC',
    keepData: false,
    logRetentionDays: 14,
  },
  prod: { keepData: true, logRetentionDays: 90 },
}
