import type { Tap } from './memory-ports.ts'

/** The error of a process that a test has killed. */
export class Killed extends Error {}

/**
 * A process that is killed at its n-th moment: before or after a port call takes effect. From then on,
 * each of its port calls fails, so that its error handling has no effect.
 */
function killedAt(moment: number): { tap: Tap; moments(): number } {
  let moments = 0
  return {
    tap: () => {
      moments += 1
      if (moments > moment) throw new Killed('killed by the test')
    },
    moments: () => moments,
  }
}

/**
 * Runs a function once for each moment at which it can be killed, until it completes. Each run gets a
 * fresh `setting`; `thenWhat` checks the state after the kill. Returns the number of moments.
 */
export async function killEverywhere<Setting>(
  setting: () => Setting | Promise<Setting>,
  run: (setting: Setting, tap: Tap) => Promise<unknown>,
  thenWhat: (setting: Setting, moment: number) => Promise<void>,
): Promise<number> {
  for (let moment = 0; ; moment += 1) {
    const fresh = await setting()
    const { tap, moments } = killedAt(moment)
    await run(fresh, tap).catch((error) => {
      if (!(error instanceof Killed)) throw error
    })
    await thenWhat(fresh, moment)
    if (moments() <= moment) return moment
  }
}
