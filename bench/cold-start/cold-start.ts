import { functionNames } from '../../infra/bundle/bundle.ts'
import { type Peer, peers } from '../scenario/peers.ts'
import { isSettled, median, type Spread, spreadOf } from '../statistics.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { firstCallsOf } from './first-calls.ts'
import { type Sample, type Start, samplesInTurn } from './samples.ts'

/** The ratio of two durations, for samples of the same turn. */
export interface Ratios {
  import: Spread
  firstCall: Spread
  /** The processor time of import and first call. */
  firstCallCpu: Spread
}

/** The cold starts of one function of this service. */
export interface ColdStart {
  name: string
  bytes: number
  rounds: number
  /** Medians, in milliseconds. */
  importMilliseconds: number
  firstCallMilliseconds: number
  toB0: Ratios
  toNaive?: Ratios
  /** Whether any sample loaded undici. */
  hasLoadedUndici: boolean
}

/** The budget of a function's cold start, as multiples of B0 or the naive peer. */
export interface ColdStartBudget {
  importToB0?: number
  firstCallToB0?: number
  importToNaive?: number
}

/** The number of samples of each function. */
export interface Rounds {
  /** The minimum. */
  min: number
  /** The maximum, for functions whose budget is not decided before. */
  max: number
}

type Side = Peer | 'b0'
type Samples = Record<Side, Sample[]>

/** Starts each function cold, in turn with B0 and its naive peer, for the given number of rounds. */
export async function measureColdStarts(
  subjects: Subjects,
  surroundings: Surroundings,
  budgetOf: (name: string) => ColdStartBudget,
  rounds: Rounds,
): Promise<ColdStart[]> {
  const calls = await firstCallsOf(subjects, surroundings)
  const { variables } = surroundings
  const functions = functionNames.map((name) => {
    const starts = new Map<Side, Start>([['b0', { subject: subjects.b0, variables, event: {} }]])
    for (const peer of peers) {
      const subject = subjects[peer][name]
      const call = calls[peer][name]
      if (subject && call) starts.set(peer, { subject, variables, ...call })
    }
    const samples: Samples = { b0: [], ours: [], naive: [] }
    return { name, budget: budgetOf(name), starts, samples }
  })
  for (let round = 0; round < rounds.max; round += 1) {
    for (const { budget, starts, samples } of functions) {
      if (round >= rounds.min && isSettledFor(samples, budget)) continue
      const taken = await samplesInTurn(starts, round)
      for (const [side, sample] of taken) samples[side].push(sample)
    }
  }
  return functions.map(({ name, samples }) =>
    coldStartOf(name, subjects.ours[name]?.bytes ?? 0, samples),
  )
}

function isSettledFor(samples: Samples, budget: ColdStartBudget): boolean {
  const { importToB0, firstCallToB0, importToNaive } = budget
  return (
    isSettled(ratios(samples, 'b0', 'importMilliseconds'), importToB0) &&
    isSettled(ratios(samples, 'b0', 'firstCallMilliseconds'), firstCallToB0) &&
    isSettled(ratios(samples, 'naive', 'importMilliseconds'), importToNaive)
  )
}

type Time = Exclude<keyof Sample, 'undici'>

/** The ratios of our samples to the samples of B0 or the naive peer, turn by turn. */
const ratios = ({ ours, ...others }: Samples, side: 'b0' | 'naive', time: Time): number[] =>
  others[side].map((other, index) => (ours[index]?.[time] ?? Number.NaN) / other[time])

function coldStartOf(name: string, bytes: number, samples: Samples): ColdStart {
  const ratiosTo = (side: 'b0' | 'naive'): Ratios => ({
    import: spreadOf(ratios(samples, side, 'importMilliseconds')),
    firstCall: spreadOf(ratios(samples, side, 'firstCallMilliseconds')),
    firstCallCpu: spreadOf(ratios(samples, side, 'firstCallCpuMilliseconds')),
  })
  const { ours, naive } = samples
  return {
    name,
    bytes,
    rounds: ours.length,
    importMilliseconds: median(ours.map(({ importMilliseconds }) => importMilliseconds)),
    firstCallMilliseconds: median(ours.map(({ firstCallMilliseconds }) => firstCallMilliseconds)),
    toB0: ratiosTo('b0'),
    ...(naive.length > 0 && { toNaive: ratiosTo('naive') }),
    hasLoadedUndici: ours.some(({ undici }) => undici.length > 0),
  }
}
