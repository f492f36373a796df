import { InvalidInput } from '../failures.ts'
import { unseenCharacterIn, unseenFault } from '../unseen-characters.ts'
import type { Product } from './product.ts'

const names = ['name', 'companyName'] as const

/** Throws InvalidInput if a change gives a product another name, in which something is not seen (D133). */
export function checkChangedNames(
  changes: { readonly [name in (typeof names)[number]]?: string },
  product: Product,
): void {
  for (const path of names) {
    const name = changes[path]
    if (name === undefined || name === product[path]) continue
    const character = unseenCharacterIn(name)
    if (character) throw new InvalidInput({ in: 'body', path }, unseenFault(character))
  }
}
