import type { RefreshFamilies } from '../../../lib/domain/ports/refresh-families.ts'
import type { RefreshFamily } from '../../../lib/domain/sign-in/refresh-family.ts'
import type { Tap } from '../memory/memory-ports.ts'
import { tappedBy } from './tapped.ts'

/** Families of refresh tokens in memory: each call takes effect at one moment, between two taps. */
export function memoryFamilies(
  stored: Map<string, RefreshFamily>,
  tap: Tap = () => undefined,
): RefreshFamilies {
  const keyOf = (userId: number, familyId: string) => `${userId} ${familyId}`
  const tapped = tappedBy(tap)
  return {
    add: (family) =>
      tapped('add', () => {
        const key = keyOf(family.userId, family.familyId)
        if (!stored.has(key)) stored.set(key, family)
      }),
    get: (userId, familyId) => tapped('get', () => stored.get(keyOf(userId, familyId))),
    ofUser: (userId) =>
      tapped('of user', () => [...stored.values()].filter((family) => family.userId === userId)),
    renew: (family, now) =>
      tapped('renew', () => {
        const key = keyOf(family.userId, family.familyId)
        const { counter } = family
        if (stored.get(key)?.counter !== counter) return false
        stored.set(key, { ...family, counter: counter + 1, renewedAt: now })
        return true
      }),
    redate: ({ userId, familyId, ...begun }) =>
      tapped('redate', () => {
        const key = keyOf(userId, familyId)
        const family = stored.get(key)
        if (!family) return false
        stored.set(key, { ...family, ...begun })
        return true
      }),
    end: (userId, familyId) =>
      tapped('end', () => {
        stored.delete(keyOf(userId, familyId))
      }),
  }
}
