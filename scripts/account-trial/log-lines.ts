import { setTimeout as sleep } from 'node:timers/promises'
import { CloudWatchLogsClient, paginateFilterLogEvents } from '@aws-sdk/client-cloudwatch-logs'
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import type { OperationId } from '../../functions/operations.ts'
import { functionName } from '../../lib/contract/route.ts'
import type { Place } from '../../test/deployed/place.ts'

/** The fields of the log line of a request that a trial reads. */
interface LoggedRequest {
  readonly timestamp: string
  readonly productId?: string
  readonly indexerCalls?: number
}

/** The longest time until a line is in the log. */
const secondsToLog = 90

/**
 * Returns the log lines of the requests of a product to an operation since a time in milliseconds since 1970, the oldest
 * first. Rejects if this number of lines does not appear.
 */
export async function linesOf(
  { aws }: Pick<Place, 'aws'>,
  of: { stackName: string; operation: OperationId; productId: string },
  { count, since }: { count: number; since: number },
): Promise<LoggedRequest[]> {
  const { stackName, operation, productId } = of
  const FunctionName = `${stackName}-${functionName(operation)}`
  const { LoggingConfig } = await new LambdaClient(aws).send(
    new GetFunctionConfigurationCommand({ FunctionName }),
  )
  const client = new CloudWatchLogsClient(aws)
  const asked = { logGroupName: LoggingConfig?.LogGroup ?? '', startTime: since }
  const until = Date.now() + secondsToLog * 1_000
  for (;;) {
    const lines: LoggedRequest[] = []
    for await (const { events = [] } of paginateFilterLogEvents({ client }, asked)) {
      for (const { message = '' } of events) {
        // All functions may share a log group.
        if (isOf(message, operation, productId)) lines.push(JSON.parse(message))
      }
    }
    if (lines.length >= count) {
      return lines.toSorted((a, b) => a.timestamp.localeCompare(b.timestamp))
    }
    if (Date.now() > until) throw new Error(`The log has ${lines.length} of ${count} lines`)
    await sleep(2_000)
  }
}

const isOf = (message: string, operation: string, productId: string): boolean =>
  message.startsWith('{') &&
  [operation, productId].every((name) => message.includes(JSON.stringify(name)))
