import { randomUUID } from 'node:crypto'
import { HttpError } from './http.ts'
import { get, put } from './table.ts'

/** Registers a product under its API key. */
export async function register(product: Record<string, unknown>): Promise<string> {
  const apiKey = randomUUID()
  await put({ pk: `PRODUCT#${apiKey}`, sk: 'PROFILE', ...product })
  return apiKey
}

/** The product that an API key belongs to; its id is the key. */
export async function productOf(headers: Record<string, string | undefined>) {
  const apiKey = headers['x-api-key'] ?? ''
  const product = await get(`PRODUCT#${apiKey}`, 'PROFILE')
  if (!product) throw new HttpError(401, 'The API key is not known.')
  const { pk: _, sk: __, ...fields } = product
  return { productId: apiKey, fields }
}
