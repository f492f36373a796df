import type { ListedKey } from '../../../clients/typescript/src/types.ts'

/**
 * Returns the entry of an API key in the list of its product. A key that begins with `pnk_` contains its identity. The key
 * of a registration is a UUID, which the list shows only with its last four characters: `undefined` if several keys have
 * the same ones.
 */
export function entryOfKey(keys: readonly ListedKey[], apiKey: string): ListedKey | undefined {
  const [, keyId] = /^pnk_([0-9A-Za-z]{12})_/.exec(apiKey) ?? []
  if (keyId !== undefined) return keys.find((key) => key.keyId === keyId)
  const last4 = apiKey.slice(-4).toLowerCase()
  const found = keys.filter(
    (key) => key.last4 === last4 && key.endedAt === null && key.scope === 'MANAGE',
  )
  return found.length === 1 ? found[0] : undefined
}
