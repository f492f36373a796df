import { fixed, kilobytes, markdownTable } from '../report.ts'
import type { Comparison, Throughput } from './player-reads.ts'
import type { Measured } from './turns.ts'

/** The minimum number of calls for a p99. */
const callsForP99 = 100

/** A table with the values of ours and the naive peer, and their ratio. */
export function comparisonTable(comparisons: readonly Comparison[]): string {
  const columns = {
    'p50, ms': 'p50',
    'p99, ms': 'p99',
    'CPU, ms': 'cpuMilliseconds',
    'memory, MB': 'memoryMegabytes',
  } satisfies Record<string, keyof Measured>
  const header = Object.keys(columns).flatMap((column) => [column, '×'])
  const rows = comparisons.map(({ title, calls, measured: { ours, naive } }) => [
    title,
    String(calls),
    ...Object.values(columns).flatMap((key) =>
      key === 'p99' && calls < callsForP99
        ? ['', '']
        : [`${short(ours[key])} / ${short(naive[key])}`, fixed(ours[key] / naive[key], 2)],
    ),
    kilobytes(Math.max(ours.answerBytes, naive.answerBytes)),
  ])
  return markdownTable(['ours / naive', 'calls', ...header, 'largest answer'], rows)
}

/** Calls a second of both. */
export const throughputTable = (throughputs: readonly Throughput[]): string =>
  markdownTable(
    ['ours / naive', 'calls a second', '×'],
    throughputs.map(({ title, measured: { ours, naive } }) => [
      title,
      `${short(ours)} / ${short(naive)}`,
      fixed(ours / naive, 1),
    ]),
  )

const short = (number: number) => fixed(number, number < 10 ? 1 : 0)
