import middy, { type MiddlewareObj } from '@middy/core'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda'
import { functionName, type Route } from '../contract/route.ts'
import { ServiceUnavailable } from '../domain/failures.ts'
import { functionTimeoutSeconds, requestMilliseconds } from '../domain/time-budget.ts'
import type { UsageRecorder } from '../domain/usage/usage-recorder.ts'
import { downstreamCalls } from '../observability/downstream-calls.ts'
import { invocationOf } from '../observability/invocation.ts'
import { logDefect, logRequest } from '../observability/log.ts'
import type { PlayerDigest } from '../observability/player-digest.ts'
import { requestSubject } from '../observability/request-subject.ts'
import { type AllCallerPorts, type Caller, readCaller } from './caller.ts'
import { type CountedCall, countedCall } from './counted-call.ts'
import type {
  CallerPorts,
  Freshness,
  Hooks,
  Input,
  InputSettings,
  Output,
  WithBegun,
} from './endpoint.ts'
import { callerInputReader, type DeploymentInput, withLowerCaseHeaderNames } from './input.ts'
import { kindFailures } from './kind-failures.ts'
import { runLimited, runPermitted } from './permission.ts'
import { refusedKid } from './player-token.ts'
import { type Problem, problemOf } from './problem.ts'
import { oauthErrorResponse, problemResponse, successResponse } from './response.ts'

/** The time before the function timeout in which the request is answered with 503, in milliseconds. */
const reserveMilliseconds = functionTimeoutSeconds * 1000 - requestMilliseconds

const outOfTime = () => new ServiceUnavailable('the request ran out of time')

/** A request on its way through the chain. */
interface Exchange {
  readonly event: APIGatewayProxyEventV2
  readonly startedAt: number
  readonly call: CountedCall
  /** Absent until the caller is identified. */
  caller?: Caller
}

type Chain = MiddlewareObj<Exchange, APIGatewayProxyStructuredResultV2>
type Request = Parameters<NonNullable<Chain['onError']>>[0]

export type LambdaHandler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>

/**
 * Returns the handler of an operation's Lambda function behind an API Gateway HTTP API (payload format
 * 2.0). Every request passes one chain: respond (envelope, problems, request id, one log line) and, in limited
 * time, identify the caller, read the input, run the operation. Whether the caller's product permits the
 * request is read beside the operation (D46). No call to another service begins after the response (D38).
 */
export function handlerOf<R extends Route, Ports, Begun = unknown>(
  route: R,
  ports: Ports & CallerPorts<R> & InputSettings<R>,
  run: (input: Input<R> & WithBegun<Begun>, ports: Ports) => Promise<Output<R>>,
  { beforePlayer, nfts }: Hooks<R, NoInfer<Ports>, Begun> = {},
): LambdaHandler {
  // CallerPorts and InputSettings demand what the row names, and the chain uses nothing else.
  const chainPorts = ports as unknown as ChainPorts
  const { productUse, usage } = chainPorts
  const inputOf = callerInputReader(route, chainPorts)
  const answer = async (exchange: Exchange): Promise<APIGatewayProxyStructuredResultV2> => {
    const query = new URLSearchParams(exchange.event.rawQueryString)
    const caller = await readCaller(
      route,
      exchange,
      query,
      chainPorts,
      beforePlayer && ((known) => beforePlayer(known, ports)),
    )
    exchange.caller = caller
    // The row says which parts of the input there are.
    const input = (await inputOf(exchange, query, caller)) as Parameters<typeof run>[0]
    const limited = { isClient: caller.keyId === undefined, nfts: nfts?.(input) ?? 0 }
    const output = await runLimited(productUse, caller, limited, () =>
      runPermitted(caller.access, async () => run(input, ports)),
    )
    noteAge(output)
    return successResponse(route, output)
  }
  const chain = middy<Exchange, APIGatewayProxyStructuredResultV2>({
    timeoutEarlyInMillis: reserveMilliseconds,
    timeoutEarlyResponse: () => {
      throw outOfTime()
    },
  })
    .use(respond(route, chainPorts))
    .handler(answer)
  // What is kept of an answer is counted when it is written, and the log line has the counts.
  if (route.hasAge) chain.after(() => downstreamCalls.besideDone())
  const exchangeOf = (event: APIGatewayProxyEventV2): Exchange => ({
    event: withLowerCaseHeaderNames(event),
    startedAt: Date.now(),
    call: countedCall(route.id, usage),
  })
  return (event, context) => downstreamCalls.during(() => chain(exchangeOf(event), context))
}

function respond(route: Route, { playerDigest, sourceAddressOf }: ChainPorts): Chain {
  const name = functionName(route.id)
  const failuresOf = kindFailures(route, sourceAddressOf)
  const lineOf = ({ event: { event, startedAt }, context }: Request, status: number) => ({
    requestId: event.requestContext.requestId,
    ...invocationOf(context, name),
    operation: route.id,
    ...subjectOfLine(playerDigest),
    status,
    durationMilliseconds: Date.now() - startedAt,
  })
  return {
    after: (request) => {
      const reason = requestSubject.current().unreadKeys
      logRequest({ ...lineOf(request, 200), reason, ...failuresOf(request.event.event) })
      count(request)
    },
    onError: (request) => {
      const problem = problemOf(request.error)
      const line = lineOf(request, problem.status)
      const { code, reason } = problem
      logRequest({
        ...line,
        code,
        reason,
        kid: refusedKid(code, request.event.event),
        ...serverErrorOf(problem),
        ...failuresOf(request.event.event, problem),
      })
      if (problem.code === 'internal_error') logDefect(line, request.error)
      request.response = route.oauth
        ? oauthErrorResponse(problem, line.requestId)
        : problemResponse(problem, line.requestId)
      count(request, problem)
    },
  }
}

/**
 * What a server error counts as: apart, if it is of the indexer (D69) or of a chain's node, which a caller can cause.
 */
function serverErrorOf({ code, status }: Problem) {
  if (code === 'indexer_unavailable' || code === 'chain_unavailable')
    return { indexerUnavailableAnswers: 1 }
  return status >= 500 ? { serverErrorAnswers: 1 } : {}
}

function subjectOfLine(playerDigest?: PlayerDigest) {
  const { productId, userId, wallets, answer } = requestSubject.current()
  return {
    productId,
    player: userId === undefined ? undefined : playerDigest?.(userId),
    walletsKept: wallets?.kept,
    walletsLeftOut: wallets?.leftOut,
    ...answer,
  }
}

/** Notes the age of an answer about a player, and its number of NFTs, for the log line (D145). */
function noteAge({
  data,
  asOf,
  mainAsOf,
  contracts,
}: { data: unknown } & Partial<Freshness>): void {
  if (asOf === undefined) return
  const secondsSince = (moment: number) => Math.max(0, Date.now() - moment) / 1_000
  requestSubject.note({
    answer: {
      answerAgeSeconds: secondsSince(asOf),
      ...(mainAsOf !== undefined && { mainAnswerAgeSeconds: secondsSince(mainAsOf) }),
      ...(Array.isArray(data) && { nfts: data.length }),
      // A read that has asked nobody says so. Its calls take the place of the zero.
      ...(contracts && {
        ...{ keptContracts: contracts.kept, askedContracts: contracts.queried, indexerCalls: 0 },
      }),
    },
  })
}

const count = ({ event: { call, caller } }: Request, problem?: Problem): void =>
  call.end({ ...(problem && { problem }), userId: caller?.player?.userId })

/** The ports and settings of the chain for all routes; {@link CallerPorts} and {@link InputSettings} type those of one. */
interface ChainPorts extends AllCallerPorts, DeploymentInput {
  usage?: UsageRecorder
  playerDigest?: PlayerDigest
}
