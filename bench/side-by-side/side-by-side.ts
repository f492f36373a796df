import { type FunctionProcess, type Run, startFunctionProcess } from '../function-process.ts'
import type { Operation } from '../scenario/operations.ts'
import { type Peer, peers, subjectOf } from '../scenario/peers.ts'
import { median, quantile } from '../statistics.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { type Crowd, comparisons, crowdCalls, crowdSize, crowdTurns, type Row } from './rows.ts'

/** The time and memory of an operation of one peer. */
export interface Measured {
  /** The duration of calls, in milliseconds. */
  p50: number
  p99: number
  /** Processor time of a call, in milliseconds. */
  cpuMilliseconds: number
  /** The peak memory of the process, in megabytes. */
  memoryMegabytes: number
  /** The size of the largest response, in bytes. */
  answerBytes: number
  /** The duration of each call, in order. */
  milliseconds: number[]
}

/** One row of the comparison. */
export interface Comparison {
  title: string
  calls: number
  measured: Record<Peer, Measured>
}

/** The throughput of both peers with concurrent callers. */
export interface Throughput {
  title: string
  /** Calls a second. */
  measured: Record<Peer, number>
}

/**
 * Compares this service with the naive peer on the same stubs with fixed delays: each operation in
 * its own process for each peer, after a warm-up, in turns.
 */
export async function compare(
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<{ comparisons: Comparison[]; throughputs: Throughput[] }> {
  const { rows, crowds } = await comparisons(subjects, surroundings)
  Object.assign(surroundings.delays, fixedDelays)
  const lines: Comparison[] = []
  for (const row of rows) lines.push(await compareRow(row, subjects, surroundings))
  const throughputs: Throughput[] = []
  for (const crowd of crowds) throughputs.push(await compareCrowd(crowd, subjects, surroundings))
  return { comparisons: lines, throughputs }
}

/** Compares one operation of both peers, in turns. Throws if the numbers of NFTs in the responses differ. */
export async function compareRow(
  { title, operations, warmUps, warmUpCalls = 1, turns, callsPerTurn }: Row,
  subjects: Pick<Subjects, Peer>,
  surroundings: Surroundings,
): Promise<Comparison> {
  const runs: Record<Peer, Run[]> = { ours: [], naive: [] }
  await inProcesses(operations, subjects, surroundings, async (processes) => {
    for (const peer of peers) {
      await carryOut((warmUps ?? operations)[peer], processes[peer], warmUpCalls)
    }
    for (let turn = 0; turn < turns; turn += 1) {
      for (const peer of inTurn(turn)) {
        runs[peer].push(await carryOut(operations[peer], processes[peer], callsPerTurn))
      }
    }
  })
  checkSame(title, runs)
  return {
    title,
    calls: turns * callsPerTurn,
    measured: { ours: measuredOf(runs.ours), naive: measuredOf(runs.naive) },
  }
}

async function compareCrowd(
  { title, operations }: Crowd,
  subjects: Subjects,
  surroundings: Surroundings,
): Promise<Throughput> {
  const rates: Record<Peer, number[]> = { ours: [], naive: [] }
  await inProcesses(operations, subjects, surroundings, async (processes) => {
    const callsOfAll = async (peer: Peer, calls: number) => {
      const events = Array.from({ length: calls }, operations[peer].event)
      const { milliseconds } = await processes[peer].run(events, { atOnce: crowdSize })
      return (calls * 1000) / milliseconds
    }
    for (const peer of peers) await callsOfAll(peer, crowdSize)
    for (let turn = 0; turn < crowdTurns; turn += 1) {
      for (const peer of inTurn(turn)) rates[peer].push(await callsOfAll(peer, crowdCalls))
    }
  })
  return { title, measured: { ours: median(rates.ours), naive: median(rates.naive) } }
}

/** The peers take turns in being first. */
const inTurn = (turn: number): readonly Peer[] => (turn % 2 === 0 ? peers : peers.toReversed())

async function carryOut(
  operation: Operation,
  process: FunctionProcess,
  calls: number,
): Promise<Run> {
  const { event, restore, isWhole = false } = operation
  const run = await process.run(Array.from({ length: calls }, event), { isWhole })
  restore?.()
  return run
}

async function inProcesses(
  operations: Record<Peer, Operation>,
  subjects: Pick<Subjects, Peer>,
  { variables }: Surroundings,
  use: (processes: Record<Peer, FunctionProcess>) => Promise<void>,
): Promise<void> {
  const start = (peer: Peer) =>
    startFunctionProcess(subjectOf(subjects, peer, operations[peer].functionName), variables)
  const processes = { ours: await start('ours'), naive: await start('naive') }
  try {
    await use(processes)
  } finally {
    await Promise.all(peers.map((peer) => processes[peer].close()))
  }
}

/** A comparison is meaningless if the responses differ. */
function checkSame(title: string, runs: Record<Peer, Run[]>): void {
  const [ours, naive] = peers.map((peer) =>
    runs[peer].flatMap(({ operations }) => operations.map(({ entries }) => entries)).join(),
  )
  if (ours !== naive)
    throw new Error(`${title}: ours answered ${ours} NFTs, the naive peer ${naive}`)
}

function measuredOf(runs: readonly Run[]): Measured {
  const operations = runs.flatMap((run) => run.operations)
  const milliseconds = operations.map((operation) => operation.milliseconds)
  const cpuMilliseconds = runs.reduce((sum, run) => sum + run.cpuMilliseconds, 0)
  return {
    p50: quantile(milliseconds, 0.5),
    p99: quantile(milliseconds, 0.99),
    cpuMilliseconds: cpuMilliseconds / operations.length,
    memoryMegabytes: Math.max(...runs.map(({ peakMegabytes }) => peakMegabytes)),
    answerBytes: Math.max(...operations.map(({ bytes }) => bytes)),
    milliseconds,
  }
}
