import { cors } from '../../../lib/contract/cors.ts'
import { startApiGateway } from '../../../local/api-gateway/api-gateway.ts'
import type { LambdaFunction } from '../../../local/lambda/lambda-function.ts'
import { startLambdaHost } from '../../../local/lambda/lambda-host.ts'
import { gatewayRoutes } from '../../../local/local-stack.ts'
import { atFileEnd } from '../vitest/at-file-end.ts'

/** A gateway before new containers of these functions. Returns its URL. Ends with the test file. */
export async function startGatewayOver(
  functions: Readonly<Record<string, LambdaFunction>>,
): Promise<string> {
  const host = startLambdaHost({ functions, log: () => undefined })
  atFileEnd(() => host.close())
  const { invoke } = host
  const gateway = await startApiGateway({ port: 0, routes: gatewayRoutes(), invoke, cors })
  atFileEnd(() => gateway.close())
  return gateway.url
}
