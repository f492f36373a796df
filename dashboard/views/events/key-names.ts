import type { ListedKey } from '../../../clients/typescript/src/types.ts'
import type { NameOfKey } from './sentences.ts'

/**
 * Names keys by their labels. A key that is not listed, because it ended more than 90 days ago, has its id as its name.
 * The last four characters tell keys with the same label apart.
 */
export function keyNames(keys: readonly ListedKey[]): NameOfKey {
  const byId = new Map(keys.map((key) => [key.keyId, key]))
  return (keyId) => {
    const key = byId.get(keyId)
    if (!key) return keyId
    const hasTwin = keys.some(({ label, keyId: id }) => label === key.label && id !== keyId)
    return `“${key.label}”${hasTwin ? ` (…${key.last4 ?? keyId})` : ''}`
  }
}
