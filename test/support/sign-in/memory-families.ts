import type { RefreshFamilies } from '../../../lib/domain/ports/refresh-families.ts'
import type { RefreshFamily } from '../../../lib/domain/sign-in/refresh-family.ts'
import type { Tap } from '../memory/memory-ports.ts'
import { tapped } from './tapped.ts'

/** Families of refresh tokens in memory: each call takes effect at one moment, between two taps. */
export function memoryFamilies(stored: Map<string, RefreshFamily>, tap?: Tap): RefreshFamilies {
  const keyOf = (userId: number, familyId: string) => `${userId} ${familyId}`
  const families: RefreshFamilies = {
    async add(family) {
      const key = keyOf(family.userId, family.familyId)
      if (!stored.has(key)) stored.set(key, family)
    },
    get: async (userId, familyId) => stored.get(keyOf(userId, familyId)),
    ofUser: async (userId) => [...stored.values()].filter((family) => family.userId === userId),
    async renew(family, now) {
      const key = keyOf(family.userId, family.familyId)
      const { counter } = family
      if (stored.get(key)?.counter !== counter) return false
      stored.set(key, { ...family, counter: counter + 1, renewedAt: now })
      return true
    },
    async redate({ userId, familyId, ...begun }) {
      const key = keyOf(userId, familyId)
      const family = stored.get(key)
      if (family) stored.set(key, { ...family, ...begun })
      return family !== undefined
    },
    end: async (userId, familyId) => void stored.delete(keyOf(userId, familyId)),
  }
  return tapped(families, tap)
}
