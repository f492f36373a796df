import {
  chainList,
  claimPath,
  keySetAlgorithmList,
  keySetUrl,
  texts,
  userIdSource,
  userJwtAlgorithm,
  wholeNumber,
} from './forms.ts'
import { part } from './part.ts'
import { keySourceFaults, publicKeyFaults } from './rules.ts'
import type { AtLeastOne, Setting } from './setting.ts'

export const USER_JWT_KEY_ARNS = {
  meaning:
    'the ARNs of the KMS keys of user JWTs: all keys are accepted, and the first key is published (D32)',
  form: texts,
  optional: true,
} as const satisfies Setting

export const USER_JWT_PUBLIC_KEYS = {
  meaning:
    'the public keys of a login that signs with keys of its own, each as the base64 of its DER SubjectPublicKeyInfo: all keys are accepted, and the first key is published (D22, D32)',
  form: texts,
  optional: true,
  inDeployment: 'loginPublicKeys',
} as const satisfies Setting

export const USER_JWT_ALGORITHM = {
  meaning:
    'the algorithm with which the login signs: `ES256`, `ES384`, `RS256`, `PS256` or `EdDSA` (D22)',
  form: userJwtAlgorithm,
  default: 'ES256',
  inDeployment: 'loginAlgorithm',
} as const satisfies Setting

export const USER_JWT_JWKS_URL = {
  meaning:
    'the URL of the JWK set of a login that signs with keys of its own: all usable keys are accepted, and the first usable key is published (D40)',
  form: keySetUrl,
  optional: true,
  inDeployment: 'loginJwksUrl',
} as const satisfies Setting

export const USER_JWT_ALGORITHMS = {
  meaning:
    'the algorithms that are accepted from the login with this JWK set, of `ES256`, `ES384`, `ES512`, `RS256`, `RS384`, `RS512`, `PS256`, `PS384`, `PS512` and `EdDSA` (D40)',
  form: keySetAlgorithmList,
  default: ['RS256', 'ES256'],
  optional: true,
  inDeployment: 'loginAlgorithms',
} as const satisfies Setting

export const USER_ID_CLAIM = {
  meaning: 'the claim of user JWTs that identifies the user: a name, or a path with dots (D40)',
  form: claimPath,
  default: 'sub',
  optional: true,
  inDeployment: 'userIdClaim',
} as const satisfies Setting

export const USERNAME_CLAIM = {
  meaning: 'the claim of user JWTs with the username (D40)',
  form: claimPath,
  default: 'username',
  optional: true,
  inDeployment: 'usernameClaim',
} as const satisfies Setting

export const WALLETS_CLAIM = {
  meaning: 'the claim of user JWTs with the list of wallets (D40)',
  form: claimPath,
  default: 'wallets',
  optional: true,
  inDeployment: 'walletsClaim',
} as const satisfies Setting

export const WALLET_CHAINS = {
  meaning:
    'the chains on which the wallets of user JWTs count, of the covered chains; without it they count on all (D161)',
  form: chainList,
  optional: true,
  inDeployment: 'walletChains',
} as const satisfies Setting

export const USER_IDS = {
  meaning:
    'the source of user ids: `subject`, the claim itself, or `assigned`, an integer of its own for each issuer and user (D41)',
  form: userIdSource,
  default: 'subject',
  inDeployment: 'userIds',
} as const satisfies Setting

export const USER_JWT_MAX_LIFETIME_SECONDS = {
  meaning: 'the longest lifetime of a user JWT in seconds, from its `iat` to its `exp` (D53)',
  form: wholeNumber(60, 31_536_000),
  default: 86_400,
  inDeployment: 'userJwtMaxLifetimeSeconds',
} as const satisfies Setting

/**
 * The keys of user JWTs: the ARNs of KMS keys, the public keys (base64 of DER SubjectPublicKeyInfo) of a
 * login with keys of its own, or the URL of the login's JWK set; and the accepted algorithms. All keys are
 * accepted, and the first key is published (D22, D32, D40).
 */
export const userJwtKeySettings = part(
  {
    USER_JWT_KEY_ARNS,
    USER_JWT_PUBLIC_KEYS,
    USER_JWT_JWKS_URL,
    USER_JWT_ALGORITHM,
    USER_JWT_ALGORITHMS,
  },
  (env) => ({
    keyArns: env.USER_JWT_KEY_ARNS as AtLeastOne<string> | undefined,
    publicKeys: env.USER_JWT_PUBLIC_KEYS as AtLeastOne<string> | undefined,
    jwksUrl: env.USER_JWT_JWKS_URL,
    algorithms: (env.USER_JWT_JWKS_URL
      ? env.USER_JWT_ALGORITHMS
      : [env.USER_JWT_ALGORITHM]) as AtLeastOne<string>,
  }),
  (env) => [...keySourceFaults(env), ...publicKeyFaults(env)],
)

/** The claims of user JWTs, the source of user ids, and the longest lifetime of a user JWT (D40, D41, D53). */
export const userJwtClaimSettings = part(
  {
    USER_ID_CLAIM,
    USERNAME_CLAIM,
    WALLETS_CLAIM,
    WALLET_CHAINS,
    USER_IDS,
    USER_JWT_MAX_LIFETIME_SECONDS,
  },
  (env) => ({
    userIdClaim: env.USER_ID_CLAIM,
    usernameClaim: env.USERNAME_CLAIM,
    walletsClaim: env.WALLETS_CLAIM,
    walletChains: env.WALLET_CHAINS,
    userIds: env.USER_IDS,
    maxLifetimeSeconds: env.USER_JWT_MAX_LIFETIME_SECONDS,
  }),
)
