import { setTimeout as sleep } from 'node:timers/promises'
import {
  lanternWallets,
  movementsUntil,
  restMilliseconds,
  travellingLantern,
  walletsOf,
} from '@player-nfts/local/samples/travelling-lantern'
import type { Place } from '../../../scripts/deploy-local/place.ts'
import type { Traveller } from '../following.ts'
import { stackLogs } from '../stack-logs.ts'

/** The clock of this machine and that of the account may differ by this. */
const clockSkewMilliseconds = 60_000

/** The longest time until a line is in the log. */
const secondsToLog = 90

/** The lantern of the sample indexer, which moves by the clock. What the service asks the indexer is in its log. */
export function travellingLanternOf(place: Place, stackName: string, startedAt: number): Traveller {
  let [count, since] = [0, 0]
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
      // The log has all lines of the API tests before.
      since ||= Date.now() - clockSkewMilliseconds
      await read()
      count += reads
      const until = Date.now() + secondsToLog * 1_000
      for (;;) {
        const logged = await Array.fromAsync(stackLogs(place, stackName, since))
        const lines = logged
          .filter(
            (line) => line['operation'] === 'getRawMetadata' && line['productId'] === productId,
          )
          .sort((a, b) => `${a['timestamp']}`.localeCompare(`${b['timestamp']}`))
        if (lines.length >= count) {
          return lines.slice(-reads).some(({ indexerCalls = 0 }) => Number(indexerCalls) > 0)
        }
        if (Date.now() > until) {
          // A line is lost, so nobody knows. The next reads show it.
          count = lines.length
          return true
        }
        await sleep(2_000)
      }
    },
  }
}
