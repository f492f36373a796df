import { type Budget, fixed, markdownTable, ratioText } from '../report.ts'
import { median, type Spread, spreadOf } from '../statistics.ts'
import { type Reading, type RememberedReads, readings } from './remembered-reads.ts'

/** The budgets of remembered reads: the medians of turns, as multiples of another way to read. */
export const rememberedBudgets = (reads: RememberedReads): Budget[] => [
  budget(reads, 'remembered', 'asked', 0.2),
  budget(reads, 'remembered', 'naive', 0.2),
  budget(reads, 'kept', 'asked', 1.05),
]

/** What the tables call each way to read. */
const names: Record<Reading, string> = {
  remembered: 'remembered',
  kept: 'asks the indexer, and is kept',
  asked: 'asks the indexer, remembering is off',
  naive: 'naive peer',
}

function budget(reads: RememberedReads, reading: Reading, other: Reading, limit: number): Budget {
  const spread = ratioOf(reads, reading, other)
  return {
    what: `player's NFTs, wallet of 10, warm, ${names[reading]}: p50`,
    budget: `≤ ${limit} × ${other === 'naive' ? 'naive' : 'remembering off'}`,
    measured: ratioText(spread),
    isMet: spread.median <= limit,
  }
}

/** The ratio of the medians of each turn. */
function ratioOf(
  { measured, callsPerTurn }: RememberedReads,
  reading: Reading,
  other: Reading,
): Spread {
  const mediansOf = (name: Reading) => mediansOfTurns(measured[name].milliseconds, callsPerTurn)
  const others = mediansOf(other)
  return spreadOf(mediansOf(reading).map((time, turn) => time / (others[turn] ?? Number.NaN)))
}

const mediansOfTurns = (milliseconds: readonly number[], callsPerTurn: number): number[] =>
  Array.from({ length: milliseconds.length / callsPerTurn }, (_, turn) =>
    median(milliseconds.slice(turn * callsPerTurn, (turn + 1) * callsPerTurn)),
  )

/** A table of all ways to read. */
export function rememberedTable(reads: RememberedReads): string {
  const rows = readings.map((reading) => {
    const { milliseconds, p50, p99, cpuMilliseconds, memoryMegabytes } = reads.measured[reading]
    return [
      names[reading],
      String(milliseconds.length),
      fixed(p50, 1),
      fixed(p99),
      ratioText(ratioOf(reads, reading, 'asked')),
      ratioText(ratioOf(reads, reading, 'naive')),
      fixed(cpuMilliseconds, 1),
      fixed(memoryMegabytes),
    ]
  })
  const times = ['p50, ms', 'p99, ms', '× remembering off', '× naive']
  return markdownTable(['read', 'calls', ...times, 'CPU, ms', 'memory, MB'], rows)
}
