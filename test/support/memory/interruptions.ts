import type { Tap } from './memory-ports.ts'

/** What a process that was killed in a test throws. */
export class Killed extends Error {}

/**
 * A process that is killed at its n-th moment: before or after a port call takes effect. From then on
 * it reaches nothing any more, so that nothing it would do on the way out counts.
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
 * Runs a piece of work once for each moment it could be killed at, until it lives to its end. Each run
 * gets a fresh `setting`; `thenWhat` looks at what the dead process has left behind.
 */
export async function killEverywhere<Setting>(
  setting: () => Setting,
  run: (setting: Setting, tap: Tap) => Promise<unknown>,
  thenWhat: (setting: Setting, moment: number) => Promise<void>,
): Promise<number> {
  for (let moment = 0; ; moment += 1) {
    const fresh = setting()
    const { tap, moments } = killedAt(moment)
    await run(fresh, tap).catch((error) => {
      if (!(error instanceof Killed)) throw error
    })
    await thenWhat(fresh, moment)
    if (moments() <= moment) return moment
  }
}
