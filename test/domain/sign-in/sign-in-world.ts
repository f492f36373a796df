import { randomUUID } from 'node:crypto'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Sessions } from '../../../lib/domain/ports/sign-in.ts'
import type { RefreshFamily } from '../../../lib/domain/sign-in/refresh-family.ts'
import type { Session } from '../../../lib/domain/sign-in/session.ts'
import type { Tap } from '../../support/memory/memory-ports.ts'
import { memoryFamilies } from '../../support/sign-in/memory-families.ts'
import { type MemoryGrants, memoryGrants, permitting } from '../../support/sign-in/memory-grants.ts'
import { usersWith, walletPorts } from '../../support/sign-in/memory-wallets.ts'
import { proofPorts } from '../../support/sign-in/proofs.ts'
import { tapped } from '../../support/sign-in/tapped.ts'

/** Users with these wallets, what is stored of them, and the ports of sign-in, whose calls take effect between two taps. */
export function signInWorld(users: Record<number, readonly Address[]> = {}) {
  const wallets = usersWith(users)
  const families = new Map<string, RefreshFamily>()
  const grants: MemoryGrants = new Map()
  const used = new Set<string>()
  const sessions = new Map<string, Session>()
  const ended: unknown[] = []
  const ports = (tap?: Tap) => ({
    ...{ ...permitting, ...walletPorts(wallets, tap), ...proofPorts(used, tap) },
    families: memoryFamilies(families, tap),
    deviceGrants: memoryGrants(grants, tap),
    sessions: memorySessions(sessions, ended, tap),
  })
  return { wallets, families, grants, used, sessions, ended, ports }
}

/** Sessions in memory. `ended`: the wallets whose sessions have ended. */
function memorySessions(stored: Map<string, Session>, ended: unknown[], tap?: Tap): Sessions {
  const sessions: Sessions = {
    async begin(session) {
      const text = randomUUID()
      stored.set(text, session)
      return text
    },
    get: async (text) => stored.get(text),
    async endAll(userId, wallet) {
      ended.push(wallet)
      for (const [text, session] of stored) {
        const isEnded = wallet === undefined || session.wallet === wallet
        if (session.userId === userId && isEnded) stored.delete(text)
      }
    },
  }
  return tapped(sessions, tap)
}
