import type { KMSClient } from '@aws-sdk/client-kms'
import { type OperationId, operationIds, routes } from '../../../functions/operations.ts'
import type { Route } from '../../../lib/contract/route.ts'
import type { Received, Sent } from '../requests/client.ts'
import type { OwnService } from '../services/own-service.ts'
import { keyElsewhere, kmsKey, publicKeysOf, type SigningKey } from './rotated-keys.ts'

/** The keys of a rotation, from key a to key b. */
export type KeyName = 'a' | 'b'

/** Calls the function of an operation at a step of a rotation. */
export type Ask = (id: OperationId, sent?: Sent) => Promise<Received>

/** A kind of token whose key is rotated. */
interface RotatedTokens {
  keys: Record<KeyName, SigningKey>
  /** The environment variables of functions with these keys. */
  variables(keySettings: string): Record<string, string>
  typ: string
  claims: Record<string, unknown>
  /** The operations that verify such a token, and the request that sends it. */
  operations: OperationId[]
  sent(token: string): Sent
  /** Makes a function sign a token, for the kinds that functions sign. */
  mint?(ask: Ask): Promise<string>
}

/** Player tokens with the public keys of the deployment and of KMS, user JWTs, and user JWTs of an external login, for one player; each with two keys. */
export async function rotatedTokens(
  { newPlayer, newProduct, userJwt, stack }: OwnService,
  kms: KMSClient,
): Promise<[string, RotatedTokens][]> {
  const { userId, username, wallets } = await newPlayer()
  const apiKey = await newProduct()
  const { issuer: iss, audience } = stack.userJwtKey
  const { PLAYER_TOKEN_AUDIENCE: aud } = stack.functions['create-player-token']?.env ?? {}
  const sub = `${userId}`

  const playerTokens: RotatedTokens = {
    keys: { a: await kmsKey(kms), b: await kmsKey(kms) },
    variables: (arns) => ({ PLAYER_TOKEN_KEY_ARNS: arns, PLAYER_TOKEN_PUBLIC_KEYS: '' }),
    typ: 'player+jwt',
    claims: { iss, aud, sub, jti: 'test' },
    operations: operationIds.filter((id) => (routes[id] as Route).player),
    sent: (playerToken) => ({ apiKey, playerToken }),
    async mint(ask) {
      const user = await userJwt({ userId, username, wallets })
      return (await ask('createPlayerToken', { userJwt: user })).json.data.token
    },
  }
  const userJwts: RotatedTokens = {
    keys: { a: await kmsKey(kms), b: await kmsKey(kms) },
    variables: (arns) => ({ USER_JWT_KEY_ARNS: arns }),
    typ: 'JWT',
    claims: { iss, aud: audience, sub, username, wallets },
    operations: operationIds.filter((id) => routes[id].auth === 'USER'),
    sent: (token) => ({ userJwt: token }),
  }
  const userJwtsOfElsewhere: RotatedTokens = {
    ...userJwts,
    keys: { a: keyElsewhere(), b: keyElsewhere() },
    variables: (publicKeys) => ({ USER_JWT_KEY_ARNS: '', USER_JWT_PUBLIC_KEYS: publicKeys }),
  }
  const playerTokensOfDeployment: RotatedTokens = {
    ...playerTokens,
    variables: (arns) => ({
      PLAYER_TOKEN_KEY_ARNS: arns,
      PLAYER_TOKEN_PUBLIC_KEYS: publicKeysOf(Object.values(playerTokens.keys), arns),
    }),
  }
  return [
    ['player tokens', playerTokensOfDeployment],
    ['player tokens, with keys that functions read', playerTokens],
    ['user JWTs', userJwts],
    ['user JWTs of an external login', userJwtsOfElsewhere],
  ]
}
