import type { OperationId } from '../functions/operations.ts'
import { isOfPlayer, type Route } from '../lib/contract/route.ts'
import type { VariableName } from '../lib/settings/setting-table.ts'
import type { BackgroundQueue } from './background/background-queue.ts'
import { keepingGrants } from './data/keeping-grants.ts'
import { limitGrants } from './data/limit-grants.ts'
import type { ServiceTable } from './data/service-table.ts'
import type { DeploymentChecks } from './deployment/deployment-checks.ts'
import type { GeneratedSecrets } from './keys/generated-secrets.ts'
import type { IndexerSecret } from './keys/indexer-secret.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import { environment, type Grant } from './lambda/grant.ts'
import { type Settings, variablesOf } from './settings/settings.ts'
import { signInPermissions, signInRule } from './sign-in-permissions.ts'
import {
  sendToWebhooks,
  showWebhooks,
  type WebhookResources,
  webhookPermissions,
} from './webhook-permissions.ts'

/** The resources that the functions use. */
export interface Resources extends WebhookResources {
  readonly table: ServiceTable
  readonly playerTokenKeys: SigningKeys
  /** Undefined if the login signs with keys of its own (D22, D40). */
  readonly userJwtKeys: SigningKeys | undefined
  readonly queue: BackgroundQueue
  readonly indexerSecret: IndexerSecret
  /** Undefined without a distribution in front of the API (D54). */
  readonly originSecrets: GeneratedSecrets | undefined
  readonly playerDigestKey: GeneratedSecrets
  /** Undefined in a deployment in which nobody signs in with a wallet (D113). */
  readonly signInSecret: GeneratedSecrets | undefined
  readonly deploymentChecks: DeploymentChecks
}

const jwtClaimVariables = [
  'ISSUER',
  'USER_JWT_AUDIENCE',
  'PLAYER_TOKEN_ISSUERS',
  'PLAYER_TOKEN_AUDIENCE',
] as const

type Grants = Readonly<
  Record<OperationId | 'workQueue' | 'followChains' | 'deliverWebhooks', readonly Grant[]>
>

/**
 * The permissions and variables of each function. One that is no operation of functions/operations.ts has those of its
 * row.
 */
export function permissions(
  resources: Resources,
  operations: readonly Route[],
  settings: Settings,
): Grants & Readonly<Record<string, readonly Grant[]>> {
  const { table, playerTokenKeys, userJwtKeys, queue, indexerSecret, originSecrets } = resources
  const settingsOf = (...names: VariableName[]) => environment(variablesOf(settings, ...names))
  const ofSingleLogin = () =>
    settings.loginJwksUrl
      ? settingsOf('USER_JWT_JWKS_URL', 'USER_JWT_ALGORITHMS')
      : settingsOf('USER_JWT_PUBLIC_KEYS', 'USER_JWT_ALGORITHM')
  const verifyUserJwt = [
    ...(userJwtKeys ? [userJwtKeys.grantVerify()] : []),
    ...(settings.logins ? [settingsOf('LOGINS')] : []),
    ...(userJwtKeys || settings.logins ? [] : [ofSingleLogin()]),
  ]
  const jwtClaims = settingsOf(...jwtClaimVariables)
  const isAssigned = settings.userIds === 'assigned'
  const playerTokenPublicKeys = [
    resources.deploymentChecks.grantPublicKeys(),
    // For a deployment that could not read one of the keys.
    playerTokenKeys.grantVerify(),
  ]
  const signPlayerToken = [playerTokenKeys.grantSign(), jwtClaims]
  const verifyPlayerToken = [...playerTokenPublicKeys, jwtClaims]
  const believeEdge = originSecrets ? [originSecrets.grantUse()] : []
  const limits = limitGrants(table, settings)
  const keeping = keepingGrants(table, queue, settings)
  // What a deployment remembers of balances (D156).
  const rememberBalances = [
    settingsOf('REMEMBER_SECONDS'),
    ...((settings.rememberSeconds ?? 0) > 0
      ? [table.grantRead('BatchGetItem'), table.grantWrite(['WALLET'], 'BatchWriteItem')]
      : []),
  ]
  // The first use of an API key on a day is noted with its product (D46).
  const readProduct = [table.grantRead('GetItem'), table.grantWrite(['PRODUCT'], 'UpdateItem')]
  // A change is recorded beside its product (D49).
  const changeProduct = [...readProduct, table.grantWrite(['PRODUCT'], 'PutItem')]
  const addKey = [
    ...changeProduct,
    table.grantWrite(['API_KEY'], 'PutItem', 'DeleteItem'),
    ...limits.newKeys,
  ]
  const readPlayerNfts = [
    ...readProduct,
    table.grantRead('Query', 'BatchGetItem'),
    ...limits.indexer,
    ...limits.clientIndexer,
    ...limits.clientReads,
    ...keeping.reads,
    indexerSecret.grantRead(),
    ...verifyPlayerToken,
    settingsOf('PLAYER_TOKEN_PRODUCT', 'ALLOWLIST_CHAINS'),
  ]
  const namePlayers = resources.playerDigestKey.grantUse()
  const grants: Grants = {
    registerProduct: [
      table.grantWrite(['PRODUCT', 'API_KEY'], 'PutItem'),
      table.grantWrite(['PRODUCT'], 'UpdateItem'),
      ...limits.registration,
      ...believeEdge,
    ],
    getProduct: [...readProduct, ...limits.shown, signInRule(settings)],
    updateProduct: [...changeProduct, ...limits.shown, signInRule(settings)],
    deleteProduct: [...changeProduct, queue.grantSend()],
    createKey: addKey,
    listKeys: [...readProduct, table.grantRead('Query')],
    rotateKey: addKey,
    endKey: [...changeProduct, table.grantWrite(['API_KEY'], 'DeleteItem')],
    allowlistNfts: [
      ...changeProduct,
      table.grantRead('Query'),
      table.grantWrite(['BINDING'], 'BatchWriteItem', 'PutItem'),
      ...limits.allowlisting,
      ...sendToWebhooks(resources),
      settingsOf('ALLOWLIST_CHAINS'),
    ],
    getAllowedNfts: [...readProduct, table.grantRead('Query')],
    getNfts: [
      ...readProduct,
      table.grantRead('Query'),
      ...limits.indexer,
      indexerSecret.grantRead(),
      settingsOf('IPFS_GATEWAY', 'ARWEAVE_GATEWAY'),
    ],
    getContracts: [...readProduct, table.grantRead('BatchGetItem', 'Query'), ...keeping.shown],
    getEvents: [...readProduct, table.grantRead('Query')],
    getUsage: [...readProduct, table.grantRead('Query')],
    getWebhookEvents: [
      ...readProduct,
      table.grantRead('Query', 'BatchGetItem'),
      table.grantWrite(['FOLLOW'], 'UpdateItem'),
      settingsOf('FOLLOWED_CHAINS', 'WEBHOOK_CONTRACTS'),
    ],
    unbindContract: [
      ...changeProduct,
      table.grantWrite(['PRODUCT'], 'DeleteItem'),
      queue.grantSend(),
    ],
    unbindNfts: [
      ...changeProduct,
      table.grantRead('BatchGetItem', 'Query'),
      table.grantWrite(['BINDING'], 'BatchWriteItem', 'DeleteItem'),
    ],
    unbindNftList: [
      ...changeProduct,
      table.grantRead('BatchGetItem', 'Query'),
      table.grantWrite(['BINDING'], 'BatchWriteItem'),
    ],
    refreshMetadata: [
      ...changeProduct,
      table.grantRead('Query'),
      ...limits.refresh,
      ...limits.indexer,
      ...keeping.refresh,
      indexerSecret.grantRead(),
      queue.grantSend(),
    ],
    getRawMetadata: readPlayerNfts,
    getStructuredMetadata: [...readPlayerNfts, settingsOf('IPFS_GATEWAY', 'ARWEAVE_GATEWAY')],
    getPublicKey: verifyUserJwt,
    createPlayerToken: [
      // A read follows only when the write of the sign-in finds its conditions not met.
      table.grantRead('GetItem'),
      table.grantWrite(['PLAYER'], 'UpdateItem'),
      ...(isAssigned ? [table.grantWrite(['PLAYER', 'USER'], 'PutItem')] : []),
      ...verifyUserJwt,
      ...signPlayerToken,
      ...believeEdge,
      settingsOf(
        'USER_ID_CLAIM',
        'USERNAME_CLAIM',
        'WALLETS_CLAIM',
        'WALLET_CHAINS',
        'USER_IDS',
        'USER_JWT_MAX_LIFETIME_SECONDS',
        'PLAYER_TOKEN_PRODUCT',
      ),
      ...limits.playerToken,
    ],
    getPlayerDetails: [
      ...limits.playerDetails,
      ...rememberBalances,
      indexerSecret.grantRead(),
      ...verifyPlayerToken,
      settingsOf('SERVICE_TOKEN'),
    ],
    getKeySet: [...verifyUserJwt, ...playerTokenPublicKeys],
    getOpenapi: [...showWebhooks(resources), signInRule(settings)],
    workQueue: [
      table.grantRead('GetItem', 'Query'),
      table.grantWrite(['PRODUCT'], 'PutItem', 'UpdateItem', 'DeleteItem'),
      table.grantWrite(['BINDING', 'PRODUCT', 'API_KEY'], 'BatchWriteItem'),
      ...limits.worker,
      ...limits.refresh,
      ...keeping.worker,
      indexerSecret.grantRead(),
      queue.grantSend(),
      queue.grantConsume(),
    ],
    followChains: [
      table.grantRead('GetItem', 'Query'),
      table.grantWrite(['FOLLOW'], 'UpdateItem'),
      ...keeping.follower,
      indexerSecret.grantRead(),
      ...sendToWebhooks(resources),
      settingsOf(
        'FOLLOWED_CHAINS',
        'FOLLOW_POLL_SECONDS',
        'FOLLOW_LOGS_PER_MINUTE',
        'SETTLING_SECONDS',
      ),
    ],
    ...webhookPermissions(resources, settings, { limits, readProduct, changeProduct }),
    ...signInPermissions(resources, settings, {
      ...{ limits, believeEdge, signPlayerToken, namePlayers },
    }),
  }
  const writeUsage = settingsOf('USAGE_DELAY_SECONDS')
  const ofRow = (route: Route) => [
    ...(route.auth === 'PRODUCT' ? [writeUsage] : []),
    ...(isOfPlayer(route) ? [namePlayers] : []),
  ]
  const own: Readonly<Record<string, readonly Grant[]>> = grants
  const ofOperations = operations.map((route) => [
    route.id,
    [...(own[route.id] ?? []), ...ofRow(route)],
  ])
  return { ...grants, ...Object.fromEntries(ofOperations) }
}
