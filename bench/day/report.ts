import { computeUnits } from '../../lib/adapters/alchemy/compute-units.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import { prices } from '../../scripts/prices.ts'
import { type Budget, fixed, markdownTable } from '../report.ts'
import { chain } from '../scenario/products.ts'
import type { Capacity } from '../stubs/capacity.ts'
import { callers, type DayCounts, following, readsOfWallet, walletCount } from './day.ts'

/** The most compute units of the first day and of later ones, as a share of those of asking. */
const [maxOfFirst, maxOfLater] = [0.25, 0.05]

/** For how long a container uses what it has read, in milliseconds. */
const usedMilliseconds = 1_000

/** The longest time from the block of a transfer until it is in answers: two polls, a block and a second, in milliseconds. */
const maxShownAfter =
  (2 * following.followPollSeconds + chains[chain].blockSeconds) * 1_000 + usedMilliseconds

/** Days with one kind of transfers and reads. */
export interface DayScenario {
  title: string
  days: readonly DayCounts[]
}

/** The units of DynamoDB that keeping adds to a read, and those of the follower in a minute. */
export interface TableUnits {
  read: Capacity
  followerMinute: Capacity
}

const unitsOf = ({ units }: DayCounts): number =>
  callers.reduce((sum, caller) => sum + units[caller], 0)

/** The compute units of the same reads if each asks the indexer once. */
const unitsOfAsking = ({ reads }: DayCounts): number => reads * computeUnits.getNFTsForOwner

const shareOf = (day: DayCounts): number => unitsOf(day) / unitsOfAsking(day)

/** The budgets of the indexer's units and of how fresh answers are. None may show what moved longer ago than a poll and the settling time. */
export const dayBudgets = (scenarios: readonly DayScenario[]): Budget[] =>
  scenarios.flatMap(({ title, days }) =>
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
    }),
  )

/** A table of all days. */
export function dayTable(scenarios: readonly DayScenario[], units: TableUnits): string {
  const header = [
    'each wallet a day',
    'day',
    'reads',
    'not kept yet',
    'metadata nobody had',
    ...callers.map((caller) => `${caller}, million CU`),
    'all',
    'of asking',
    'saved, $',
    'table, $',
  ]
  const rows = scenarios.flatMap(({ title, days }) =>
    days.map((day, index) => [title, String(index + 1), ...cellsOf(day, units)]),
  )
  return markdownTable(header, rows)
}

function cellsOf(day: DayCounts, units: TableUnits): string[] {
  const { reads, asked, described } = day
  const saved = ((unitsOfAsking(day) - unitsOf(day)) * prices.computeUnit.perMillion) / 1_000_000
  return [
    ...[reads, asked, described].map((count) => count.toLocaleString('en')),
    ...callers.map((caller) => fixed(day.units[caller] / 1_000_000, 2)),
    `${fixed(unitsOf(day) / 1_000_000, 1)} of ${fixed(unitsOfAsking(day) / 1_000_000, 1)}`,
    fixed(shareOf(day), 3),
    fixed(saved, 2),
    fixed(dollarsOfTable(day, units), 2),
  ]
}

/** What kept reads and the follower add to the costs of the table on a day, without snapshots and metadata that is written. */
function dollarsOfTable({ reads }: DayCounts, { read, followerMinute }: TableUnits) {
  const sum = (kind: keyof Capacity) => reads * read[kind] + 24 * 60 * followerMinute[kind]
  const dollars =
    sum('readUnits') * prices.readUnit.perMillion + sum('writeUnits') * prices.writeUnit.perMillion
  return dollars / 1_000_000
}

/** A table of the units. */
export const unitsTable = ({ read, followerMinute }: TableUnits): string =>
  markdownTable(
    ['DynamoDB', 'RRU', 'WRU'],
    [
      row('a read that is kept, beside those of one that asks', read),
      row('the follower, in a minute', followerMinute),
    ],
  )

const row = (what: string, { readUnits, writeUnits }: Capacity): string[] => [
  what,
  fixed(readUnits, 1),
  fixed(writeUnits, 1),
]
