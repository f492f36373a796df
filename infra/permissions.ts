import type { OperationId } from '../lib/contract/routes.ts'
import type { BackgroundQueue } from './background-queue.ts'
import { environment, type Grant } from './grant.ts'
import type { IndexerSecret } from './indexer-secret.ts'
import type { ServiceTable } from './service-table.ts'
import type { Settings } from './settings.ts'
import type { SigningKeys } from './signing-keys.ts'

/** The resources that the functions use. */
export interface Resources {
  readonly table: ServiceTable
  readonly playerTokenKeys: SigningKeys
  /** Undefined if the login signs with keys of its own, whose public keys are in the settings (D22). */
  readonly userJwtKeys: SigningKeys | undefined
  readonly queue: BackgroundQueue
  readonly indexerSecret: IndexerSecret
}

/** The permissions and environment variables of each function: exactly those that its code needs. */
export function permissions(
  { table, playerTokenKeys, userJwtKeys, queue, indexerSecret }: Resources,
  settings: Settings,
): Record<OperationId | 'workQueue', readonly Grant[]> {
  const verifyUserJwt = userJwtKeys?.grantVerify() ?? publicKeysOfLogin(settings)
  const jwtClaims = environment({
    ISSUER: settings.issuer,
    USER_JWT_AUDIENCE: settings.userJwtAudience,
    PLAYER_TOKEN_AUDIENCE: settings.playerTokenAudience,
  })
  const verifyPlayerToken = [playerTokenKeys.grantVerify(), jwtClaims]
  const readPlayerNfts = [
    table.grant('GetItem', 'Query', 'BatchGetItem'),
    indexerSecret.grantRead(),
    ...verifyPlayerToken,
  ]
  return {
    registerProduct: [table.grant('PutItem')],
    getProduct: [table.grant('GetItem')],
    allowlistNfts: [
      table.grant('GetItem', 'UpdateItem', 'Query', 'PutItem', 'BatchWriteItem'),
      environment({ ALLOWLIST_CHAINS: settings.allowlistChains.join(',') }),
    ],
    getAllowedNfts: [table.grant('GetItem', 'Query')],
    unbindContract: [table.grant('GetItem', 'DeleteItem'), queue.grantSend()],
    unbindNfts: [table.grant('GetItem', 'DeleteItem')],
    refreshMetadata: [
      table.grant('GetItem', 'Query', 'PutItem', 'DeleteItem'),
      indexerSecret.grantRead(),
      queue.grantSend(),
    ],
    getRawMetadata: readPlayerNfts,
    getStructuredMetadata: [
      ...readPlayerNfts,
      environment({
        IPFS_GATEWAY: settings.ipfsGateway,
        ARWEAVE_GATEWAY: settings.arweaveGateway,
      }),
    ],
    getPublicKey: [verifyUserJwt],
    createPlayerToken: [
      table.grant('PutItem'),
      verifyUserJwt,
      playerTokenKeys.grantSign(),
      jwtClaims,
    ],
    getPlayerDetails: [
      table.grant('GetItem'),
      indexerSecret.grantRead(),
      ...verifyPlayerToken,
      environment({ SERVICE_TOKEN: settings.serviceToken }),
    ],
    getKeySet: [verifyUserJwt, playerTokenKeys.grantVerify()],
    getOpenapi: [],
    workQueue: [
      table.grant('GetItem', 'Query', 'PutItem', 'BatchWriteItem'),
      indexerSecret.grantRead(),
      queue.grantSend(),
      queue.grantConsume(),
    ],
  }
}

const publicKeysOfLogin = ({ loginPublicKeys = [], loginAlgorithm }: Settings): Grant =>
  environment({
    USER_JWT_PUBLIC_KEYS: loginPublicKeys.join(','),
    USER_JWT_ALGORITHM: loginAlgorithm,
  })
