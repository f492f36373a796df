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
/** How many processes one run takes. */
const processes = 3

interface Sample {
  chained: number
  empty: number
}

/** Measures what the chain adds to a call, log line and all, against a handler without it. */
export interface ChainMeasurement {
  /** Takes 21 samples in each of three processes. */
  run(): Promise<void>
  /** Judges what was measured so far. */
  budget(): Budget
}

/**
 * Prepares the measurement. It is run several times, between the other parts of the benchmark: a process
 * whose core is shared with something else is slow from its beginning to its end. Of each sample, the
 * fastest process counts.
 */
export async function chainMeasurement(outDir: string): Promise<ChainMeasurement> {
  const entryPoints = [join(import.meta.dirname, 'handlers.ts')]
  const [bundle] = await bundleFunctions({ entryPoints, outDir })
  const runs: Sample[][] = []
  return {
    async run() {
      for (let count = 0; count < processes; count += 1) {
        runs.push(await samplesOf(bundle?.file ?? ''))
      }
    },
    budget() {
      const added = Array.from({ length: samples }, (_, index) =>
        Math.min(...runs.map((run) => microsecondsAdded(run[index]))),
      )
      const { median, lowerQuartile, upperQuartile } = spreadOf(added)
      return {
        what: 'middy chain, a call',
        budget: `≤ ${maxMicroseconds} µs`,
        measured: `${fixed(median, 1)} µs (${fixed(lowerQuartile, 1)}–${fixed(upperQuartile, 1)})`,
        isMet: median <= maxMicroseconds,
      }
    },
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
