import type { OperationIdWith } from '../functions/operations.ts'
import type { limitGrants } from './data/limit-grants.ts'
import type { Partitions, ServiceTable } from './data/service-table.ts'
import type { GeneratedSecrets } from './keys/generated-secrets.ts'
import type { IndexerSecret } from './keys/indexer-secret.ts'
import { environment, type Grant } from './lambda/grant.ts'
import { needsOperator, signInPageOf } from './settings/feature-rules.ts'
import { type Settings, variablesOf } from './settings/settings.ts'

/** The resources that the functions use. */
interface Resources {
  readonly table: ServiceTable
  readonly signInSecret: GeneratedSecrets | undefined
  readonly indexerSecret: IndexerSecret
}

/** What the functions share with others. */
interface Shared {
  readonly limits: ReturnType<typeof limitGrants>
  readonly believeEdge: readonly Grant[]
  readonly signPlayerToken: readonly Grant[]
  readonly namePlayers: Grant
}

/** Which products sign players in, for the functions that judge it or show it (D115). */
export const signInRule = (settings: Settings): Grant =>
  environment(settings.walletSignIn ? { SIGN_IN_NEEDS_OPERATOR: `${needsOperator(settings)}` } : {})

/** What the functions need that ask smart accounts about signatures (D158). */
const askAccounts = (
  indexerSecret: IndexerSecret,
  limits: Shared['limits'],
  { walletSignIn }: Settings,
): readonly Grant[] =>
  walletSignIn?.smartAccounts
    ? [environment({ SMART_ACCOUNTS: 'true' }), indexerSecret.grantRead(), ...limits.contractChecks]
    : []

/**
 * The permissions and environment variables of the functions with which players sign in with their wallets (D113): exactly those
 * that their code needs, beside those that follow from the row of each operation. Strangers call them, so each reads only the
 * kinds of items that it needs.
 */
export function signInPermissions(
  { table, signInSecret, indexerSecret }: Resources,
  settings: Settings,
  { limits, believeEdge, signPlayerToken, namePlayers }: Shared,
): Readonly<Record<OperationIdWith<'walletSignIn'>, readonly Grant[]>> {
  const secret = signInSecret ? [signInSecret.grantUse()] : []
  const page = environment({ SIGN_IN_PAGE: signInPageOf(settings) ?? '' })
  const read = (...kinds: Partitions[]) => table.grantReadOf(kinds, 'GetItem')
  const readPlayer = table.grantReadOf(['PLAYER'], 'GetItem', 'Query')
  const rule = signInRule(settings)
  const openChains = environment(variablesOf(settings, 'ALLOWLIST_CHAINS'))
  const acceptProofs = [
    table.grantWrite(['NONCE'], 'PutItem', 'DeleteItem'),
    ...limits.proofs,
    ...askAccounts(indexerSecret, limits, settings),
    ...believeEdge,
    ...secret,
    page,
    openChains,
  ]
  const changeWallets = [
    ...acceptProofs,
    readPlayer,
    read('WALLET'),
    table.grantWrite(['PLAYER', 'WALLET'], 'UpdateItem'),
  ]
  const endFamilies = [readPlayer, table.grantWrite(['PLAYER'], 'DeleteItem')]
  const readDevices = read('PLAYER', 'DEVICE', 'PRODUCT')
  const answerCode = [readDevices, ...limits.deviceGuesses, ...believeEdge, rule]
  return {
    createSignInMessage: [read('PLAYER', 'PRODUCT'), ...secret, page, openChains, rule],
    signIn: [
      ...changeWallets,
      ...endFamilies,
      read('PRODUCT', 'USER'),
      table.grantWrite(['PLAYER', 'USER'], 'PutItem'),
      namePlayers,
      rule,
    ],
    getSignedInUser: [read('PLAYER')],
    addWallet: [
      ...changeWallets,
      ...endFamilies,
      read('USER'),
      table.grantWrite(['PLAYER'], 'PutItem'),
      // Of a user whose last wallet moves, who ends as forgotten (D48).
      table.grantWrite(['USER'], 'DeleteItem'),
      table.grantWrite(['PLAYER', 'WALLET'], 'BatchWriteItem'),
    ],
    removeWallet: [
      ...changeWallets,
      ...endFamilies,
      table.grantWrite(['PLAYER'], 'BatchWriteItem'),
    ],
    signOut: [...endFamilies, table.grantWrite(['PLAYER'], 'UpdateItem', 'BatchWriteItem')],
    getGames: [readPlayer, read('PRODUCT')],
    endAccess: endFamilies,
    authorizeDevice: [
      read('PRODUCT'),
      table.grantWrite(['DEVICE'], 'PutItem'),
      ...limits.deviceCodes,
      ...believeEdge,
      ...secret,
      page,
      rule,
    ],
    getDeviceRequest: answerCode,
    decideDeviceRequest: [
      ...answerCode,
      ...endFamilies,
      table.grantWrite(['PLAYER'], 'PutItem'),
      table.grantWrite(['PLAYER', 'DEVICE'], 'UpdateItem'),
    ],
    createToken: [
      readDevices,
      table.grantWrite(['PLAYER'], 'DeleteItem'),
      table.grantWrite(['PLAYER', 'DEVICE'], 'UpdateItem'),
      ...secret,
      ...signPlayerToken,
      ...limits.playerToken,
      rule,
    ],
    getAuthorizationServer: [page],
  }
}
