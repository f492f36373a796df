import type { DeploymentSettings as Settings } from './deployment-setting-table.ts'
import { isFollowing } from './reserved-concurrency.ts'
import { signInPageOf } from './sign-in-rules.ts'

// The rules of webhooks (D121).

/** The faults of the settings: a sentence without a full stop for each, which begins with the name of a setting. */
export const webhookFaults = (settings: Settings): string[] =>
  settings.webhooks && !isFollowing(settings)
    ? [
        'webhooks needs followedChains, for example "followedChains": ["POLYGON"], because only followed chains have events',
      ]
    : []

/** The hosts of a deployment that its settings name, without ports: no webhook can be there (D120). */
export function ownHosts(settings: Settings): string[] {
  const { domain, edge } = settings
  const hosts = [domain?.name, edge?.domain?.name, signInPageOf(settings)]
  const names = hosts.flatMap((host) => (host ? [new URL(`https://${host}`).hostname] : []))
  return [...new Set(names)]
}
