/** A sessionStorage. */
export function memoryStorage(): Storage {
  const entries = new Map<string, string>()
  return {
    get length() {
      return entries.size
    },
    clear: () => entries.clear(),
    getItem: (name) => entries.get(name) ?? null,
    key: (index) => [...entries.keys()][index] ?? null,
    removeItem: (name) => void entries.delete(name),
    setItem: (name, value) => void entries.set(name, value),
  }
}
