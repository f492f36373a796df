import { computeUnits } from '../../lib/adapters/alchemy/compute-units.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import { type Budget, fixed } from '../report.ts'
import { chain } from '../scenario/products.ts'
import {
  callers,
  type DayCounts,
  type DayPlan,
  following,
  readsOfWallet,
  simulateDays,
  walletCount,
} from './day.ts'

/** The most compute units of the first day and of later ones, as a share of those of asking. */
const [maxOfFirst, maxOfLater] = [0.25, 0.05]

/** For how long a container uses what it has read, in milliseconds. */
const usedMilliseconds = 1_000

/** The longest time from the block of a transfer until it is in answers: two polls, a block and a second, in milliseconds. */
const maxShownAfter =
  (2 * following.followPollSeconds + chains[chain].blockSeconds) * 1_000 + usedMilliseconds

const plans: Readonly<Record<string, DayPlan>> = {
  'one transfer': { ofWallet: 1 },
  'gives an NFT and takes one': { ofWallet: 2 },
  'one transfer, and a read 10 s after it': { ofWallet: 1, readsSoonAfter: true },
}

/** Simulates two days of each plan. */
export async function measureDays(): Promise<Budget[]> {
  const budgets: Budget[] = []
  for (const [title, plan] of Object.entries(plans)) {
    budgets.push(...budgetsOf(title, await simulateDays(2, plan)))
  }
  return budgets
}

const unitsOf = ({ units }: DayCounts): number =>
  callers.reduce((sum, caller) => sum + units[caller], 0)

/** The compute units of the same reads if each asks the indexer once. */
const unitsOfAsking = ({ reads }: DayCounts): number => reads * computeUnits.getNFTsForOwner

const shareOf = (day: DayCounts): number => unitsOf(day) / unitsOfAsking(day)

/** The budgets of the indexer's units and of how fresh answers are. None may show what moved longer ago than a poll and the settling time. */
const budgetsOf = (title: string, days: readonly DayCounts[]): Budget[] =>
  days.flatMap((day, index): Budget[] => {
    const what = `${walletCount.toLocaleString('en')} wallets read ${readsOfWallet} times, ${title}, day ${index + 1}`
    const [share, most] = [shareOf(day), index === 0 ? maxOfFirst : maxOfLater]
    const shownAfter = day.shownAfter + usedMilliseconds
    return [
      {
        what: `${what}: compute units`,
        budget: `≤ ${fixed(most, 2)} of asking, 0 outdated`,
        measured: `${fixed(share, 3)}, everything included; ${day.outdated} outdated`,
        isMet: share <= most && day.outdated === 0,
      },
      {
        what: `${what}: a transfer is in answers after its block, 99th percentile`,
        budget: `≤ ${fixed(maxShownAfter / 1_000)} s`,
        measured: `${fixed(shownAfter / 1_000, 1)} s`,
        isMet: shownAfter <= maxShownAfter,
      },
    ]
  })
