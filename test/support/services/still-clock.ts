import { fileURLToPath } from 'node:url'
import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'

const file = fileURLToPath(new URL('./still-clock.mjs', import.meta.url))

/**
 * These functions with a clock that stands still at `now`, in milliseconds since 1970: no limit is paid back, and none
 * begins anew, while a test runs.
 */
export const withStillClock = (
  functions: Readonly<Record<string, LambdaFunction>>,
  now: number,
): Record<string, LambdaFunction> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, { env, ...definition }]) => {
      const still = { ...env, FUNCTION_FILE: definition.file, STILL_TIME: `${now}` }
      return [name, { ...definition, file, env: still }]
    }),
  )
