import { type OperationId, operationIds, routes } from '../lib/contract/routes.ts'
import type { VariableName } from '../lib/settings/rules.ts'
import type { BackgroundQueue } from './background-queue.ts'
import { environment, type Grant } from './grant.ts'
import type { IndexerSecret } from './indexer-secret.ts'
import { limitGrants } from './limit-grants.ts'
import type { OriginSecrets } from './origin-secrets.ts'
import type { ServiceTable } from './service-table.ts'
import { type Settings, variablesOf } from './settings.ts'
import type { SigningKeys } from './signing-keys.ts'

/** The resources that the functions use. */
export interface Resources {
  readonly table: ServiceTable
  readonly playerTokenKeys: SigningKeys
  /** Undefined if the login signs with keys of its own (D22, D40). */
  readonly userJwtKeys: SigningKeys | undefined
  readonly queue: BackgroundQueue
  readonly indexerSecret: IndexerSecret
  /** Undefined without a distribution in front of the API (D54). */
  readonly originSecrets: OriginSecrets | undefined
}

const jwtClaimVariables = [
  'ISSUER',
  'USER_JWT_AUDIENCE',
  'PLAYER_TOKEN_ISSUERS',
  'PLAYER_TOKEN_AUDIENCE',
] as const

type Grants = Record<OperationId | 'workQueue', readonly Grant[]>

/** The permissions and environment variables of each function: exactly those that its code needs. */
export function permissions(
  { table, playerTokenKeys, userJwtKeys, queue, indexerSecret, originSecrets }: Resources,
  settings: Settings,
): Grants {
  const settingsOf = (...names: VariableName[]) => environment(variablesOf(settings, ...names))
  const verifyUserJwt =
    userJwtKeys?.grantVerify() ??
    (settings.loginJwksUrl
      ? settingsOf('USER_JWT_JWKS_URL', 'USER_JWT_ALGORITHMS')
      : settingsOf('USER_JWT_PUBLIC_KEYS', 'USER_JWT_ALGORITHM'))
  const jwtClaims = settingsOf(...jwtClaimVariables)
  const isAssigned = settings.userIds === 'assigned'
  const verifyPlayerToken = [playerTokenKeys.grantVerify(), jwtClaims]
  const believeEdge = originSecrets ? [originSecrets.grantBelieve()] : []
  const limits = limitGrants(table, settings)
  const readPlayerNfts = [
    table.grant('GetItem', 'Query', 'BatchGetItem', 'UpdateItem'),
    ...limits.indexer,
    indexerSecret.grantRead(),
    ...verifyPlayerToken,
    settingsOf('PLAYER_TOKEN_PRODUCT', 'CLIENT_READS_PER_PLAYER_AND_MINUTE'),
    settingsOf(
      'CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_MINUTE',
      'CLIENT_INDEXER_CALLS_PER_PRODUCT_AND_DAY',
    ),
  ]
  const grants: Grants = {
    registerProduct: [table.grant('PutItem', 'UpdateItem'), ...limits.registration, ...believeEdge],
    getProduct: [table.grant('GetItem', 'UpdateItem')],
    updateProduct: [table.grant('GetItem', 'PutItem', 'UpdateItem')],
    deleteProduct: [table.grant('GetItem', 'PutItem', 'UpdateItem'), queue.grantSend()],
    createKey: [table.grant('GetItem', 'PutItem', 'UpdateItem', 'DeleteItem')],
    listKeys: [table.grant('GetItem', 'Query', 'UpdateItem')],
    rotateKey: [table.grant('GetItem', 'PutItem', 'UpdateItem', 'DeleteItem')],
    endKey: [table.grant('GetItem', 'PutItem', 'UpdateItem', 'DeleteItem')],
    allowlistNfts: [
      table.grant('GetItem', 'UpdateItem', 'Query', 'PutItem', 'BatchWriteItem'),
      ...limits.allowlisting,
      settingsOf('ALLOWLIST_CHAINS'),
    ],
    getAllowedNfts: [table.grant('GetItem', 'Query', 'UpdateItem')],
    getContracts: [table.grant('GetItem', 'Query', 'UpdateItem')],
    getEvents: [table.grant('GetItem', 'Query', 'UpdateItem')],
    getUsage: [table.grant('GetItem', 'Query', 'UpdateItem')],
    unbindContract: [
      table.grant('GetItem', 'PutItem', 'UpdateItem', 'DeleteItem'),
      queue.grantSend(),
    ],
    unbindNfts: [table.grant('GetItem', 'PutItem', 'UpdateItem', 'DeleteItem')],
    unbindNftList: [
      table.grant('GetItem', 'PutItem', 'UpdateItem', 'BatchGetItem', 'BatchWriteItem'),
    ],
    refreshMetadata: [
      table.grant('GetItem', 'Query', 'PutItem', 'UpdateItem'),
      ...limits.refresh,
      ...limits.indexer,
      indexerSecret.grantRead(),
      queue.grantSend(),
    ],
    getRawMetadata: readPlayerNfts,
    getStructuredMetadata: [...readPlayerNfts, settingsOf('IPFS_GATEWAY', 'ARWEAVE_GATEWAY')],
    getPublicKey: [verifyUserJwt],
    createPlayerToken: [
      // A read follows only when the write of the sign-in finds its conditions not met.
      table.grant('GetItem', 'UpdateItem', ...(isAssigned ? (['PutItem'] as const) : [])),
      verifyUserJwt,
      playerTokenKeys.grantSign(),
      jwtClaims,
      settingsOf(
        'USER_ID_CLAIM',
        'USERNAME_CLAIM',
        'WALLETS_CLAIM',
        'USER_IDS',
        'USER_JWT_MAX_LIFETIME_SECONDS',
        'PLAYER_TOKEN_PRODUCT',
      ),
      ...limits.playerToken,
    ],
    getPlayerDetails: [
      ...limits.playerDetails,
      indexerSecret.grantRead(),
      ...verifyPlayerToken,
      settingsOf('SERVICE_TOKEN'),
    ],
    getKeySet: [verifyUserJwt, playerTokenKeys.grantVerify()],
    getOpenapi: [],
    workQueue: [
      table.grant('GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'),
      ...limits.worker,
      ...limits.refresh,
      indexerSecret.grantRead(),
      queue.grantSend(),
      queue.grantConsume(),
    ],
  }
  return withGrant(settingsOf('USAGE_DELAY_SECONDS'), grants)
}

/** The grants, with another grant for each operation with an API key. */
function withGrant(grant: Grant, grants: Grants): Grants {
  const ofProducts = operationIds.filter((id) => routes[id].auth === 'PRODUCT')
  const added = ofProducts.map((id) => [id, [...grants[id], grant]])
  return { ...grants, ...Object.fromEntries(added) }
}
