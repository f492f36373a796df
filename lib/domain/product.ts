/** A product's registration, without its key (specification 2.1). */
export interface Product {
  name: string
  description?: string | undefined
  contactEmail: string
  companyName: string
  companyDescription?: string | undefined
  website?: string | undefined
}

/** The public identity of a product. It gives no access by itself (D45). */
export type ProductId = string & { readonly __brand: 'ProductId' }

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads a product id; upper-case hex is the same id. `undefined` if it is not a UUID (D52). */
export function parseProductId(text: string): ProductId | undefined {
  const lower = text.toLowerCase()
  return uuid.test(lower) ? (lower as ProductId) : undefined
}

/** A product API key: a version 4 UUID in canonical lower-case form, shown once (D9). */
export type ApiKey = string & { readonly __brand: 'ApiKey' }

const uuidV4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Reads an API key; upper-case hex is the same key. `undefined` if it is not a version 4 UUID (D9). */
export function parseApiKey(text: string): ApiKey | undefined {
  const lower = text.toLowerCase()
  return uuidV4.test(lower) ? (lower as ApiKey) : undefined
}
