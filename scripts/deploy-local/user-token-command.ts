import { samples } from '@player-nfts/local/samples'
import type { UserJwtKey } from '@player-nfts/local/user-jwt'

/** The line for a shell, in the root of the project, that prints a user JWT of a sample player, signed with the key of an emulator. */
export function userTokenCommand({
  endpoint = '',
  region,
  credentials,
  keyId,
  issuer,
  audience,
}: UserJwtKey): string {
  const variables = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    USER_JWT_KEY: keyId,
    ISSUER: issuer,
    USER_JWT_AUDIENCE: audience,
  }
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const player = samples.players.threeWallets.username
  return `${set.join(' ')} npm run --silent user-token -- --player ${player}`
}
