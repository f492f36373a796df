import { dynamoDeviceGrants } from '../../lib/adapters/dynamodb/device-grants.ts'
import { dynamoPlayerTokenCounts } from '../../lib/adapters/dynamodb/player-token-counts.ts'
import { dynamoProductAccess } from '../../lib/adapters/dynamodb/product-access.ts'
import { dynamoRefreshFamilies } from '../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../lib/adapters/dynamodb/table.ts'
import { dynamoWalletLists } from '../../lib/adapters/dynamodb/wallet-lists.ts'
import { hmacDeviceCodes, hmacRefreshTokens } from '../../lib/adapters/hmac/sign-in-texts.ts'
import { kmsPlayerTokenMint } from '../../lib/adapters/kms/player-token-mint.ts'
import { grantTypes } from '../../lib/contract/oauth.ts'
import { InvalidInput } from '../../lib/domain/failures.ts'
import { playerTokenLifetimeSeconds } from '../../lib/domain/player/player.ts'
import { type ProductId, parseProductId } from '../../lib/domain/product/product.ts'
import {
  InvalidClient,
  tokenFailure,
  UnsupportedGrantType,
} from '../../lib/domain/sign-in/failures.ts'
import {
  type IssuePorts,
  productOfRefreshToken,
  refreshTokens,
  tokensOfDevice,
} from '../../lib/domain/sign-in/issue-tokens.ts'
import type { Input } from '../../lib/http/endpoint.ts'
import { handlerOf } from '../../lib/http/lambda.ts'
import { requestSubject } from '../../lib/observability/request-subject.ts'
import { playerTokenLimit } from '../../lib/settings/limits.ts'
import { signInRuleSettings, signInSettings } from '../../lib/settings/sign-in.ts'
import { row } from './operation.ts'

const table = openTable()
const { secret } = signInSettings()

/** D110, D112: a player token for a game, with a refresh token or a device code, and the next refresh token. */
export const handler = handlerOf(
  row,
  {
    refreshTokens: hmacRefreshTokens(secret),
    families: dynamoRefreshFamilies(table),
    walletLists: dynamoWalletLists(table),
    deviceCodes: hmacDeviceCodes(secret),
    deviceGrants: dynamoDeviceGrants(table),
    playerTokenCounts: dynamoPlayerTokenCounts(table, playerTokenLimit()),
    productAccess: dynamoProductAccess(table),
    playerTokenMint: kmsPlayerTokenMint(),
    ...signInRuleSettings(),
  },
  async ({ body }, ports) => {
    const issue = issuers.get(body.grant_type)
    if (!issue) throw new UnsupportedGrantType()
    const { [issue.field]: text } = body
    if (text === undefined) throw new InvalidInput({ in: 'body', path: issue.field }, 'is required')
    const productId = await productOf(body, text, ports)
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
  },
)

/** The product of the client that a request names, or of its refresh token (D141). */
async function productOf(
  { grant_type: grantType, client_id: clientId }: Input<typeof row>['body'],
  text: string,
  ports: IssuePorts,
): Promise<ProductId> {
  if (clientId !== undefined) {
    const productId = parseProductId(clientId)
    if (!productId) throw new InvalidClient()
    return productId
  }
  if (grantType !== refreshToken) {
    throw new InvalidInput({ in: 'body', path: 'client_id' }, 'is required')
  }
  const productId = await productOfRefreshToken(text, ports)
  if (!productId) throw tokenFailure('invalid_grant')
  return productId
}

interface Issuer {
  field: 'refresh_token' | 'device_code'
  tokens: typeof tokensOfDevice
}

const [refreshToken, deviceCode] = grantTypes

const issuers: ReadonlyMap<string, Issuer> = new Map([
  [refreshToken, { field: 'refresh_token', tokens: refreshTokens }],
  [deviceCode, { field: 'device_code', tokens: tokensOfDevice }],
])
