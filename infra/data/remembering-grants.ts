import { environment, type Grant } from '../lambda/grant.ts'
import { type Settings, variablesOf } from '../settings/settings.ts'
import type { ServiceTable } from './service-table.ts'

/**
 * The settings of remembering, and the permissions for what is kept (D65). A deployment that has not switched it on
 * has neither.
 */
export function rememberingGrants(table: ServiceTable, settings: Settings) {
  const { rememberSeconds = 0, followedChains = [] } = settings
  const isFollowing = followedChains.length > 0
  const isRemembering = rememberSeconds > 0 || isFollowing
  const variables = variablesOf(
    settings,
    'REMEMBER_SECONDS',
    'FOLLOWED_CHAINS',
    'REMEMBER_FOLLOWED_SECONDS',
    'SETTLING_SECONDS',
  )
  const readings: Grant[] = [
    environment(variables),
    ...(isRemembering ? [table.grantWrite(['WALLET'], 'PutItem')] : []),
    // The lease with which a read asks the follower to follow its contracts (D66), and the note about a reading (D87).
    ...(isFollowing ? [table.grantWrite(['FOLLOW', 'WALLET'], 'UpdateItem')] : []),
  ]
  const balances: Grant[] = [
    environment(variablesOf(settings, 'REMEMBER_SECONDS')),
    ...(rememberSeconds > 0
      ? [table.grantRead('BatchGetItem'), table.grantWrite(['WALLET'], 'BatchWriteItem')]
      : []),
  ]
  return { readings, balances }
}
