import { randomUUID } from 'node:crypto'
import { playerTokenLifetimeSeconds } from '../../domain/player/player.ts'
import type { PlayerTokenMint } from '../../domain/ports/players.ts'
import { playerTokenKeySettings, tokenSettings } from '../../settings/player-tokens.ts'
import { awsClient } from '../aws/aws-client.ts'
import { kmsJwtSigner } from './jwt-signer.ts'
import { kms, kmsPublicKeys } from './kms-keys.ts'

/** Mints player tokens with the first of the player token keys (D23, D52). */
export function kmsPlayerTokenMint(): PlayerTokenMint {
  const { playerTokenIssuers, playerTokenAudience } = tokenSettings()
  const [issuer] = playerTokenIssuers
  const [signingKeyArn] = playerTokenKeySettings().keyArns
  const client = awsClient(kms)
  const { current } = kmsPublicKeys(client, [signingKeyArn])
  const signer = kmsJwtSigner(client, signingKeyArn, current)

  return {
    async mint(userId, productId) {
      const iat = Math.floor(Date.now() / 1000)
      return await signer.sign(
        { typ: 'player+jwt' },
        {
          iss: issuer,
          aud: playerTokenAudience,
          sub: `${userId}`,
          iat,
          exp: iat + playerTokenLifetimeSeconds,
          jti: randomUUID(),
          // RFC 9068 section 2.2: the client that the token is for.
          ...(productId !== undefined && { client_id: productId }),
        },
      )
    },
  }
}
