import {
  GetFunctionConfigurationCommand,
  InvokeCommand,
  LambdaClient,
  UpdateFunctionConfigurationCommand,
  waitUntilFunctionUpdatedV2,
} from '@aws-sdk/client-lambda'
import { median } from '../../bench/statistics.ts'
import { type OperationId, routes } from '../../functions/operations.ts'
import { functionName } from '../../lib/contract/route.ts'
import type { Place } from '../../test/deployed/place.ts'
import { trialOperations } from './warm-calls.ts'

/** How many containers of a function are started at the same time. */
const containers = 5

/** The cold starts of one function, in milliseconds. */
interface ColdStart {
  readonly operation: OperationId
  /** The median of the initialization, which begins before the first request of a container. */
  readonly initialization: number
  /** The median of the first request, after the initialization. */
  readonly firstCall: number
  /** The most memory that a container has used. */
  readonly megabytes: number
}

/** What Lambda reports about an invocation. */
interface LambdaReport {
  readonly initDurationMs?: number
  readonly durationMs: number
  readonly maxMemoryUsedMB: number
}

/**
 * Starts new containers of each function and reads what Lambda reports about them. It changes the log level of what is
 * deployed, because the functions log no report, so no deployment may follow.
 */
export async function measureColdStarts(
  { aws }: Pick<Place, 'aws'>,
  stackName: string,
): Promise<ColdStart[]> {
  const client = new LambdaClient({ ...aws, maxAttempts: 8 })
  const found: ColdStart[] = []
  for (const operation of trialOperations) {
    const FunctionName = `${stackName}-${functionName(operation)}`
    await logReports(client, FunctionName)
    await waitUntilFunctionUpdatedV2({ client, maxWaitTime: 120 }, { FunctionName })
    const invocation = new InvokeCommand({
      FunctionName,
      LogType: 'Tail',
      Payload: new TextEncoder().encode(JSON.stringify(eventFor(operation))),
    })
    const answers = await Promise.all(
      Array.from({ length: containers }, () => client.send(invocation)),
    )
    const reports = answers.flatMap(({ LogResult = '' }) => reportIn(LogResult) ?? [])
    found.push(coldStartOf(operation, reports))
  }
  return found
}

async function logReports(client: LambdaClient, FunctionName: string): Promise<void> {
  const asked = new GetFunctionConfigurationCommand({ FunctionName })
  const { LoggingConfig } = await client.send(asked)
  const changed = {
    FunctionName,
    LoggingConfig: { ...LoggingConfig, SystemLogLevel: 'INFO' as const },
  }
  await client.send(new UpdateFunctionConfigurationCommand(changed))
}

/** A request without credentials, which every function answers. */
function eventFor(operation: OperationId) {
  const { method, paths } = routes[operation]
  return {
    version: '2.0',
    routeKey: `${method} ${paths[0]}`,
    rawPath: paths[0],
    rawQueryString: '',
    headers: {},
    isBase64Encoded: false,
    requestContext: {
      requestId: 'account-trial',
      stage: '$default',
      http: { method, path: paths[0], protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: '' },
    },
  }
}

/** The report in the end of a log, which Lambda returns as base64, or undefined if there is none. */
export function reportIn(logResult: string): LambdaReport | undefined {
  const lines = Buffer.from(logResult, 'base64').toString().split('\n')
  const line = lines.findLast((text) => text.includes('"platform.report"'))
  // The log begins in the middle of a line if it is long.
  const start = line?.indexOf('{"time"') ?? -1
  return start < 0 ? undefined : JSON.parse(line?.slice(start) ?? '').record.metrics
}

function coldStartOf(operation: OperationId, reports: readonly LambdaReport[]): ColdStart {
  const cold = reports.filter(({ initDurationMs }) => initDurationMs !== undefined)
  if (cold.length === 0) throw new Error(`${operation}: Lambda has reported no cold start`)
  return {
    operation,
    initialization: Math.round(median(cold.map(({ initDurationMs = 0 }) => initDurationMs))),
    firstCall: Math.round(median(cold.map(({ durationMs }) => durationMs))),
    megabytes: Math.max(...cold.map(({ maxMemoryUsedMB }) => maxMemoryUsedMB)),
  }
}
