/**
 * What a container knows under its keys: at most `size` values, of which the one that was used least recently is
 * dropped first.
 */
export function recentlyUsed<Key, Value extends {}>(size: number) {
  const known = new Map<Key, Value>()
  const set = (key: Key, value: Value) => {
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    if (known.size > size && oldest !== undefined) known.delete(oldest)
  }
  return {
    get(key: Key): Value | undefined {
      const value = known.get(key)
      if (value !== undefined) set(key, value)
      return value
    },
    set,
    delete: (key: Key) => void known.delete(key),
  }
}
