import { KEPT_CONTRACTS } from '../../lib/settings/keeping.ts'
import type { DeploymentSettings as Settings } from './deployment-setting-table.ts'
import { brokenRules } from './faults.ts'
import { isFollowing } from './reserved-concurrency.ts'
import { localStage } from './stages.ts'

// The rules of signing in with wallets (D113).

/** The host of the page on which players sign in; `undefined` if they cannot, or if the settings do not say it. */
export const signInPageOf = ({ walletSignIn, edge }: Settings): string | undefined =>
  walletSignIn && (walletSignIn.page ?? edge?.domain?.name)

/** Whether the operator must permit each product that signs players in (D115). */
export const needsOperator = ({ protection, registrationOpen }: Settings): boolean =>
  protection === 'prod' || registrationOpen

/** Whether a deployment has files for its distribution: the dashboard, or the page on which players sign in. */
export const hasPages = ({ dashboard, walletSignIn, edge }: Settings): boolean =>
  edge !== undefined && (dashboard || walletSignIn !== undefined)

export function signInFaults(settings: Settings): string[] {
  const { walletSignIn, edge, stage, userIds } = settings
  if (!walletSignIn) return []
  return brokenRules({
    'walletSignIn needs edge, for example "edge": {}, because CloudFront serves its page':
      !edge && stage !== localStage,
    'walletSignIn.page must be set without edge.domain: deploy without walletSignIn first, and set it to the host of the output EdgeUrl':
      signInPageOf(settings) === undefined,
    'userIds must be assigned with walletSignIn, because a subject could be the user id of a wallet: a deployment that has players with subject gives all of them new ids':
      userIds === 'subject' && stage !== localStage,
  })
}

/** Whether a deployment keeps who holds NFTs (D152). */
export const isKeeping = ({
  followedChains,
  keptContracts = KEPT_CONTRACTS.default,
}: {
  readonly followedChains?: readonly string[] | undefined
  readonly keptContracts?: number | undefined
}): boolean => isFollowing({ followedChains }) && keptContracts > 0

// The rules of webhooks (D121).

export const webhookFaults = (settings: Settings): string[] =>
  brokenRules({
    'webhooks needs followedChains, for example "followedChains": ["POLYGON"], because only followed chains have events':
      settings.webhooks !== undefined && !isFollowing(settings),
  })

/** The hosts of a deployment that its settings name, without ports: no webhook can be there (D120). */
export function ownHosts(settings: Settings): string[] {
  const { domain, edge } = settings
  const hosts = [domain?.name, edge?.domain?.name, signInPageOf(settings)]
  const names = hosts.flatMap((host) => (host ? [new URL(`https://${host}`).hostname] : []))
  return [...new Set(names)]
}
