import { newChanges } from './changes.ts'

/** Why a session ended: the API has refused its key, or the user has signed out, or deleted the game. */
export type SessionEnd = 'refused' | 'signedOut' | 'deleted'

/** A new secret, which the service shows once, with the title under which the page shows it. */
export interface NewSecret {
  title: string
  kind: 'apiKey' | 'webhookSecret'
  secret: string
  /** What it is for, and what comes next. */
  note?: string
}

/** The API key with which the user works, in this tab only. */
export type Session = ReturnType<typeof createSession>

/** Everything that the dashboard keeps in sessionStorage begins with it. */
export const storagePrefix = 'player-nfts.'

/** Typed texts that survive a reload ({@link useDraft}) begin with it. They end with the session. */
export const draftPrefix = `${storagePrefix}draft.`

const keyName = `${storagePrefix}api-key`
const newSecretName = `${storagePrefix}new-secret`

/** Creates the session of a tab. `storage` is its sessionStorage, the only place where secrets are kept (D62, D79). */
export function createSession(storage: Storage) {
  const { subscribe, changed } = newChanges()
  let newSecret = storedNewSecret(storage)
  let ended: SessionEnd | undefined
  const forgetNewSecret = () => {
    newSecret = undefined
    storage.removeItem(newSecretName)
  }
  return {
    /** The API key, or `undefined` if nobody is signed in. */
    get apiKey(): string | undefined {
      return storage.getItem(keyName) ?? undefined
    },
    /** Why the latest session ended, until the next one begins. */
    get ended(): SessionEnd | undefined {
      return ended
    },
    /** The new secret that the user has not saved yet. A reload does not lose it (D79). */
    get newSecret(): NewSecret | undefined {
      return newSecret
    },
    /** Begins a session, or continues it with another key. A new secret that is not this key is not shown any more. */
    signIn(apiKey: string): void {
      storage.setItem(keyName, apiKey)
      if (newSecret?.secret !== apiKey) forgetNewSecret()
      ended = undefined
      changed()
    },
    /** Shows a new secret until the user has saved it. */
    showNewSecret(shown: NewSecret): void {
      newSecret = shown
      try {
        storage.setItem(newSecretName, JSON.stringify(shown))
      } catch {
        // Without room in the storage, the secret lasts as long as the page.
        storage.removeItem(newSecretName)
      }
      changed()
    },
    newSecretSaved(): void {
      forgetNewSecret()
      changed()
    },
    /**
     * Ends the session and removes everything that the dashboard has kept in this tab. After `refused`, typed texts and a
     * new secret stay.
     */
    end(reason: SessionEnd): void {
      for (const name of namesIn(storage)) {
        const isKept =
          reason === 'refused' && (name.startsWith(draftPrefix) || name === newSecretName)
        if (name.startsWith(storagePrefix) && !isKept) storage.removeItem(name)
      }
      if (reason !== 'refused') newSecret = undefined
      ended = reason
      changed()
    },
    subscribe,
  }
}

const namesIn = (storage: Storage): string[] =>
  Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')

function storedNewSecret(storage: Storage): NewSecret | undefined {
  const text = storage.getItem(newSecretName)
  return text === null ? undefined : (JSON.parse(text) as NewSecret)
}

const storedName = `${storagePrefix}tried-calls`

/** The number of calls for a player's NFTs that Try it has made in this session: the usage counts them as those of games. */
export const triedCalls = (storage: Storage): number => Number(storage.getItem(storedName) ?? 0)

/** Counts a call of Try it. */
export function countTriedCall(storage: Storage): void {
  storage.setItem(storedName, `${triedCalls(storage) + 1}`)
}
