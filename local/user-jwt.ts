import { attemptsAt } from '../lib/adapters/aws/aws-attempts.ts'
import type { AwsClient } from '../lib/adapters/aws/aws-client.ts'
import { standardRetries } from '../lib/adapters/aws/aws-retries.ts'
import { kmsJwtSigner } from '../lib/adapters/kms/jwt-signer.ts'
import { kms, kmsPublicKeys } from '../lib/adapters/kms/kms-keys.ts'
import type { AwsAccess } from './aws/aws-access.ts'

/** The platform's key for user JWTs, with the issuer and the audience of its user JWTs. */
export interface UserJwtKey extends AwsAccess {
  /** A KMS key identifier, key ARN or alias. */
  keyId: string
  issuer: string
  audience: string
  /** The claims that the service reads, if they are not those of D21 (D40). */
  claims?: ClaimNames
}

/** The names of the claims of a user JWT. */
export type ClaimNames = Record<keyof UserClaims, string>

const ownNames: ClaimNames = { userId: 'sub', username: 'username', wallets: 'wallets' }

/** The user that a user JWT is about (D21). */
export interface UserClaims {
  userId: number
  username: string
  wallets: readonly string[]
}

/**
 * Mints a user JWT as the platform's login would, signed by KMS (D22). It expires after
 * `lifetimeSeconds`; a negative lifetime gives an expired JWT.
 */
export async function mintUserJwt(
  { keyId, issuer, audience, claims: names = ownNames, ...aws }: UserJwtKey,
  { userId, username, wallets }: UserClaims,
  lifetimeSeconds: number,
): Promise<string> {
  const { region, endpoint, credentials } = aws
  const attempt = attemptsAt(kms, { region, endpoint, credentials })
  const retried = standardRetries()
  // A person reads the error of KMS itself, for example that credentials have expired.
  const client: AwsClient = { send: (command) => retried((place) => attempt(command, place)) }
  const publicKey = kmsPublicKeys(client, [keyId]).current
  const issuedAt = Math.floor(Date.now() / 1000)
  return await kmsJwtSigner(client, keyId, publicKey).sign(
    { typ: 'JWT' },
    {
      iss: issuer,
      aud: audience,
      // A name with dots is read before a path with dots, so no claim needs an object.
      [names.userId]: String(userId),
      [names.username]: username,
      [names.wallets]: wallets,
      iat: issuedAt,
      exp: issuedAt + lifetimeSeconds,
    },
  )
}
