/** Why a session ended: the API has refused its key, or the user has signed out, or deleted the game. */
export type SessionEnd = 'refused' | 'signedOut' | 'deleted'

/** A new API key, which the service shows once, with the title under which the page shows it. */
export interface NewKeyToSave {
  title: string
  apiKey: string
  /** What the key is for. */
  note?: string
}

/** The API key with which the user works, in this tab only. */
export interface Session {
  /** The API key, or `undefined` if nobody is signed in. */
  readonly apiKey: string | undefined
  /** Why the latest session ended, until the next one begins. */
  readonly ended: SessionEnd | undefined
  /** The new key that the user has not saved yet. A reload does not lose it (D79). */
  readonly newKey: NewKeyToSave | undefined
  /** Begins a session, or continues it with another key. A new key that is another one is not shown any more. */
  signIn(apiKey: string): void
  /** Shows a new key until the user has saved it. */
  showNewKey(newKey: NewKeyToSave): void
  /** Forgets the new key, because the user has saved it. */
  newKeySaved(): void
  /**
   * Ends the session and removes everything that the dashboard has kept in this tab. After `refused`, typed texts and a
   * new key stay.
   */
  end(reason: SessionEnd): void
  /** Calls `listener` after each change. Returns a function that stops it. */
  subscribe(listener: () => void): () => void
}

/** Everything that the dashboard keeps in sessionStorage begins with it. */
export const storagePrefix = 'player-nfts.'

/** Typed texts that survive a reload ({@link useDraft}) begin with it. They end with the session. */
export const draftPrefix = `${storagePrefix}draft.`

const keyName = `${storagePrefix}api-key`
const newKeyName = `${storagePrefix}new-key`

/** Creates the session of a tab. `storage` is its sessionStorage, the only place where keys are kept (D62, D79). */
export function createSession(storage: Storage): Session {
  const listeners = new Set<() => void>()
  let newKey = storedNewKey(storage)
  let ended: SessionEnd | undefined
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }
  const forgetNewKey = () => {
    newKey = undefined
    storage.removeItem(newKeyName)
  }
  return {
    get apiKey() {
      return storage.getItem(keyName) ?? undefined
    },
    get ended() {
      return ended
    },
    get newKey() {
      return newKey
    },
    signIn(apiKey) {
      storage.setItem(keyName, apiKey)
      if (newKey?.apiKey !== apiKey) forgetNewKey()
      ended = undefined
      changed()
    },
    showNewKey(shown) {
      newKey = shown
      try {
        storage.setItem(newKeyName, JSON.stringify(shown))
      } catch {
        // Without room in the storage, the key lasts as long as the page.
        storage.removeItem(newKeyName)
      }
      changed()
    },
    newKeySaved() {
      forgetNewKey()
      changed()
    },
    end(reason) {
      for (const name of namesIn(storage)) {
        // A refused key must not cost the user the texts that he has typed, or a key that he has not saved.
        const isKept = reason === 'refused' && (name.startsWith(draftPrefix) || name === newKeyName)
        if (name.startsWith(storagePrefix) && !isKept) storage.removeItem(name)
      }
      if (reason !== 'refused') newKey = undefined
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

function storedNewKey(storage: Storage): NewKeyToSave | undefined {
  const text = storage.getItem(newKeyName)
  return text === null ? undefined : (JSON.parse(text) as NewKeyToSave)
}
