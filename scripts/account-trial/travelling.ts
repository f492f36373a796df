import { setTimeout as sleep } from 'node:timers/promises'
import {
  lanternWallets,
  movementsUntil,
  restMilliseconds,
  travellingLantern,
  walletsOf,
} from '../../local/samples/travelling-lantern.ts'
import type { Traveller } from '../../test/deployed/following.ts'
import { linesOf } from './log-lines.ts'
import { stacksOf } from './stage.ts'
import type { Trial } from './trial.ts'

/** The clock of this machine and that of the account may differ by this. */
const clockSkewMilliseconds = 60_000

/** The lantern of the sample indexer, which moves by the clock. What the service asks the indexer is in its log. */
export function travellingLanternOf({ place, stage, startedAt }: Trial): Traveller {
  const { service: stackName } = stacksOf(stage)
  const since = Date.now() - clockSkewMilliseconds
  let count = 0
  return {
    contractAddress: travellingLantern.address,
    tokenId: travellingLantern.tokenId,
    wallets: lanternWallets,
    // Ten reads, and the ten minutes whose events a snapshot needs.
    secondsToKeep: 1_500,
    async nextMovement() {
      const next = movementsUntil(startedAt, Date.now()) + 1
      await sleep(startedAt + next * restMilliseconds - Date.now())
      return walletsOf(next)
    },
    async isIndexerAsked(read, { reads, productId }) {
      await read()
      count += reads
      const of = { stackName, operation: 'getRawMetadata', productId } as const
      const lines = await linesOf(place, of, { count, since })
      return lines.slice(-reads).some(({ indexerCalls = 0 }) => indexerCalls > 0)
    },
  }
}
