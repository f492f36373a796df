import { computeUnits } from '../../lib/adapters/alchemy/compute-units.ts'
import { prices } from '../../scripts/prices.ts'
import { type Budget, fixed, markdownTable } from '../report.ts'
import type { Capacity } from '../stubs/capacity.ts'
import { type DayCounts, readsOfWallet, walletCount } from './day.ts'
import { type IndexerMethod, indexerMethods } from './day-world.ts'
import { type Reason, reasons } from './reasons.ts'
import type { AddedUnits } from './units.ts'

/** The most units of the indexer, as a share of the units without remembering. */
const maxShare = 0.4

/** Days with one kind of transfers and reads. */
export interface DayScenario {
  title: string
  /** The days that have a budget. */
  budgeted: readonly number[]
  days: readonly DayCounts[]
}

/** The added units of DynamoDB: for reads, and of the follower in a minute. */
export interface TableUnits {
  reads: AddedUnits
  followerMinute: Capacity
}

const unitsOf = (calls: Record<IndexerMethod, number>): number =>
  indexerMethods.reduce((sum, method) => sum + calls[method] * computeUnits[method], 0)

/** The compute units of the same reads without remembering: one call for each read. */
const unitsWithout = ({ reads }: DayCounts): number => reads * computeUnits.getNFTsForOwner

const shareOf = (day: DayCounts): number => unitsOf(day.calls) / unitsWithout(day)

/** The budgets of the indexer's units. No read may show what moved longer ago than a poll and the settling time. */
export const dayBudgets = (scenarios: readonly DayScenario[]): Budget[] =>
  scenarios.flatMap(({ title, budgeted, days }) =>
    days.flatMap((day, index): Budget[] => {
      if (!budgeted.includes(index)) return []
      const share = shareOf(day)
      return [
        {
          what: `${walletCount.toLocaleString('en')} wallets read ${readsOfWallet} times, ${title}, day ${index + 1}: compute units`,
          budget: `≤ ${fixed(maxShare, 2)} × remembering off`,
          measured: `${fixed(share, 3)}, follower included; ${day.outdated} outdated`,
          isMet: share <= maxShare && day.outdated === 0,
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
    ...Object.values(reasons),
    'eth_getLogs',
    'eth_getBlockByNumber',
    'million CU',
    '× off',
    'saved, $',
    'table, $',
  ]
  const rows = scenarios.flatMap(({ title, days }) =>
    days.map((day, index) => [title, String(index + 1), ...cellsOf(day, units)]),
  )
  return markdownTable(header, rows)
}

function cellsOf(day: DayCounts, units: TableUnits): string[] {
  const { reads, asked, calls } = day
  const used = unitsOf(calls)
  const saved = ((unitsWithout(day) - used) * prices.computeUnit.perMillion) / 1_000_000
  return [
    reads.toLocaleString('en'),
    ...(Object.keys(reasons) as Reason[]).map((reason) => asked[reason].toLocaleString('en')),
    calls.eth_getLogs.toLocaleString('en'),
    calls.eth_getBlockByNumber.toLocaleString('en'),
    `${fixed(used / 1_000_000, 1)} of ${fixed(unitsWithout(day) / 1_000_000, 1)}`,
    fixed(shareOf(day), 3),
    fixed(saved, 2),
    fixed(dollarsOfTable(day, units), 2),
  ]
}

/** What remembering and following add to the costs of the table on a day. */
function dollarsOfTable({ reads, calls }: DayCounts, { reads: added, followerMinute }: TableUnits) {
  const asked = calls.getNFTsForOwner
  const sum = (kind: keyof Capacity) =>
    asked * added.kept[kind] +
    (reads - asked) * added.remembered[kind] +
    24 * 60 * followerMinute[kind]
  const dollars =
    sum('readUnits') * prices.readUnit.perMillion + sum('writeUnits') * prices.writeUnit.perMillion
  return dollars / 1_000_000
}

/** A table of the added units. */
export const unitsTable = ({ reads, followerMinute }: TableUnits): string =>
  markdownTable(
    ['DynamoDB, in addition', 'RRU', 'WRU'],
    [
      row('a read that is remembered', reads.remembered),
      row('a read that asks the indexer, and is kept', reads.kept),
      row('the follower, in a minute', followerMinute),
    ],
  )

const row = (what: string, { readUnits, writeUnits }: Capacity): string[] => [
  what,
  fixed(readUnits, 1),
  fixed(writeUnits, 1),
]
