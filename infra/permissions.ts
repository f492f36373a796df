import type { OperationId } from '../lib/contract/routes.ts'
import type { WorkQueue } from './background-queue.ts'
import { type Access, settings as given } from './grant.ts'
import type { Indexer } from './indexer-secret.ts'
import type { ServiceTable } from './service-table.ts'
import type { Settings } from './settings.ts'
import type { SigningKeys } from './signing-keys.ts'

/** What the functions stand on. */
export interface Resources {
  readonly table: ServiceTable
  readonly playerTokenKeys: SigningKeys
  /** None: the login lives elsewhere, and the settings have its public keys (D22). */
  readonly userJwtKeys: SigningKeys | undefined
  readonly queue: WorkQueue
  readonly indexer: Indexer
}

/** All that the function of each operation, and the worker, may do and know: what its code does. */
export function permissions(
  { table, playerTokenKeys, userJwtKeys, queue, indexer }: Resources,
  settings: Settings,
): Record<OperationId | 'workQueue', readonly Access[]> {
  const userJwtsVerified = userJwtKeys?.verified() ?? loginElsewhere(settings)
  const tokens = given({
    ISSUER: settings.issuer,
    USER_JWT_AUDIENCE: settings.userJwtAudience,
    PLAYER_TOKEN_AUDIENCE: settings.playerTokenAudience,
  })
  const playersIdentified = [playerTokenKeys.verified(), tokens]
  const playerNftsRead = [
    table.may('GetItem', 'Query', 'BatchGetItem'),
    indexer.asked(),
    ...playersIdentified,
  ]
  return {
    registerProduct: [table.may('PutItem')],
    getProduct: [table.may('GetItem')],
    allowlistNfts: [
      table.may('GetItem', 'UpdateItem', 'Query', 'PutItem', 'BatchWriteItem'),
      given({ ALLOWLIST_CHAINS: settings.allowlistChains.join(',') }),
    ],
    getAllowedNfts: [table.may('GetItem', 'Query')],
    unbindContract: [table.may('GetItem', 'DeleteItem'), queue.sent()],
    unbindNfts: [table.may('GetItem', 'DeleteItem')],
    refreshMetadata: [
      table.may('GetItem', 'Query', 'PutItem', 'DeleteItem'),
      indexer.asked(),
      queue.sent(),
    ],
    getRawMetadata: playerNftsRead,
    getStructuredMetadata: [
      ...playerNftsRead,
      given({ IPFS_GATEWAY: settings.ipfsGateway, ARWEAVE_GATEWAY: settings.arweaveGateway }),
    ],
    getPublicKey: [userJwtsVerified],
    createPlayerToken: [table.may('PutItem'), userJwtsVerified, playerTokenKeys.signed(), tokens],
    getPlayerDetails: [
      table.may('GetItem'),
      indexer.asked(),
      ...playersIdentified,
      given({ SERVICE_TOKEN: settings.serviceToken }),
    ],
    getKeySet: [userJwtsVerified, playerTokenKeys.verified()],
    getOpenapi: [],
    workQueue: [
      table.may('GetItem', 'Query', 'PutItem', 'BatchWriteItem'),
      indexer.asked(),
      queue.sent(),
      queue.worked(),
    ],
  }
}

const loginElsewhere = ({ loginPublicKeys = [], loginAlgorithm }: Settings): Access =>
  given({ USER_JWT_PUBLIC_KEYS: loginPublicKeys.join(','), USER_JWT_ALGORITHM: loginAlgorithm })
