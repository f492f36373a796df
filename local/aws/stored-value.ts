import { concurrencyLimit } from '../lambda/concurrency-limit.ts'
import type { Entries } from './entries.ts'

/** A value that is kept in one entry. */
export interface StoredValue<T> {
  readonly value: T
  /** Resolves once the next value is in a file. If that or `next` fails, rejects and changes nothing. */
  change(next: (value: T) => T): Promise<void>
}

/** Opens the value of a name, which is `initial` as long as there is none. */
export async function openStoredValue<T>(
  entries: Entries,
  name: string,
  initial: T,
): Promise<StoredValue<T>> {
  const key = `\u0000${name}`
  let value = ((await entries.get(key)) ?? initial) as T
  const inOrder = concurrencyLimit(1)
  return {
    get value() {
      return value
    },
    change: (next) =>
      inOrder(async () => {
        const changed = next(value)
        await entries.write([{ type: 'put', key, value: changed }])
        value = changed
      }),
  }
}
