import { followerName } from '../lib/contract/follower-name.ts'
import type { Chain } from '../lib/domain/nft/chain.ts'
import { followerTimeoutSeconds } from '../lib/domain/time-budget.ts'
import type { ServiceTable } from './data/service-table.ts'
import type { IndexerSecret } from './keys/indexer-secret.ts'
import { environment, type Grant } from './lambda/grant.ts'
import type { ServiceFunctionProps } from './lambda/service-function.ts'
import { type Settings, variablesOf } from './settings/settings.ts'

/** A follower runs all the time, so its memory is on the bill. It needs little. */
const memoryMegabytes = 256

/** The invocation that ends and the one that begins. */
const concurrency = 2

/** The chains that are followed, each of them once. */
export const followedChainsOf = ({ followedChains = [] }: Settings): Chain[] => [
  ...new Set(followedChains),
]

/** What the function that follows a chain needs, beside what all functions have. Its grants are exactly its code's. */
export function followerProps(
  { table, indexerSecret }: { table: ServiceTable; indexerSecret: IndexerSecret },
  settings: Settings,
) {
  const grants: readonly Grant[] = [
    table.grantRead('GetItem', 'Query'),
    table.grantWrite(['FOLLOW', 'WALLET'], 'UpdateItem'),
    indexerSecret.grantRead(),
    environment(
      variablesOf(settings, 'FOLLOW_POLL_SECONDS', 'FOLLOW_LOGS_PER_MINUTE', 'SETTLING_SECONDS'),
    ),
  ]
  return {
    fileName: followerName,
    memoryMegabytes,
    grants,
    timeoutSeconds: followerTimeoutSeconds,
    reservedConcurrency: settings.reservedConcurrency === 'none' ? undefined : concurrency,
    allowRecursion: false,
  } satisfies Partial<ServiceFunctionProps>
}
