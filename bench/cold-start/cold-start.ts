import { functionNames } from '../../infra/bundle/bundle.ts'
import { type Peer, peers } from '../scenario/peers.ts'
import { isSettled, median, type Spread, spreadOf } from '../statistics.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subjects } from '../subjects/bundles.ts'
import { firstCallRounds } from './first-call-rounds.ts'
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
  samples: number
  /** The rounds of requests to DynamoDB in the first call. */
  requestRounds: number
  /** Medians, in milliseconds. */
  importMilliseconds: number
  firstCallMilliseconds: number
  toB0: Ratios
  /** The import and first call, compared with a B0 whose first call has as many rounds. */
  firstCallToB0InRounds?: Spread
  toNaive?: Ratios
  /** Whether any sample loaded undici. */
  hasLoadedUndici: boolean
}

/** The budget of a function's cold start, as multiples of B0 or the naive peer. */
export interface ColdStartBudget {
  importToB0?: number
  firstCallToB0?: number
  /** Of B0 with as many requests, one after the other, as the first call of the function has rounds. */
  firstCallToB0InRounds?: number
  importToNaive?: number
}

/** The number of samples of each function. */
export interface Rounds {
  /** The minimum. */
  min: number
  /** The maximum, for functions whose budget is not decided before. */
  max: number
}

type Side = Peer | 'b0' | 'b0InRounds'
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
  const functions = await inSequence(functionNames, async (name) => {
    const budget = budgetOf(name)
    const starts = new Map<Side, Start>([['b0', { subject: subjects.b0, variables, event: {} }]])
    for (const peer of peers) {
      const subject = subjects[peer][name]
      const call = calls[peer][name]
      if (subject && call) starts.set(peer, { subject, variables, ...call })
    }
    const requestRounds = await firstCallRounds(starts.get('ours') as Start, surroundings)
    if (budget.firstCallToB0InRounds) {
      const event = { requests: requestRounds }
      starts.set('b0InRounds', { subject: subjects.b0, variables, event })
    }
    const samples: Samples = { b0: [], b0InRounds: [], ours: [], naive: [] }
    return { name, budget, starts, requestRounds, samples }
  })
  for (let round = 0; round < rounds.max; round += 1) {
    for (const { budget, starts, samples } of functions) {
      if (round >= rounds.min && isSettledFor(samples, budget)) continue
      const taken = await samplesInTurn(starts, round)
      for (const [side, sample] of taken) samples[side].push(sample)
    }
  }
  return functions.map(({ name, requestRounds, samples }) => ({
    name,
    bytes: subjects.ours[name]?.bytes ?? 0,
    requestRounds,
    ...timesOf(samples),
  }))
}

/** One result after the other, because every sample needs the machine for itself. */
async function inSequence<Item, Result>(
  items: readonly Item[],
  task: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (const item of items) results.push(await task(item))
  return results
}

function isSettledFor(samples: Samples, budget: ColdStartBudget): boolean {
  const { importToB0, firstCallToB0, firstCallToB0InRounds, importToNaive } = budget
  return (
    isSettled(ratios(samples, 'b0', 'importMilliseconds'), importToB0) &&
    isSettled(ratios(samples, 'b0', 'firstCallMilliseconds'), firstCallToB0) &&
    isSettled(ratios(samples, 'b0InRounds', 'firstCallMilliseconds'), firstCallToB0InRounds) &&
    isSettled(ratios(samples, 'naive', 'importMilliseconds'), importToNaive)
  )
}

type Time = Exclude<keyof Sample, 'undici'>

/** The ratios of our samples to the samples of B0 or the naive peer, turn by turn. */
const ratios = ({ ours, ...others }: Samples, side: Exclude<Side, 'ours'>, time: Time): number[] =>
  others[side].map((other, index) => (ours[index]?.[time] ?? Number.NaN) / other[time])

function timesOf(samples: Samples): Omit<ColdStart, 'name' | 'bytes' | 'requestRounds'> {
  const ratiosTo = (side: 'b0' | 'naive'): Ratios => ({
    import: spreadOf(ratios(samples, side, 'importMilliseconds')),
    firstCall: spreadOf(ratios(samples, side, 'firstCallMilliseconds')),
    firstCallCpu: spreadOf(ratios(samples, side, 'firstCallCpuMilliseconds')),
  })
  const { ours, naive } = samples
  const inRounds = ratios(samples, 'b0InRounds', 'firstCallMilliseconds')
  return {
    samples: ours.length,
    importMilliseconds: median(ours.map(({ importMilliseconds }) => importMilliseconds)),
    firstCallMilliseconds: median(ours.map(({ firstCallMilliseconds }) => firstCallMilliseconds)),
    toB0: ratiosTo('b0'),
    ...(inRounds.length > 0 && { firstCallToB0InRounds: spreadOf(inRounds) }),
    ...(naive.length > 0 && { toNaive: ratiosTo('naive') }),
    hasLoadedUndici: ours.some(({ undici }) => undici.length > 0),
  }
}
