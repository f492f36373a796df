import type { FunctionProcess } from '../function-process.ts'
import { type Peer, peers, subjectOf } from '../scenario/peers.ts'
import { median } from '../statistics.ts'
import { fixedDelays, type Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { type Crowd, comparisons, crowdCalls, crowdSize, crowdTurns, type Row } from './rows.ts'
import { type Contender, inProcesses, type Measured, measureInTurns } from './turns.ts'

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
  { title, operations, warmUps, ...turns }: Row,
  subjects: Pick<Subjects, Peer>,
  { variables }: Surroundings,
): Promise<Comparison> {
  const contender = (peer: Peer): Contender => ({
    subject: subjectOf(subjects, peer, operations[peer].functionName),
    variables,
    operation: operations[peer],
    warmUp: warmUps?.[peer],
  })
  const contenders = { ours: contender('ours'), naive: contender('naive') }
  const measured = await measureInTurns(title, contenders, turns)
  return { title, calls: turns.turns * turns.callsPerTurn, measured }
}

async function compareCrowd(
  { title, operations }: Crowd,
  subjects: Subjects,
  { variables }: Surroundings,
): Promise<Throughput> {
  const rates: Record<Peer, number[]> = { ours: [], naive: [] }
  const contender = (peer: Peer): Contender => {
    const operation = operations[peer]
    return { subject: subjectOf(subjects, peer, operation.functionName), variables, operation }
  }
  const contenders = { ours: contender('ours'), naive: contender('naive') }
  await inProcesses(contenders, async (processes: Record<Peer, FunctionProcess>) => {
    const callsOfAll = async (peer: Peer, calls: number) => {
      const events = Array.from({ length: calls }, operations[peer].event)
      const { milliseconds } = await processes[peer].run(events, { atOnce: crowdSize })
      return (calls * 1000) / milliseconds
    }
    for (const peer of peers) await callsOfAll(peer, crowdSize)
    for (let turn = 0; turn < crowdTurns; turn += 1) {
      for (const peer of turn % 2 === 0 ? peers : peers.toReversed()) {
        rates[peer].push(await callsOfAll(peer, crowdCalls))
      }
    }
  })
  return { title, measured: { ours: median(rates.ours), naive: median(rates.naive) } }
}
