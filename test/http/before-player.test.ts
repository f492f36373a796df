import { beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../../functions/operations.ts'
import type { ProductId } from '../../lib/domain/product/product.ts'
import type { KnownCaller } from '../../lib/http/caller.ts'
import { operation } from '../../lib/http/endpoint.ts'
import { lambda } from '../../lib/http/lambda.ts'
import { accepted, callers, capturedLog, invoke } from '../support/memory/http-chain.ts'
import { productId } from '../support/memory/owned-nfts.ts'

beforeEach(() => {
  capturedLog()
})

describe('beforePlayer', () => {
  const begins = operation(
    routes.getRawMetadata,
    async ({ begun }) => ({ data: [], asOf: begun }),
    {
      beforePlayer: (caller: KnownCaller, { begin }: { begin(caller: KnownCaller): number }) =>
        begin(caller),
    },
  )

  /** Reads with a player token for the game of a product. The player is read until something has begun. */
  async function read(game: ProductId) {
    const { promise: known, resolve: begin } = Promise.withResolvers<KnownCaller>()
    const handler = lambda(begins, {
      ...callers,
      begin: (caller) => {
        begin(caller)
        return 1_000
      },
      playerTokens: { verify: async () => ({ userId: 42, issuedAt: 0, productId: game }) },
      players: {
        ...callers.players,
        get: async () => ({ userId: 42, username: (await known).productId, wallets: [] }),
      },
    })
    const headers = { ...accepted.headers, 'cache-control': 'max-age=5' }
    const { json } = await invoke(handler, { ...accepted, headers })
    return { json, known }
  }

  test('begins while the player is read, and its result is in the input', async () => {
    const { json, known } = await read(productId)
    expect(json.asOf).toBe('1970-01-01T00:00:01.000Z')
    expect(await known).toEqual({ productId, acceptedAge: { maxAgeSeconds: 5 } })
  })

  test('D52: begins nothing for a player token of another game', async () => {
    const { json, known } = await read('another product' as ProductId)
    expect(json.code).toBe('invalid_player_token')
    expect(await Promise.race([known, 'nothing'])).toBe('nothing')
  })
})
