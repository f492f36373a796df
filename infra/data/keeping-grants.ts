import type { VariableName } from '../../lib/settings/setting-table.ts'
import type { BackgroundQueue } from '../background/background-queue.ts'
import { environment, type Grant } from '../lambda/grant.ts'
import { isKeeping } from '../settings/feature-rules.ts'
import { type Settings, variablesOf } from '../settings/settings.ts'
import type { ServiceTable } from './service-table.ts'

/** The settings of functions that need to know what is kept. */
const whatIsKept = ['FOLLOWED_CHAINS', 'KEPT_CONTRACTS', 'METADATA_SECONDS'] as const

/**
 * The settings of kept holdings, and the permissions for what is kept (D152), by who has them. A deployment that keeps
 * nothing has the settings alone. All items are in partitions of their own, so that nobody who writes them can write others.
 */
export function keepingGrants(table: ServiceTable, queue: BackgroundQueue, settings: Settings) {
  const grants = (names: readonly VariableName[], ...ifKeeping: Grant[]): Grant[] => [
    environment(variablesOf(settings, ...names)),
    ...(isKeeping(settings) ? ifKeeping : []),
  ]
  return {
    /** The reads of a player's NFTs: they note that chains and contracts are in use, and what metadata is due. */
    reads: grants(
      whatIsKept,
      table.grantWrite(['FOLLOW', 'KEPTUSE', 'METADUE'], 'UpdateItem'),
      table.grantWrite(['KEPTWANT', 'META'], 'PutItem'),
    ),
    /** What says of contracts whether they are kept. */
    shown: grants(whatIsKept),
    /** A refresh writes the metadata that it has read (D155). */
    refresh: grants(
      whatIsKept,
      table.grantRead('BatchGetItem'),
      table.grantWrite(['META'], 'PutItem'),
    ),
    /** The follower brings the lists of holders to what has settled, and wakes the worker. */
    follower: grants(
      ['KEPT_CONTRACTS'],
      table.grantRead('BatchGetItem'),
      table.grantWrite(['KEPT', 'HOLD', 'HOLDING', 'KEPTLOG', 'KEPTSUM', 'KEPTOWN'], 'PutItem'),
      queue.grantSend(),
    ),
    /** The worker takes snapshots, audits them, deletes the lists of those that have ended, and asks for metadata that is due. */
    worker: grants(
      ['FOLLOWED_CHAINS', 'KEPT_CONTRACTS', 'KEPT_TOKENS'],
      table.grantRead('BatchGetItem'),
      table.grantWrite(
        ['KEPT', 'KEPTTRY', 'KEPTLISTS', 'KEPTOWN', 'HOLD', 'HOLDING', 'META'],
        'PutItem',
      ),
      table.grantWrite(['KEPTLISTS', 'KEPTCARE', 'KEPTCHOICE', 'METADUE'], 'UpdateItem'),
      table.grantWrite(['KEPT', 'KEPTTRY', 'KEPTWANT', 'METADUE'], 'DeleteItem'),
      table.grantWrite(['KEPTLISTS', 'KEPTOWN', 'HOLD', 'HOLDING'], 'BatchWriteItem'),
    ),
  }
}
