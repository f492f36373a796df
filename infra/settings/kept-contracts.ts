import { KEPT_CONTRACTS } from '../../lib/settings/keeping.ts'
import { isFollowing } from './reserved-concurrency.ts'

/** Whether a deployment keeps who holds NFTs (D152). */
export const isKeeping = ({
  followedChains,
  keptContracts = KEPT_CONTRACTS.default,
}: {
  readonly followedChains?: readonly string[] | undefined
  readonly keptContracts?: number | undefined
}): boolean => isFollowing({ followedChains }) && keptContracts > 0
