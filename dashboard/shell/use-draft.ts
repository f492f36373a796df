import { useState } from 'preact/hooks'
import { draftPrefix } from './session.ts'

/**
 * The state of a form that survives a reload and leaving the view, in sessionStorage, until `clear`, which returns to
 * `initial`. `name` is unique in the dashboard. A draft never contains a key or a token.
 */
export function useDraft<T>(
  name: string,
  initial: T,
): [draft: T, setDraft: (draft: T) => void, clear: () => void] {
  const key = draftPrefix + name
  const [draft, show] = useState<T | undefined>(() => stored(key))
  const setDraft = (value: T) => {
    show(() => value)
    try {
      sessionStorage.setItem(key, JSON.stringify(value))
    } catch {
      // A draft that is too large for the storage lasts as long as the view.
      sessionStorage.removeItem(key)
    }
  }
  const clear = () => {
    sessionStorage.removeItem(key)
    show(undefined)
  }
  return [draft ?? initial, setDraft, clear]
}

function stored<T>(key: string): T | undefined {
  const text = sessionStorage.getItem(key)
  return text === null ? undefined : (JSON.parse(text) as T)
}
