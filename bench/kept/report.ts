import { type Budget, fixed, markdownTable } from '../report.ts'
import { type KeptReads, type Reading, readings, type Stage, staged, stages } from './kept-reads.ts'

/** The greatest multiples of the naive peer's times, after 500 calls. */
const limits = { p50: 0.12, cpuMilliseconds: 0.5 } as const

type Time = keyof typeof limits

const timeNames: Record<Time, string> = { p50: 'p50', cpuMilliseconds: 'processor time' }

/** What the tables call each way to read. */
const names: Record<Reading, string> = {
  kept: 'kept',
  moved: 'kept, right after a transfer',
  asked: 'asks the indexer',
  naive: 'naive peer',
}

/** The budgets of kept reads, in a warm container. */
export const keptBudgets = ({ byStage: { warm } }: KeptReads): Budget[] =>
  staged.flatMap((reading) =>
    (Object.keys(limits) as Time[]).map((time) => {
      const ratio = warm[reading][time] / warm.naive[time]
      return {
        what: `player's NFTs, wallet of 10, ${names[reading]}, after 500 calls: ${timeNames[time]}`,
        budget: `≤ ${limits[time]} × naive`,
        measured: fixed(ratio, 3),
        isMet: ratio <= limits[time],
      }
    }),
  )

/** What the tables call each stage. */
const stageNames: Record<Stage, string> = { first: 'first 100 calls', warm: 'after 500 calls' }

/** A table of the stages of a container. */
export function stagesTable({ byStage }: KeptReads): string {
  const rows = staged.flatMap((reading) =>
    stages.map((stage) => {
      const { [reading]: ours, naive } = byStage[stage]
      return [
        `${names[reading]}, ${stageNames[stage]}`,
        fixed(ours.p50, 1),
        fixed(naive.p50, 1),
        fixed(ours.p50 / naive.p50, 3),
        fixed(ours.cpuMilliseconds, 1),
        fixed(naive.cpuMilliseconds, 1),
        fixed(ours.cpuMilliseconds / naive.cpuMilliseconds, 3),
      ]
    }),
  )
  const columns = ['p50, ms', 'naive', '× naive', 'CPU, ms', 'naive', '× naive']
  return markdownTable(['read', ...columns], rows)
}

/** A table of all ways to read. */
export function keptTable({ measured }: KeptReads): string {
  const rows = readings.map((reading) => {
    const { milliseconds, p50, p99, cpuMilliseconds, memoryMegabytes } = measured[reading]
    return [
      names[reading],
      String(milliseconds.length),
      fixed(p50, 1),
      fixed(p99),
      fixed(p50 / measured.naive.p50, 3),
      fixed(cpuMilliseconds, 1),
      fixed(memoryMegabytes),
    ]
  })
  const columns = ['calls', 'p50, ms', 'p99, ms', '× naive', 'CPU, ms', 'memory, MB']
  return markdownTable(['read', ...columns], rows)
}
