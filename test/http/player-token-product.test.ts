import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { accepted, callers, capturedLog, goodApiKey, invoke } from '../support/memory/http-chain.ts'
import { productId as own } from '../support/memory/owned-nfts.ts'

const other = 'another product' as ProductId

/** Reads with a player token for this product, or for every game, under the rule of the deployment. */
async function read(
  productId: ProductId | undefined,
  rule: 'optional' | 'required',
  apiKey?: string,
) {
  const handler = lambda(
    operation(routes.getRawMetadata, async (input) => {
      expect(input).not.toHaveProperty('playerToken')
      return { data: [], asOf: 0 }
    }),
    {
      ...callers,
      playerTokens: {
        verify: async () => ({ userId: 42, issuedAt: 0, ...(productId && { productId }) }),
      },
      playerTokenProduct: rule,
    },
  )
  const { headers, query } = accepted
  const { statusCode, json } = await invoke(handler, {
    query,
    headers: { ...headers, ...(apiKey !== undefined && { 'x-api-key': apiKey }) },
  })
  return [statusCode, json.code, json.detail]
}

beforeEach(() => {
  capturedLog()
})

const done = [200, undefined, undefined]
const otherGame = [
  401,
  'invalid_player_token',
  'The player token is for the game of another product.',
]
const noGame = [
  401,
  'invalid_player_token',
  'The player token is not for one game, as this service requires; create a player token for this product with the parameter productId of GET /api/public/v1/player/token.',
]

describe('D52: the product of a player token', () => {
  test.each([
    [undefined, 'optional', done],
    [own, 'optional', done],
    [other, 'optional', otherGame],
    [undefined, 'required', noGame],
    [own, 'required', done],
    [other, 'required', otherGame],
  ] as const)('D52: %s, where it is %s', async (productId, rule, expected) => {
    expect(await read(productId, rule)).toEqual(expected)
  })

  test('D3: the API key is checked first', async () => {
    expect((await read(other, 'required', 'x'))[1]).toBe('invalid_api_key')
    expect((await read(other, 'required', `0${goodApiKey.slice(1)}`))[1]).toBe('invalid_api_key')
  })
})
