import type { DeviceGrants } from '../../../lib/domain/ports/device-grants.ts'
import {
  hasExpired,
  pollIntervalSeconds,
  type StoredGrant,
} from '../../../lib/domain/sign-in/device-grant.ts'
import type { Tap } from '../memory/memory-ports.ts'
import { tappedBy } from './tapped.ts'

/** The grants in memory, by their user codes. */
export type MemoryGrants = Map<string, StoredGrant & { deviceCode: string; polledAt: number }>

/** Device grants in memory: each call takes effect at one moment, between two taps. */
export function memoryGrants(stored: MemoryGrants, tap: Tap = () => undefined): DeviceGrants {
  const tapped = tappedBy(tap)
  const seen = (userCode: string): StoredGrant | undefined => {
    const { deviceCode: _, polledAt: __, ...grant } = stored.get(userCode) ?? {}
    return 'userCode' in grant ? (grant as StoredGrant) : undefined
  }
  return {
    add: (grant, now) =>
      tapped('add', () => {
        const other = stored.get(grant.userCode)
        if (other && !hasExpired(other, now)) return false
        stored.set(grant.userCode, { ...grant, polledAt: 0 })
        return true
      }),
    get: (userCode) => tapped('get', () => seen(userCode)),
    poll: (deviceCode, now) =>
      tapped('poll', () => {
        const found = [...stored.values()].find((grant) => grant.deviceCode === deviceCode)
        const grant = found && seen(found.userCode)
        if (!grant) return undefined
        const isTooSoon = now < found.polledAt + pollIntervalSeconds * 1_000
        if (!isTooSoon) stored.set(found.userCode, { ...found, polledAt: now })
        return { grant, isTooSoon }
      }),
    decide: (userCode, decision, now) =>
      tapped('decide', () => {
        const grant = stored.get(userCode)
        if (!grant || grant.decision || hasExpired(grant, now)) return false
        stored.set(userCode, { ...grant, decision })
        return true
      }),
    use: (userCode, now) =>
      tapped('use', () => {
        const grant = stored.get(userCode)
        if (grant?.decision?.kind !== 'approved' || grant.usedAt !== undefined) return false
        stored.set(userCode, { ...grant, usedAt: now })
        return true
      }),
  }
}
