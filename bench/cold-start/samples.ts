import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Surroundings } from '../stubs/surroundings.ts'
import type { Subject } from '../subjects/bundles.ts'

/** One cold start: from an empty process to the response of the first call. */
export interface Sample {
  importMilliseconds: number
  /** Import and first call together. */
  firstCallMilliseconds: number
  /** The loaded CommonJS files. */
  files: string[]
  /** The loaded modules of Node with undici in their names. */
  undici: string[]
}

/** A cold start that is repeated. */
export interface Start {
  subject: Subject
  variables: Record<string, string>
  /** The event of the first call, or what makes it and the state that it needs. */
  event: unknown | (() => unknown)
  /** The status of the answer (default 200), or that there is none. */
  answers?: number | 'nothing'
}

/** The first call of each function by name. `variables`: the environment, if it is another than that of all. */
export type FirstCalls = Record<string, Omit<Start, 'subject' | 'variables'> & Partial<Start>>

/** The event of a start, made for one sample. */
export const eventOf = ({ event }: Start): unknown =>
  typeof event === 'function' ? event() : event

/** Starts a function cold in its own process. Throws if its first call does not succeed. */
export async function sampleOf(start: Start): Promise<Sample> {
  const { subject, variables, answers = 200 } = start
  const event = await eventOf(start)
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'sample.mjs'), subject.load, subject.file, JSON.stringify(event)],
    { env: variables, stdio: ['ignore', 'ignore', 'inherit', 'pipe'], timeout: 60_000 },
  )
  const line = await text(child.stdio[3] as Readable)
  const { answer, ...sample } = JSON.parse(line || '{}')
  if (!isExpected(answer, answers)) {
    throw new Error(`${subject.file}: the first call answered ${JSON.stringify(answer)}`)
  }
  return sample
}

/** What reads a queue returns its failed messages in place of a status. */
const isExpected = (
  answer: { statusCode?: number; batchItemFailures?: unknown[] } | undefined,
  expected: number | 'nothing',
): boolean =>
  expected === 'nothing'
    ? answer === undefined
    : answer?.statusCode === expected || answer?.batchItemFailures?.length === 0

/** One sample of each start, in turn. Each round begins with another start. */
export async function samplesInTurn<Name extends string>(
  starts: ReadonlyMap<Name, Start>,
  round: number,
): Promise<Map<Name, Sample>> {
  const names = [...starts.keys()]
  const samples = new Map<Name, Sample>()
  for (const turn of names.keys()) {
    const name = names[(round + turn) % names.length] as Name
    samples.set(name, await sampleOf(starts.get(name) as Start))
  }
  return samples
}

/** A delay, in milliseconds, after which concurrent requests are all in progress together. */
const roundMilliseconds = 60

/** Counts the rounds of requests to DynamoDB in a first call. */
export async function firstCallRounds(
  start: Start,
  { counter, delays }: Surroundings,
): Promise<number> {
  const before = delays.DynamoDB
  delays.DynamoDB = roundMilliseconds
  try {
    const event = await eventOf(start)
    counter.take()
    await sampleOf({ ...start, event })
    return counter.take().dynamodbRounds
  } finally {
    delays.DynamoDB = before
  }
}
