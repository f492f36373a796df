import { loginIssuer, playerTokenProductRule, text, texts } from './forms.ts'
import { part } from './part.ts'
import { audienceFaults, playerTokenPublicKeyFaults } from './rules.ts'
import type { AtLeastOne, Setting } from './setting.ts'

export const ISSUER = {
  meaning:
    'the issuer (`iss`) of user JWTs, and of player tokens without `PLAYER_TOKEN_ISSUERS`: required without `LOGINS` (D21, D23)',
  form: loginIssuer,
  optional: true,
  inDeployment: 'issuer',
} as const satisfies Setting

export const USER_JWT_AUDIENCE = {
  meaning: 'the audience (`aud`) of user JWTs: required without `LOGINS` (D21)',
  form: text,
  optional: true,
  inDeployment: 'userJwtAudience',
} as const satisfies Setting

export const PLAYER_TOKEN_AUDIENCE = {
  meaning: 'the audience (`aud`) of player tokens, which must differ from that of user JWTs (D23)',
  form: text,
  inDeployment: 'playerTokenAudience',
} as const satisfies Setting

export const PLAYER_TOKEN_ISSUERS = {
  meaning:
    'the issuers (`iss`) of player tokens: all are accepted, and new player tokens get the first; required with `LOGINS` (D42)',
  form: texts,
  optional: true,
  inDeployment: 'playerTokenIssuers',
} as const satisfies Setting

export const PLAYER_TOKEN_PRODUCT = {
  meaning: 'whether a player token must be for the game of one product (D52)',
  form: playerTokenProductRule,
  default: 'optional',
  inDeployment: 'playerTokenProduct',
} as const satisfies Setting

export const PLAYER_TOKEN_KEY_ARNS = {
  meaning:
    'the ARNs of the KMS keys of player tokens: all keys are accepted, and the first key signs (D23)',
  form: texts,
} as const satisfies Setting

export const PLAYER_TOKEN_PUBLIC_KEYS = {
  meaning:
    'the public keys of the keys in `PLAYER_TOKEN_KEY_ARNS`, in their order, each as the base64 of its DER SubjectPublicKeyInfo: a function with them does not read the keys from KMS (D74)',
  form: texts,
  optional: true,
} as const satisfies Setting

/**
 * The issuer of user JWTs, the issuers of player tokens, and the audiences of both, which differ (D21, D23).
 * All issuers of player tokens are accepted, and new player tokens get the first (D42). With a list of logins, the issuer and
 * the audience of user JWTs can be undefined.
 */
export const tokenSettings = part(
  { ISSUER, USER_JWT_AUDIENCE, PLAYER_TOKEN_ISSUERS, PLAYER_TOKEN_AUDIENCE },
  (env) => ({
    issuer: env.ISSUER,
    userJwtAudience: env.USER_JWT_AUDIENCE,
    playerTokenIssuers: (env.PLAYER_TOKEN_ISSUERS ?? [env.ISSUER]) as AtLeastOne<string>,
    playerTokenAudience: env.PLAYER_TOKEN_AUDIENCE,
  }),
  (env) => [
    ...((env.PLAYER_TOKEN_ISSUERS ?? env.ISSUER) === undefined
      ? ['ISSUER or PLAYER_TOKEN_ISSUERS must be set']
      : []),
    ...audienceFaults(env),
  ],
)

/** Whether player tokens must be for the game of one product (D52). */
export const playerTokenProductSettings = part({ PLAYER_TOKEN_PRODUCT }, (env) => ({
  playerTokenProduct: env.PLAYER_TOKEN_PRODUCT,
}))

/** The ARNs of the KMS keys of player tokens. All keys are accepted, and the first key signs (D23). */
export const playerTokenKeySettings = part({ PLAYER_TOKEN_KEY_ARNS }, (env) => ({
  keyArns: env.PLAYER_TOKEN_KEY_ARNS as AtLeastOne<string>,
}))

/**
 * The same keys for verification, with their public keys (base64 of DER SubjectPublicKeyInfo) in the same order, if the
 * deployment has read them (D74).
 */
export const playerTokenVerificationSettings = part(
  { PLAYER_TOKEN_KEY_ARNS, PLAYER_TOKEN_PUBLIC_KEYS },
  (env) => ({
    keyArns: env.PLAYER_TOKEN_KEY_ARNS as AtLeastOne<string>,
    publicKeys: env.PLAYER_TOKEN_PUBLIC_KEYS as AtLeastOne<string> | undefined,
  }),
  (env) => playerTokenPublicKeyFaults(env),
)
