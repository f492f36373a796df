import type { AllowedEntry, AllowedTokenIds, FindAllowed } from '../../domain/ports/allowlist.ts'
import { recentlyUsed } from '../recently-used.ts'
import { readItemsOnce } from './item-reads.ts'
import { allowedKey } from './keys/binding-partition.ts'
import { type Key, keyText } from './keys/key.ts'
import type { Table } from './table.ts'

/** The names whose entries a container expects again, and the most entries of each: they fit into a request with others. */
const maxNames = 500
const maxEntries = 50

/** Looks up the entries that were last asked for under a name before they are known (D96). */
export function expectedEntries(
  table: Table,
  findAllowed: FindAllowed,
): AllowedTokenIds['expected'] {
  const lastKeys = recentlyUsed<string, readonly Key[]>(maxNames)

  return (name) => {
    const keys = lastKeys.get(name) ?? []
    // A page whose NFTs need no look-up asks for nothing, and then expects nothing.
    lastKeys.delete(name)
    const known = knownOf(keys)
    // The response may need no look-up.
    known.catch(() => undefined)
    return async (entries) => {
      if (entries.length <= maxEntries) lastKeys.set(name, entries.map(entryKey))
      const isAllowed = await known
      const others = entries.filter((entry) => !isAllowed.has(keyText(entryKey(entry))))
      const allowedOthers = new Set(others.length === 0 ? [] : await findAllowed(others))
      return entries.filter(
        (entry) => isAllowed.get(keyText(entryKey(entry))) ?? allowedOthers.has(entry),
      )
    }
  }

  /** Whether each key exists; without any if DynamoDB does not return all at once. */
  async function knownOf(keys: readonly Key[]): Promise<ReadonlyMap<string, boolean>> {
    if (keys.length === 0) return new Map()
    const { items, isComplete } = await readItemsOnce(table, keys)
    const existing = new Set(items.map(keyText))
    return new Map(isComplete ? keys.map(keyText).map((text) => [text, existing.has(text)]) : [])
  }
}

export const entryKey = ({ bindingId, tokenId }: AllowedEntry): Key =>
  allowedKey(bindingId, tokenId)
