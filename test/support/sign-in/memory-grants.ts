import type { DeviceGrants } from '../../../lib/domain/ports/sign-in.ts'
import { hasExpired, type StoredGrant } from '../../../lib/domain/sign-in/device-grant.ts'
import { storedProduct } from '../memory/http-chain.ts'
import type { Tap } from '../memory/memory-ports.ts'
import { tapped } from './tapped.ts'

/** Ports that know a product that signs players in. */
export const permitting = {
  productAccess: {
    get: async () => storedProduct({ product: { ...storedProduct().product, signIn: true } }),
  },
  signInRule: { needsOperator: false },
}

/** The grants in memory, by their user codes. */
export type MemoryGrants = Map<string, StoredGrant & { deviceCode: string }>

/** Device grants in memory: each call takes effect at one moment, between two taps. */
export function memoryGrants(stored: MemoryGrants, tap?: Tap): DeviceGrants {
  const seen = (userCode: string): StoredGrant | undefined => {
    const { deviceCode: _, ...grant } = stored.get(userCode) ?? {}
    return 'userCode' in grant ? (grant as StoredGrant) : undefined
  }
  const grants: DeviceGrants = {
    async add(grant, now) {
      const other = stored.get(grant.userCode)
      if (other && !hasExpired(other, now)) return false
      stored.set(grant.userCode, { ...grant, polledAt: 0 })
      return true
    },
    get: async (userCode) => seen(userCode),
    ofDevice: async ({ userCode, deviceCode }) =>
      stored.get(userCode)?.deviceCode === deviceCode ? seen(userCode) : undefined,
    async notePoll({ userCode, polledAt }, now) {
      const grant = stored.get(userCode)
      if (grant?.polledAt !== polledAt) return false
      stored.set(userCode, { ...grant, polledAt: now })
      return true
    },
    async decide(userCode, decision, now) {
      const grant = stored.get(userCode)
      if (!grant || grant.decision || hasExpired(grant, now)) return false
      stored.set(userCode, { ...grant, decision })
      return true
    },
    async use(userCode, now) {
      const grant = stored.get(userCode)
      if (grant?.decision?.kind !== 'approved' || grant.usedAt !== undefined) return false
      stored.set(userCode, { ...grant, usedAt: now })
      return true
    },
  }
  return tapped(grants, tap)
}
