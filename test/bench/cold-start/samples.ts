import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Subject } from '../subjects/bundles.ts'

/** One cold start: from nothing loaded to the answer of the first call. */
export interface Sample {
  importMilliseconds: number
  /** Import and first call together. */
  firstCallMilliseconds: number
  /** The processor time of the same. */
  importCpuMilliseconds: number
  firstCallCpuMilliseconds: number
  /** Node's modules with undici in their names that are loaded by then. */
  undici: string[]
}

/** Something that is started cold, over and over. */
export interface Start {
  subject: Subject
  variables: Record<string, string>
  event: unknown
  /** Puts back what the first call uses up. */
  prepare?: () => void
}

/** Starts a function cold in a process of its own. Throws if its first call does not succeed. */
export async function sampleOf({ subject, variables, event, prepare }: Start): Promise<Sample> {
  prepare?.()
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'sample.mjs'), subject.load, subject.file, JSON.stringify(event)],
    { env: variables, stdio: ['ignore', 'ignore', 'inherit', 'pipe'], timeout: 60_000 },
  )
  const line = await text(child.stdio[3] as Readable)
  const { statusCode, body, ...sample } = JSON.parse(line || '{}')
  // The background worker answers no status but what has failed.
  const hasFailed = statusCode === undefined ? !line : statusCode !== 200
  if (hasFailed) throw new Error(`${subject.file}: the first call answered ${statusCode}: ${body}`)
  return sample
}

/**
 * The fastest of some samples of each start, taken in turn: whatever else the machine does makes them
 * only slower, and falls on all of them alike.
 */
export async function fastestInTurn<Name extends string>(
  starts: ReadonlyMap<Name, Start>,
  firstTurn: number,
  tries: number,
): Promise<Map<Name, Sample>> {
  const names = [...starts.keys()]
  const fastest = new Map<Name, Sample>()
  for (let turn = 0; turn < names.length * tries; turn += 1) {
    const name = names[(firstTurn + turn) % names.length] as Name
    const sample = await sampleOf(starts.get(name) as Start)
    const before = fastest.get(name)
    fastest.set(name, before ? fasterOf(before, sample) : sample)
  }
  return fastest
}

/** The shorter one of each of their times. */
const fasterOf = (a: Sample, b: Sample): Sample => ({
  importMilliseconds: Math.min(a.importMilliseconds, b.importMilliseconds),
  firstCallMilliseconds: Math.min(a.firstCallMilliseconds, b.firstCallMilliseconds),
  importCpuMilliseconds: Math.min(a.importCpuMilliseconds, b.importCpuMilliseconds),
  firstCallCpuMilliseconds: Math.min(a.firstCallCpuMilliseconds, b.firstCallCpuMilliseconds),
  undici: [...a.undici, ...b.undici],
})

/** Such samples of each start, round after round, each round begun one start further. */
export async function interleavedSamples<Name extends string>(
  starts: ReadonlyMap<Name, Start>,
  rounds: number,
  tries: number,
): Promise<Map<Name, Sample[]>> {
  const samples = new Map<Name, Sample[]>([...starts.keys()].map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, sample] of await fastestInTurn(starts, round, tries)) {
      samples.get(name)?.push(sample)
    }
  }
  return samples
}
