import { type Budget, fixed, markdownTable, ratioText } from '../report.ts'
import { median, type Spread, spreadOf } from '../statistics.ts'
import {
  type Reading,
  type RememberedReads,
  readings,
  type Stage,
  stages,
} from './remembered-reads.ts'

/** The budgets of remembered reads: the medians of turns, as multiples of another way to read. */
export const rememberedBudgets = (reads: RememberedReads): Budget[] => [
  budget(reads, 'remembered', 'asked', 0.2),
  budget(reads, 'kept', 'asked', 1.05),
  stageBudget(reads, 'first', 'processor time', 0.7),
  stageBudget(reads, 'warm', 'processor time', 0.5),
  stageBudget(reads, 'warm', 'p50', 0.12),
]

/** What the tables call each stage. */
const stageNames: Record<Stage, string> = { first: 'first 100 calls', warm: 'after 500 calls' }

/** A budget of a stage: that of a remembered read, as a multiple of the naive peer's. */
function stageBudget(
  { byStage }: RememberedReads,
  stage: Stage,
  what: 'processor time' | 'p50',
  limit: number,
): Budget {
  const { remembered, naive } = byStage[stage]
  const key = what === 'p50' ? 'p50' : 'cpuMilliseconds'
  const ratio = remembered[key] / naive[key]
  return {
    what: `player's NFTs, wallet of 10, remembered, ${stageNames[stage]}: ${what}`,
    budget: `≤ ${limit} × naive`,
    measured: fixed(ratio, 3),
    isMet: ratio <= limit,
  }
}

/** A table of the stages of a container. */
export function stagesTable({ byStage }: RememberedReads): string {
  const rows = stages.map((stage) => {
    const { remembered, naive } = byStage[stage]
    return [
      stageNames[stage],
      fixed(remembered.p50, 1),
      fixed(naive.p50, 1),
      fixed(remembered.p50 / naive.p50, 3),
      fixed(remembered.cpuMilliseconds, 1),
      fixed(naive.cpuMilliseconds, 1),
      fixed(remembered.cpuMilliseconds / naive.cpuMilliseconds, 3),
    ]
  })
  const columns = ['p50, ms', 'naive', '× naive', 'CPU, ms', 'naive', '× naive']
  return markdownTable(['remembered read', ...columns], rows)
}

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
