import { keeping as keepingIn, putPosition } from '../scenario/keeping.ts'
import { isSettled, median, type Spread, spreadOf } from '../statistics.ts'
import type { Surroundings } from '../stubs/surroundings.ts'
import { type Peer, peers, type Subjects } from '../subjects/bundles.ts'
import { firstCallsOf } from './first-calls.ts'
import {
  eventOf,
  type FirstCalls,
  firstCallRounds,
  type Sample,
  type Start,
  sampleOf,
  samplesInTurn,
} from './samples.ts'

/** The cold starts of one function of this service. */
export type ColdStart = Awaited<ReturnType<typeof measureColdStarts>>[number]

/** Each ratio of a function's cold start: to what, and of which time. */
const ratioKinds = {
  importToB0: ['b0', 'importMilliseconds'],
  firstCallToB0: ['b0', 'firstCallMilliseconds'],
  /** To B0 with as many requests, one after the other, as the first call of the function has rounds. */
  firstCallToB0InRounds: ['b0InRounds', 'firstCallMilliseconds'],
  importToNaive: ['naive', 'importMilliseconds'],
} as const satisfies Record<string, readonly [Exclude<Side, 'ours'>, keyof Sample]>

export type Ratio = keyof typeof ratioKinds

const ratioNames = Object.keys(ratioKinds) as Ratio[]

/** The budget of a function's cold start, as multiples of B0 or the naive peer. */
export type ColdStartBudget = Partial<Record<Ratio, number>>

type Side = Peer | 'b0' | 'b0InRounds'
type Samples = Record<Side, Sample[]>

/**
 * Starts each function cold, in turn with B0 and its naive peer, for the given number of rounds: the maximum is for functions whose
 * budget is not decided before. The functions of `keeping` are also started in a deployment that keeps the contracts of their first
 * call. `beforeRound` runs before each of the minimum rounds.
 */
export async function measureColdStarts(
  subjects: Subjects,
  surroundings: Surroundings,
  options: {
    rounds: { min: number; max: number }
    budgetOf: (title: string) => ColdStartBudget
    keeping: readonly string[]
    beforeRound: () => Promise<void>
  },
) {
  const { rounds } = options
  await using ending = new AsyncDisposableStack()
  const calls = await firstCallsOf(subjects, surroundings, ending)
  const startsOf = (name: string) => firstStarts(name, subjects, surroundings, calls)
  const measured = [
    ...Object.keys(calls.ours).map((name) => ({ name, starts: startsOf(name) })),
    ...(await Array.fromAsync(options.keeping, (name) =>
      withKept(name, startsOf(name), surroundings),
    )),
  ]
  // One after the other, because every sample needs the machine for itself.
  const functions = await Array.fromAsync(measured, async ({ name, starts }) => {
    const budget = options.budgetOf(name)
    const { variables } = surroundings
    const requestRounds = await firstCallRounds(starts.get('ours') as Start, surroundings)
    if (budget.firstCallToB0InRounds) {
      const event = { requests: requestRounds }
      starts.set('b0InRounds', { subject: subjects.b0, variables, event })
    }
    const samples: Samples = { b0: [], b0InRounds: [], ours: [], naive: [] }
    return { name, budget, starts, requestRounds, samples }
  })
  for (let round = 0; round < rounds.max; round += 1) {
    if (round < rounds.min) await options.beforeRound()
    for (const { budget, starts, samples } of functions) {
      const sides = round < rounds.min ? new Set(starts.keys()) : undecidedSides(samples, budget)
      if (sides.size === 0) continue
      const turn = [...starts].filter(([side]) => side === 'ours' || sides.has(side))
      const taken = await samplesInTurn(new Map(turn), round)
      for (const [side, sample] of taken) samples[side].push(sample)
    }
  }
  return functions.map(({ name, requestRounds, samples }) => ({
    name,
    /** The rounds of requests to DynamoDB in the first call. */
    requestRounds,
    ...timesOf(samples),
  }))
}

function firstStarts(
  name: string,
  subjects: Subjects,
  { variables }: Surroundings,
  calls: Record<Peer, FirstCalls>,
): Map<Side, Start> {
  const starts = new Map<Side, Start>([['b0', { subject: subjects.b0, variables, event: {} }]])
  for (const peer of peers) {
    const subject = subjects[peer][name]
    const call = calls[peer][name]
    if (subject && call) starts.set(peer, { subject, variables, ...call })
  }
  return starts
}

/** What the tables call the first call of a function that reads kept contracts. */
export const keptTitle = (name: string): string => `${name}, kept`

/** The same function in a deployment that keeps the contracts. Throws if the first call asks the indexer. */
async function withKept(name: string, starts: Map<Side, Start>, surroundings: Surroundings) {
  const { variables } = keepingIn(surroundings)
  const ours = starts.get('ours') as Start
  const request = await eventOf(ours)
  const event = () => {
    putPosition(surroundings.table)
    return request
  }
  const start = { ...ours, variables, event }
  // The first read asks for the metadata, and keeps it.
  await sampleOf(start)
  surroundings.counter.take()
  await sampleOf(start)
  if (surroundings.counter.take().indexerCalls > 0) {
    throw new Error(`${name} has asked the indexer for what is kept`)
  }
  return { name: keptTitle(name), starts: new Map<Side, Start>([...starts, ['ours', start]]) }
}

/** The sides to which our ratio is not decided yet. A side whose ratio is decided gets no more samples. */
function undecidedSides(samples: Samples, budget: ColdStartBudget): Set<Side> {
  const undecided = ratioNames.filter(
    (ratio) => !isSettled(ratiosOf(samples, ratio), budget[ratio]),
  )
  return new Set(undecided.map((ratio) => ratioKinds[ratio][0]))
}

/** A ratio of our samples to the samples of B0 or the naive peer, turn by turn. */
function ratiosOf({ ours, ...others }: Samples, ratio: Ratio): number[] {
  const [side, time] = ratioKinds[ratio]
  return others[side].map((other, index) => (ours[index]?.[time] ?? Number.NaN) / other[time])
}

/** Medians, in milliseconds, and the ratios to the sides that were started. */
function timesOf(samples: Samples) {
  const { ours } = samples
  const measured = ratioNames.filter((ratio) => samples[ratioKinds[ratio][0]].length > 0)
  const ratios: Partial<Record<Ratio, Spread>> = Object.fromEntries(
    measured.map((ratio) => [ratio, spreadOf(ratiosOf(samples, ratio))]),
  )
  return {
    samples: ours.length,
    importMilliseconds: median(ours.map(({ importMilliseconds }) => importMilliseconds)),
    firstCallMilliseconds: median(ours.map(({ firstCallMilliseconds }) => firstCallMilliseconds)),
    ratios,
    hasLoadedUndici: ours.some(({ undici }) => undici.length > 0),
  }
}
