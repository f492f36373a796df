import { storagePrefix } from './session.ts'

const storedName = `${storagePrefix}tried-calls`

/** The number of calls for a player's NFTs that Try it has made in this session: the usage counts them as those of games. */
export const triedCalls = (storage: Storage): number => Number(storage.getItem(storedName) ?? 0)

/** Counts a call of Try it. */
export function countTriedCall(storage: Storage): void {
  storage.setItem(storedName, `${triedCalls(storage) + 1}`)
}
