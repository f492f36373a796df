/** A primary key of the table. */
export interface Key {
  pk: string
  sk: string
}

/** The sort key of the counters of limits (D47). */
export const limits = 'LIMITS'

/** The primary key of an item as a text: two items with the same text are the same item. */
export const keyText = ({ pk, sk }: { pk?: unknown; sk?: unknown }): string => `${pk}|${sk}`

export const keysOf = (items: readonly Readonly<Record<string, unknown>>[]): Key[] =>
  // Every item of the table has both attributes as text, and a check would cost a batch of keys time.
  items as readonly unknown[] as Key[]
