import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { kmsPlayerTokenMint } from '../../lib/adapters/kms/player-token-mint.ts'
import { grantTypes } from '../../lib/contract/grant-types.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import { playerTokenLifetimeSeconds } from '../../lib/domain/player/player.ts'
import { parseProductId } from '../../lib/domain/product/product.ts'
import {
  InvalidClient,
  tokenFailure,
  UnsupportedGrantType,
} from '../../lib/domain/sign-in/failures.ts'
import {
  type DevicePorts,
  refreshTokens,
  tokensOfDevice,
} from '../../lib/domain/sign-in/issue-tokens.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { playerTokenLimit } from '../../lib/settings/limits.ts'
import { signInRuleSettings, signInSettings } from '../../lib/settings/sign-in.ts'
import { tokenPorts } from '../composition/sign-in-ports.ts'
import { row } from './operation.ts'

/** D110, D112: a player token for a game, with a refresh token or a device code, and the next refresh token. */
export const createToken = operation(row, async ({ body }, ports: DevicePorts) => {
  const issue = issuers.get(body.grant_type)
  if (!issue) throw new UnsupportedGrantType()
  const { [issue.field]: text, client_id: clientId } = body
  if (text === undefined) throw new InvalidInput({ in: 'body', path: issue.field }, 'is required')
  const productId = parseProductId(clientId)
  if (!productId) throw new InvalidClient()
  requestSubject.note({ productId })
  const issued = await issue.tokens(text, productId, Date.now(), ports)
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

interface Issuer {
  /** The field of the secret for which there are tokens. */
  field: 'refresh_token' | 'device_code'
  tokens: typeof tokensOfDevice
}

const [refreshToken, deviceCode] = grantTypes

/** How tokens are issued, by the grant type. */
const issuers: ReadonlyMap<string, Issuer> = new Map([
  [refreshToken, { field: 'refresh_token', tokens: refreshTokens }],
  [deviceCode, { field: 'device_code', tokens: tokensOfDevice }],
])

export const handler = lambda(createToken, {
  ...tokenPorts(openTable(), { ...signInSettings(), limit: playerTokenLimit() }),
  playerTokenMint: kmsPlayerTokenMint(),
  ...signInRuleSettings(),
})
