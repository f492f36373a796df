/** The batches of a list, in its order, of up to `size` items each. */
export const batchesOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )

/**
 * Does something for each item, for some at once. All that has begun has ended when it returns or throws; after a
 * failure nothing more begins, and the first failure is thrown.
 */
export async function someAtOnce<Item, Result>(
  items: readonly Item[],
  most: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const failures: unknown[] = []
  let next = 0
  const runNext = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const place = next
      next += 1
      try {
        results[place] = await run(items[place] as Item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, runNext))
  if (failures.length > 0) throw failures[0]
  return results
}

/** The entry at an index of a list that has one entry for each of another list, whose index it is. */
export const counterpart = <Entry>(entries: readonly Entry[], index: number): Entry =>
  // The type of an element of a list does not know that the lists have the same length.
  entries[index] as Entry
