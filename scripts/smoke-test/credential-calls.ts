import * as v from 'valibot'
import { routes } from '../../functions/operations.ts'
import { base } from '../../lib/contract/route.ts'
import type { Answer, Expected, Json } from './expected.ts'

/** With `no-cache`, an answer speaks of the indexer's latest block. An older answer is stale. */
const maxAgeSeconds = 600

/** 4.11, the one request that changes something: KMS signs a player token, of a user whom the login knows. */
export const login = (userJwt: string, productId?: string): Expected => ({
  title: 'A user JWT is exchanged for a player token',
  path: `${base}/player/token${productId ? `?productId=${encodeURIComponent(productId)}` : ''}`,
  headers: { authorization: `Bearer ${userJwt}` },
  status: 200,
  fault: ({ data }) =>
    v.is(routes.createPlayerToken.answer, data) ? undefined : 'data is not as 4.11 describes it',
})

/** 4.8, without what a deployment keeps: the indexer is asked for each wallet and chain. */
export const nftsRead = (apiKey: string, playerToken: string): Expected => ({
  title: "The indexer has the player's NFTs",
  path: `${base}/player/tokens/raw`,
  headers: { ...anew, 'x-api-key': apiKey, 'x-player-token': playerToken },
  status: 200,
  fault: freshFault(routes.getRawMetadata.answer),
})

/** 4.12, without what a deployment remembers: the indexer is asked for the balance of each wallet. */
export const detailsRead = (playerToken: string): Expected => ({
  title: "The indexer has the player's balance",
  path: `${base}/player/details`,
  headers: { ...anew, 'x-player-token': playerToken },
  status: 200,
  fault: freshFault(routes.getPlayerDetails.answer),
})

/** 4.2. A key of the scope READ may not read it: only a key that works gets this refusal (D46). */
export const productRead = (apiKey: string): Expected => ({
  title: 'The product of API_KEY is read',
  path: `${base}/product`,
  headers: { 'x-api-key': apiKey },
  status: 200,
  orProblem: 'insufficient_scope',
  fault: ({ data }) => (data?.productId ? undefined : 'the answer names no product'),
})

/** D37: the first contract of the product, if it has one and the key may read it. */
export const contractRead = (apiKey: string): Expected => ({
  title: 'The contracts of the product are read',
  path: `${base}/product/contracts?limit=1`,
  headers: { 'x-api-key': apiKey },
  status: 200,
  orProblem: 'insufficient_scope',
  fault: ({ data }) =>
    v.is(routes.getContracts.answer, data)
      ? undefined
      : 'data is not as the API reference describes it',
})

const anew = { 'cache-control': 'no-cache' }

/** What is wrong with an answer that has this data and `asOf` (D156), or undefined. */
function freshFault(data: v.GenericSchema) {
  const form = v.object({
    success: v.literal(true),
    data,
    asOf: v.pipe(v.string(), v.isoTimestamp()),
  })
  return (body: Json, { servedAt }: Answer): string | undefined => {
    const { success, issues } = v.safeParse(form, body)
    // The messages of valibot contain values of the player.
    if (!success)
      return `${v.getDotPath(issues[0]) ?? 'the body'} is not as 4.8 and 4.12 describe it`
    const ageSeconds = Math.round((servedAt - Date.parse(body.asOf)) / 1000)
    if (body.stale || ageSeconds > maxAgeSeconds) return `the answer is stale: as of ${body.asOf}`
    return undefined
  }
}

/** What a smoke test knows about the wallets and the product when the reads were right. */
export interface Evidence {
  /** The answer of 4.8. */
  nfts: { data: v.InferOutput<(typeof routes)['getRawMetadata']['answer']> }
  /** The answer of 4.12. */
  details: { data: v.InferOutput<(typeof routes)['getPlayerDetails']['answer']> }
  /** The answer about the contracts of the product, or undefined if the API key may not read them. */
  contracts: { data: v.InferOutput<(typeof routes)['getContracts']['answer']> } | undefined
}

/**
 * Why these answers could also come from a deployment whose indexer is never asked, or undefined. It is asked for a
 * player with a wallet, about a product with a contract. An NFT shows both. A balance shows the wallet.
 */
export function whyNotAsked({ nfts, details, contracts }: Evidence): string | undefined {
  if (nfts.data.length > 0) return undefined
  if (contracts === undefined) {
    return 'API_KEY has the scope READ and the player has no NFT of the product, so nothing shows that the product has a contract and the player a wallet'
  }
  if (contracts.data.length === 0) return 'the product has no contract'
  if (details.data.amountText !== '0') return undefined
  return 'the player has no NFT of the product and no balance, so nothing shows that the player has a wallet'
}
