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
  /** The processor time of import and first call together. */
  firstCallCpuMilliseconds: number
  /** The loaded CommonJS files. */
  files: string[]
  /** The loaded modules of Node with undici in their names. */
  undici: string[]
}

/** A cold start that is repeated. */
export interface Start {
  subject: Subject
  variables: Record<string, string>
  event: unknown
  /** Restores the state that the first call changes. */
  prepare?: () => void
}

/** Starts a function cold in its own process. Throws if its first call does not succeed. */
export async function sampleOf({ subject, variables, event, prepare }: Start): Promise<Sample> {
  prepare?.()
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'sample.mjs'), subject.load, subject.file, JSON.stringify(event)],
    { env: variables, stdio: ['ignore', 'ignore', 'inherit', 'pipe'], timeout: 60_000 },
  )
  const line = await text(child.stdio[3] as Readable)
  const { answer, ...sample } = JSON.parse(line || '{}')
  if (!isSuccess(answer)) {
    throw new Error(`${subject.file}: the first call answered ${JSON.stringify(answer)}`)
  }
  return sample
}

/** The background worker returns its failed messages in place of a status. */
const isSuccess = (answer?: { statusCode?: number; batchItemFailures?: unknown[] }): boolean =>
  answer?.statusCode === 200 || answer?.batchItemFailures?.length === 0

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
    counter.take()
    await sampleOf(start)
    return counter.take().dynamodbRounds
  } finally {
    delays.DynamoDB = before
  }
}
