import { expect } from 'vitest'
import type { Service } from '../services/service.ts'
import { allowlist } from './allowlists.ts'
import type { Received, Sent } from './client.ts'

/** Token identifiers of a contract that a product allowlists. */
export interface ToAllowlist {
  chain: string
  address: string
  tokenIds: readonly string[]
}

/** Creates a product with these NFTs on its allowlist, and returns its API key. */
export async function productWith(
  service: Service,
  ...contracts: readonly ToAllowlist[]
): Promise<string> {
  const apiKey = await service.newProduct()
  for (const { chain, address, tokenIds } of contracts) {
    await allowlist(service.call, apiKey, { chain, contractAddress: address, tokens: tokenIds })
  }
  return apiKey
}

/** Follows `nextCursor` to the last response, and returns all responses. Fails at the first that is not a success, and after 100. */
export async function readThrough(
  { call }: Service,
  operation: string,
  sent: Sent,
): Promise<Received[]> {
  const answers: Received[] = []
  let query = sent.query ?? {}
  for (;;) {
    const answer = await call(operation, { ...sent, query })
    expect(answer.status, answer.text).toBe(200)
    answers.push(answer)
    const { nextCursor } = answer.json
    if (nextCursor === undefined) return answers
    expect(answers.length).toBeLessThan(100)
    query = { ...sent.query, cursor: nextCursor }
  }
}

/** The entries of all responses, in order. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into any JSON
export const entriesOf = (answers: readonly Received[]): any[] =>
  answers.flatMap(({ json }) => json.data)

/** The entries of a response, byte for byte. */
export const dataIn = ({ text }: Pick<Received, 'text'>): string =>
  text.slice('{"data":['.length, text.lastIndexOf('],"success"'))
