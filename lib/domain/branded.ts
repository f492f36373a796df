/** A text with a type of its own, such as the id of a product. */
export type Branded<Name extends string> = string & { readonly __brand: Name }

/**
 * The text as a type of its own: the only cast to such a type. It checks nothing; the caller has given the text its
 * form, or has stored it.
 */
export const branded = <Brand extends Branded<string>>(text: string): Brand => text as Brand
