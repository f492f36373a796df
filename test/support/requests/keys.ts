import type * as v from 'valibot'
import { expect } from 'vitest'
import type { listedKey } from '../../../lib/contract/answers.ts'
import type { Service } from '../services/service.ts'
import type { Call, Received } from './client.ts'

/** An API key in a response. */
export type KeyEntry = v.InferOutput<typeof listedKey>

/** The day in UTC, as `lastUsedOn` has it. */
export const today = (): string => new Date().toISOString().slice(0, 10)

/** Sends the requests of the operations on keys, with one API key. */
export const keysOf = (call: Call, apiKey: string) => ({
  create: (body: Record<string, unknown> = {}) =>
    call('POST /product/keys', {
      apiKey,
      body: { label: 'Game servers', scope: 'MANAGE', ...body },
    }),
  rotate: (keyId: string, body: Record<string, unknown> = {}) =>
    call('POST /product/keys/{keyId}/rotate', { apiKey, path: { keyId }, body }),
  end: (keyId: string) => call('DELETE /product/keys/{keyId}', { apiKey, path: { keyId } }),
  async list(): Promise<KeyEntry[]> {
    const { status, json, text } = await call('GET /product/keys', { apiKey })
    expect(status, text).toBe(200)
    return json.data
  },
})

/** A product with its keys, of which the first is that of its registration. */
export async function productWithKeys({ call, newProduct }: Pick<Service, 'call' | 'newProduct'>) {
  const apiKey = await newProduct()
  const keys = keysOf(call, apiKey)
  const [registration] = await keys.list()
  return { apiKey, keys, keyId: registration?.keyId ?? '' }
}

/** The key in a successful response. */
export function keyIn({ status, json, text }: Received): KeyEntry & { apiKey: string } {
  expect(status, text).toBe(200)
  return json.data
}
