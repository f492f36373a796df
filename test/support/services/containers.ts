import { fileURLToPath } from 'node:url'
import { startApiGateway } from '@player-nfts/local/api-gateway'
import type { LambdaFunction } from '@player-nfts/local/lambda/lambda-function'
import { type LambdaHost, startLambdaHost } from '@player-nfts/local/lambda/lambda-host'
import { gatewayRoutes } from '@player-nfts/local/local-stack'
import { cors } from '../../../lib/contract/cors.ts'
import { atFileEnd } from '../vitest/at-file-end.ts'

type Functions = Readonly<Record<string, LambdaFunction>>

/** The functions with these variables in addition to their own. */
export const withVariables = (
  functions: Functions,
  variables: Readonly<Record<string, string>>,
): Record<string, LambdaFunction> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, { env, ...definition }]) => [
      name,
      { ...definition, env: { ...env, ...variables } },
    ]),
  )

const stillClock = fileURLToPath(new URL('./still-clock.mjs', import.meta.url))

/**
 * These functions with a clock that stands still at `now`, in milliseconds since 1970: no limit is paid back, and none
 * begins anew, while a test runs.
 */
export const withStillClock = (functions: Functions, now: number): Record<string, LambdaFunction> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, { env, ...definition }]) => {
      const still = { ...env, FUNCTION_FILE: definition.file, STILL_TIME: `${now}` }
      return [name, { ...definition, file: stillClock, env: still }]
    }),
  )

/** New containers of functions, before their first calls. They end with the test file. */
export function startContainers(
  functions: Functions,
  log: (line: string) => unknown = () => undefined,
): LambdaHost {
  const host = startLambdaHost({ functions, log })
  atFileEnd(() => host.close())
  return host
}

/** A gateway before containers. Returns its URL. Ends with the test file. */
export async function startGateway({ invoke }: Pick<LambdaHost, 'invoke'>): Promise<string> {
  const gateway = await startApiGateway({ port: 0, routes: gatewayRoutes(), invoke, cors })
  atFileEnd(() => gateway.close())
  return gateway.url
}

/** The same before new containers of these functions. */
export const startGatewayOver = async (functions: Functions): Promise<string> =>
  await startGateway(startContainers(functions))
