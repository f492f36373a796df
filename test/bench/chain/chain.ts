import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { bundleFunctions } from '../../../infra/bundle.ts'
import { type Budget, fixed } from '../report.ts'
import { eventOf } from '../scenario/events.ts'
import { spreadOf } from '../statistics.ts'

const maxMicroseconds = 10
const samples = 21
const processes = 3

interface Sample {
  chained: number
  empty: number
}

/** Measures what the chain adds to a call, log line and all, against a handler without it. */
export async function chainBudget(outDir: string): Promise<Budget> {
  const entryPoints = [join(import.meta.dirname, 'handlers.ts')]
  const [bundle] = await bundleFunctions({ entryPoints, outDir })
  const runs: Sample[][] = []
  while (runs.length < processes) runs.push(await samplesOf(bundle?.file ?? ''))
  const added = Array.from({ length: samples }, (_, index) =>
    // A process that shares its core is slow from its beginning to its end.
    Math.min(...runs.map((run) => microsecondsAdded(run[index]))),
  )
  const { median, lowerQuartile, upperQuartile } = spreadOf(added)
  return {
    what: 'middy chain, a call',
    budget: `≤ ${maxMicroseconds} µs`,
    measured: `${fixed(median, 1)} µs (${fixed(lowerQuartile, 1)}–${fixed(upperQuartile, 1)})`,
    isMet: median <= maxMicroseconds,
  }
}

async function samplesOf(file: string): Promise<Sample[]> {
  const event = eventOf({ apiKey: '2f7b9a54-3a0e-4b1c-9d57-5d0c7a1f6e21' })
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'loop.mjs'), file, JSON.stringify(event), String(samples)],
    { stdio: ['ignore', 'ignore', 'inherit', 'pipe'], timeout: 60_000 },
  )
  return JSON.parse(await text(child.stdio[3] as Readable))
}

const microsecondsAdded = (sample: Sample | undefined): number =>
  sample ? sample.chained - sample.empty : Number.NaN
