/** A text with a type of its own, such as the id of a product. */
export type Branded<Name extends string> = string & { readonly __brand: Name }

/**
 * The text as a type of its own. It is the only cast to such a type, and checks nothing: the code beside the call has
 * just given the text its form, or reads what the service itself has written.
 */
export const branded = <Brand extends Branded<string>>(text: string): Brand => text as Brand
