import middy, { type MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import type { OpenChains, Route } from '../contract/route.ts'
import { ServiceUnavailable } from '../domain/failures.ts'
import {
  functionTimeoutSeconds,
  operationMilliseconds,
  requestMilliseconds,
} from '../domain/time-budget.ts'
import { downstreamCalls } from '../observability/downstream-calls.ts'
import { logDefect, logRequest } from '../observability/log.ts'
import { type AllCallerPorts, type Caller, identifyCaller } from './caller.ts'
import type { CallerPorts, Input, InputSettings, Operation, Output } from './endpoint.ts'
import { withLowerCaseHeaderNames } from './header-names.ts'
import { inTime } from './in-time.ts'
import { inputReader } from './input.ts'
import { afterPermission, type Permission, runCounted, runPermitted } from './permission.ts'
import { problemOf } from './problem.ts'
import { problemResponse, successResponse } from './response.ts'
import { sourceAddressOf } from './source-address.ts'

/** The time before the function timeout in which the request is answered with 503, in milliseconds. */
const reserveMilliseconds = functionTimeoutSeconds * 1000 - requestMilliseconds

const outOfTime = () => new ServiceUnavailable('the request ran out of time')

/** The data of one request that the steps of the chain share. */
interface Exchange {
  event: APIGatewayProxyEventV2
  query: URLSearchParams
  startedAt: number
  caller: Caller
}

type Step = MiddlewareObj<unknown, unknown, Error, Context, Partial<Exchange>>
type Request = Parameters<NonNullable<Step['onError']>>[0]

export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>

/**
 * Returns the handler of an operation's Lambda function behind an API Gateway HTTP API (payload format
 * 2.0). Every request passes one chain: respond (envelope, problems, request id, one log line),
 * identify the caller, read the input, run the operation. Whether the caller's product permits the request
 * is read beside the operation (D46). No call to another service begins after the response (D38).
 */
export function lambda<R extends Route, Ports>(
  operation: Operation<R, Ports>,
  ports: NoInfer<Ports> & CallerPorts<R> & InputSettings<R>,
): LambdaHandler {
  const { id, route } = operation
  const { productUse } = ports as AllCallerPorts
  const run = async (input: Input<R> & { access?: Permission }) =>
    await runCounted(productUse, input.access, nftsIn(input), () =>
      runPermitted(input.access, async () => operation.run(input, ports)),
    )
  const chain = middy({
    timeoutEarlyInMillis: reserveMilliseconds,
    timeoutEarlyResponse: () => {
      throw outOfTime()
    },
  })
    .use(respond(id, route))
    .use(identify(route, ports as AllCallerPorts))
    .use(read(routeWith(route, ports as InputPorts), ports as InputPorts))
    .handler(run as never) as LambdaHandler
  return (event, context) =>
    downstreamCalls.during(() => chain(withLowerCaseHeaderNames(event), context))
}

/** The number of token identifiers in the body, of which only allowlisting has a limit. */
const nftsIn = (input: object): number =>
  (input as { body?: { tokens?: readonly unknown[] } }).body?.tokens?.length ?? 0

function respond(operationId: string, route: Route): Step {
  const lineOf = ({ internal, context }: Request, status: number) => ({
    requestId: internal.event?.requestContext.requestId ?? '',
    functionName: context.functionName,
    operation: operationId,
    productId: internal.caller?.productId,
    status,
    durationMilliseconds: Date.now() - (internal.startedAt ?? Date.now()),
  })
  return {
    before: ({ event, internal }) => {
      internal.event = event as APIGatewayProxyEventV2
      internal.startedAt = Date.now()
    },
    after: (request) => {
      request.response = successResponse(route, request.response as Output<Route>)
      logRequest(lineOf(request, 200))
    },
    onError: (request) => {
      const problem = problemOf(request.error)
      const line = lineOf(request, problem.status)
      logRequest({ ...line, code: problem.code, reason: problem.reason })
      if (problem.code === 'internal_error') logDefect(line.requestId, request.error)
      request.response = problemResponse(problem, line.requestId)
    },
  }
}

const identify = (route: Route, ports: AllCallerPorts): Step => ({
  before: async ({ internal, context }) => {
    const event = internal.event as APIGatewayProxyEventV2
    internal.query = new URLSearchParams(event.rawQueryString)
    const caller = identifyCaller(route, event, internal.query, ports)
    // middy limits the time of the operation only.
    internal.caller = await inTime(caller, remainingMilliseconds(context), outOfTime)
  },
})

/** The time until the request is answered with 503. */
const remainingMilliseconds = (context: Context): number =>
  context.getRemainingTimeInMillis() - reserveMilliseconds
/** The settings of all routes that their input depends on; {@link InputSettings} types those of one route. */
interface InputPorts {
  openChains?: OpenChains
  edgeSecrets?: readonly string[]
}

/** The route with the fields of this deployment; {@link InputSettings} types what it takes. */
const routeWith = (route: Route, { openChains }: InputPorts): Route =>
  route.body && 'withOpenChains' in route.body
    ? { ...route, body: route.body.withOpenChains(openChains as OpenChains) }
    : route

function read(route: Route, { edgeSecrets = [] }: InputPorts): Step {
  const readInput = inputReader(route)
  return {
    before: async (request) => {
      const { event, query, caller, startedAt } = request.internal as Exchange
      const { playerTokenError, ...identity } = caller
      try {
        const input = readInput(event, query, playerTokenError ? [playerTokenError] : [])
        const deadline = startedAt + operationMilliseconds
        const source = route.bySourceAddress && {
          sourceAddress: sourceAddressOf(event, edgeSecrets),
        }
        request.event = { ...identity, ...source, ...input, deadline }
      } catch (error) {
        // A refused caller learns nothing about the input.
        throw await inTime(
          afterPermission(identity.access, error),
          remainingMilliseconds(request.context),
          outOfTime,
        )
      }
    },
  }
}
