/** What a container knows, under its keys. */
export interface RecentlyUsed<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): void
  delete(key: Key): void
}

/** Keeps at most `size` values: the one that was used least recently is dropped first. */
export function recentlyUsed<Key, Value extends {}>(size: number): RecentlyUsed<Key, Value> {
  const known = new Map<Key, Value>()
  const set = (key: Key, value: Value) => {
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    if (known.size > size && oldest !== undefined) known.delete(oldest)
  }
  return {
    get(key) {
      const value = known.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
    delete: (key) => void known.delete(key),
  }
}
