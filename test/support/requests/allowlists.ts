import type * as v from 'valibot'
import { expect } from 'vitest'
import type { allowedNfts as answer } from '../../../lib/contract/answers.ts'
import type { Call } from './client.ts'

/** An entry of the allowlist in a response (specification 2.2). */
export type AllowedNft = v.InferOutput<typeof answer>[number]

/** The NFTs to allowlist; by default with a made-up description. */
export interface Allowlisting {
  contractAddress: string
  tokens: readonly string[]
  chain?: string
  contractDescription?: string
}

/** The body of an allowlisting that is accepted, with these changes. */
export const allowlistingBody = (changes: object) => ({
  contractDescription: 'Lanterns of the first season.',
  tokens: ['1'],
  ...changes,
})

/** Allowlists NFTs, expects success, and returns the entries. A 503 of a busy machine is repeated, as by a client (D17). */
export async function allowlist(
  call: Call,
  apiKey: string,
  allowlisting: Allowlisting,
): Promise<AllowedNft[]> {
  const body = allowlistingBody(allowlisting)
  const send = () => call('POST /product/tokens', { apiKey, body })
  let answer = await send()
  for (let tries = 1; answer.status === 503 && tries < 3; tries += 1) answer = await send()
  expect(answer.status, answer.text).toBe(200)
  return answer.json.data
}

/** The allowlist in one response, which is expected to be complete. */
export async function allowedNfts(call: Call, apiKey: string): Promise<AllowedNft[]> {
  const [whole = [], ...more] = await allowedPages(call, apiKey)
  expect(more).toEqual([])
  return whole
}

/** The token identifiers of {@link allowedNfts}. */
export const allowedTokenIds = async (call: Call, apiKey: string): Promise<string[]> =>
  (await allowedNfts(call, apiKey)).map(({ tokenId }) => tokenId)

/** The allowlist page by page, with `limit` entries each if a limit is given. */
export async function allowedPages(
  call: Call,
  apiKey: string,
  limit?: number,
): Promise<AllowedNft[][]> {
  const pages: AllowedNft[][] = []
  let cursor: string | undefined
  do {
    const query = { ...(limit && { limit: String(limit) }), ...(cursor && { cursor }) }
    const answer = await call('GET /product/tokens', { apiKey, query })
    expect(answer.status, answer.text).toBe(200)
    pages.push(answer.json.data)
    cursor = answer.json.nextCursor
  } while (cursor)
  return pages
}
