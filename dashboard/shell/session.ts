/** Why a session ended: the API has refused its key, or the user has forgotten it, or deleted the product. */
export type SessionEnd = 'refused' | 'forgotten' | 'deleted'

/** The API key with which the user works, in this tab only. */
export interface Session {
  /** The API key, or `undefined` if nobody is signed in. */
  readonly apiKey: string | undefined
  /** Why the latest session ended, until the next one begins. */
  readonly ended: SessionEnd | undefined
  /** Begins a session, or continues it with another key. */
  signIn(apiKey: string): void
  /** Ends the session and removes everything that the dashboard has kept in this tab. */
  end(reason: SessionEnd): void
  /** Calls `listener` after each change. Returns a function that stops it. */
  subscribe(listener: () => void): () => void
}

/** Everything that the dashboard keeps in sessionStorage begins with it. */
export const storagePrefix = 'player-nfts.'

/** Typed texts that survive a reload ({@link useDraft}) begin with it. They end with the session. */
export const draftPrefix = `${storagePrefix}draft.`

const keyName = `${storagePrefix}api-key`

/** Creates the session of a tab. `storage` is its sessionStorage, the only place where the key is kept (D62). */
export function createSession(storage: Storage): Session {
  const listeners = new Set<() => void>()
  let ended: SessionEnd | undefined
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }
  return {
    get apiKey() {
      return storage.getItem(keyName) ?? undefined
    },
    get ended() {
      return ended
    },
    signIn(apiKey) {
      storage.setItem(keyName, apiKey)
      ended = undefined
      changed()
    },
    end(reason) {
      for (const name of namesIn(storage)) {
        // A refused key must not cost the user the texts that he has typed.
        const isKept = reason === 'refused' && name.startsWith(draftPrefix)
        if (name.startsWith(storagePrefix) && !isKept) storage.removeItem(name)
      }
      ended = reason
      changed()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const namesIn = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
