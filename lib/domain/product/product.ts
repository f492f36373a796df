import { type Branded, branded } from '../branded.ts'

/** A product's registration, without its key (specification 2.1). */
export interface Product {
  name: string
  description?: string | undefined
  contactEmail: string
  companyName: string
  companyDescription?: string | undefined
  website?: string | undefined
  /** Whether games can read players' NFTs with the product id in place of an API key (D51). */
  clientAccess?: boolean | undefined
  /** Whether players can sign in to the game with their wallets (D106). */
  signIn?: boolean | undefined
  /** The hosts at which the game itself lets players sign in (D106). */
  signInDomains?: string[] | undefined
}

/** The public identity of a product. It gives no access by itself (D45). */
export type ProductId = Branded<'ProductId'>

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads a product id; upper-case hex is the same id. `undefined` if it is not a UUID (D52). */
export function parseProductId(text: string): ProductId | undefined {
  const lower = text.toLowerCase()
  return uuid.test(lower) ? branded<ProductId>(lower) : undefined
}

/** A product API key, shown once: a version 4 UUID in lower case (D9), or a key that begins with `pnk_` (D46). */
export type ApiKey = Branded<'ApiKey'>
