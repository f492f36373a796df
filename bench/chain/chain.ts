import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { bundleFunctions } from '../../infra/bundle/bundle.ts'
import { atMost, type Budget, fixed } from '../report.ts'
import { eventOf } from '../scenario/events.ts'
import { median } from '../statistics.ts'

const maxRatio = 5.5
const samples = 21

/** The time of a call, in microseconds. `json`: of reading the event from JSON and writing it. */
interface Sample {
  chained: number
  empty: number
  json: number
}

/** Measures the time that the chain, including its log line, adds to a call. */
export type ChainMeasurement = Awaited<ReturnType<typeof chainMeasurement>>

/**
 * Prepares the measurement: the time in proportion to what Node takes to read the event from JSON and to write it, because the same code takes 9
 * to 12 µs on machines of one kind. It runs many times, spread over the benchmark: a process that shares its core with another
 * process takes twice as long from start to end, and that can last minutes on a shared machine. The median of the fastest
 * process counts.
 */
export async function chainMeasurement(outDir: string) {
  const entryPoints = [join(import.meta.dirname, 'handlers.ts')]
  const [bundle] = await bundleFunctions({ entryPoints, outDir })
  const runs: Sample[][] = []
  return {
    /** Takes 21 samples in a new process. */
    async run() {
      runs.push(await samplesOf(bundle?.file ?? ''))
    },
    budget(): Budget {
      const medians = runs.map((run) => ({
        ratio: median(run.map((each) => microsecondsAdded(each) / each.json)),
        microseconds: median(run.map(microsecondsAdded)),
      }))
      const ratio = Math.min(...medians.map((each) => each.ratio))
      const microseconds = Math.min(...medians.map((each) => each.microseconds))
      const what = `middy chain, a call: fastest of ${runs.length} processes`
      const measured = `${fixed(ratio, 1)}: ${fixed(microseconds, 1)} µs`
      return atMost(what, ratio, [maxRatio, '× the event as JSON'], measured)
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

const microsecondsAdded = ({ chained, empty }: Sample): number => chained - empty
