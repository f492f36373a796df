import type { Address } from '../../../lib/domain/nft/address.ts'
import type { RefreshFamily } from '../../../lib/domain/sign-in/refresh-family.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { memoryFamilies } from '../../support/sign-in/memory-families.ts'
import { type MemoryGrants, memoryGrants, permitting } from '../../support/sign-in/memory-grants.ts'
import { usersWith, walletPorts } from '../../support/sign-in/memory-wallets.ts'
import { proofPorts } from '../../support/sign-in/proofs.ts'

/** Users with these wallets, what is stored of them, and the ports of sign-in, whose calls take effect between two taps. */
export function signInWorld(users: Record<number, readonly Address[]> = {}) {
  const wallets = usersWith(users)
  const families = new Map<string, RefreshFamily>()
  const grants: MemoryGrants = new Map()
  const used = new Set<string>()
  /** The wallets whose sessions have ended. */
  const ended: unknown[] = []
  const ports = (tap?: Tap) => ({
    ...{ ...permitting, ...walletPorts(wallets, tap), ...proofPorts(used, tap) },
    families: memoryFamilies(families, tap),
    deviceGrants: memoryGrants(grants, tap),
    sessions: { endAll: async (_: number, wallet?: Address) => void ended.push(wallet) },
  })
  return { wallets, families, grants, used, ended, ports }
}
