import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { kmsPlayerTokenMint } from '../../lib/adapters/kms/player-token-mint.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import { playerTokenLifetimeSeconds } from '../../lib/domain/player/player.ts'
import { parseProductId } from '../../lib/domain/product/product.ts'
import {
  InvalidClient,
  tokenFailure,
  UnsupportedGrantType,
} from '../../lib/domain/sign-in/failures.ts'
import { type IssuePorts, refreshTokens } from '../../lib/domain/sign-in/issue-tokens.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { accessPorts, signInDeployment } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

/** D110: replaces a refresh token by a player token for the game, and the next refresh token. */
export const createToken = operation(row, async ({ body }, ports: IssuePorts) => {
  const { grant_type: grantType, client_id: clientId, refresh_token: refreshToken } = body
  if (grantType !== 'refresh_token') throw new UnsupportedGrantType()
  if (refreshToken === undefined) {
    throw new InvalidInput({ in: 'body', path: 'refresh_token' }, 'is required')
  }
  const productId = parseProductId(clientId)
  if (!productId) throw new InvalidClient()
  requestSubject.note({ productId })
  const issued = await refreshTokens(refreshToken, productId, Date.now(), ports)
  if ('error' in issued) throw tokenFailure(issued.error)
  return {
    data: {
      access_token: issued.playerToken,
      token_type: 'Bearer' as const,
      expires_in: playerTokenLifetimeSeconds,
      refresh_token: issued.refreshToken,
    },
  }
})

export const handler = lambda(createToken, {
  ...accessPorts(openTable(), signInDeployment()),
  playerTokenMint: kmsPlayerTokenMint(),
})
