import type { Chain } from '../nft/chain.ts'
import { type FollowReport, followChain } from './follow-chain.ts'
import type { FollowPorts, FollowSettings } from './take-step.ts'

/** What became of a chain in an invocation: what its follower did, unless a defect ended it. */
export interface FollowedChain {
  chain: Chain
  report?: FollowReport
  defect?: unknown
  /** The time of the last block that is read, by this follower or another; absent if nobody knows. */
  readUpTo?: number | undefined
}

/**
 * Follows chains side by side until a time, each with a lease, steps and a result of its own (D152). A defect ends its chain
 * only. `alone` runs the work of one chain, for example in a scope of its own, and decides what is returned for it.
 */
export const followChains = <Result>(
  { chains, holder }: { chains: readonly Chain[]; holder: string },
  ports: Parameters<typeof followChain>[1],
  settings: FollowSettings,
  until: number,
  alone: (follow: () => Promise<FollowedChain>) => Promise<Result>,
): Promise<Result[]> =>
  Promise.all(
    chains.map((chain) => alone(() => followAlone({ chain, holder }, ports, settings, until))),
  )

async function followAlone(
  { chain, holder }: { chain: Chain; holder: string },
  ports: Parameters<typeof followChain>[1],
  settings: FollowSettings,
  until: number,
): Promise<FollowedChain> {
  try {
    const report = await followChain({ chain, holder }, ports, settings, until)
    const readUpTo = report.readUpTo ?? (await readUpToOf(chain, ports))
    return { chain, report, readUpTo }
  } catch (defect) {
    return { chain, defect, readUpTo: await readUpToOf(chain, ports) }
  }
}

/** How far a chain is read, for example by the follower that had its lease; `undefined` if nobody knows. */
async function readUpToOf(
  chain: Chain,
  { followNotes }: Pick<FollowPorts, 'followNotes'>,
): Promise<number | undefined> {
  try {
    return (await followNotes.position(chain))?.head.at
  } catch {
    return undefined
  }
}
