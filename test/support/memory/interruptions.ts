import type { Tap } from './memory-ports.ts'

/** The error of a process that a test has killed. */
export class Killed extends Error {}

/**
 * Runs a function once for each moment at which its process can be killed, until it completes: before or after a port call takes effect.
 * From then on, each of its port calls fails, so that its error handling has no effect. Each run gets a fresh `setting`; `thenWhat` checks
 * the state after the kill. Returns the number of moments.
 */
export async function killEverywhere<Setting>(
  setting: () => Setting | Promise<Setting>,
  run: (setting: Setting, tap: Tap) => Promise<unknown>,
  thenWhat: (setting: Setting, moment: number) => Promise<void>,
): Promise<number> {
  for (let moment = 0; ; moment += 1) {
    const fresh = await setting()
    let moments = 0
    const tap = () => {
      moments += 1
      if (moments > moment) throw new Killed('killed by the test')
    }
    await run(fresh, tap).catch((error) => {
      if (!(error instanceof Killed)) throw error
    })
    await thenWhat(fresh, moment)
    if (moments <= moment) return moment
  }
}
