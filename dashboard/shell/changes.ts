import { useEffect, useState } from 'preact/hooks'

/** Creates the listeners to the changes of something that is not the state of a component. */
export function newChanges() {
  const listeners = new Set<() => void>()
  return {
    /** Calls `listener` after each change. Returns a function that stops it. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    changed(): void {
      for (const listener of [...listeners]) listener()
    },
  }
}

/** Renders again after each change. */
export function useChanges({ subscribe }: Pick<ReturnType<typeof newChanges>, 'subscribe'>): void {
  const [, render] = useState(0)
  useEffect(() => subscribe(() => render((count) => count + 1)), [subscribe])
}
