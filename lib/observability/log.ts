import { downstreamCalls } from './downstream-calls.ts'
import { metricDimension, metricNamespace, requestMetrics, workMetrics } from './metrics.ts'

/** One request in the log: nothing of what the caller sent, but for the product it belongs to (D5). */
export interface RequestLine {
  requestId: string
  functionName: string
  operation: string
  productId: string | undefined
  status: number
  durationMilliseconds: number
  code?: string
  /** Why, in our own words. */
  reason?: string | undefined
}

/** One message of the work queue in the log; `requestId` is that of the function's invocation. */
export interface WorkLine {
  requestId: string
  functionName: string
  messageId: string
  kind?: string | undefined
  productId?: string | undefined
  durationMilliseconds: number
  /** What was thrown; absent when all went well. */
  error?: unknown
}

/** Writes the one line that every request leaves in the log: its metrics and downstream calls too. */
export function logRequest(line: RequestLine): void {
  const isOurs = line.status >= 500
  const fields = { ...line, serverErrors: isOurs ? 1 : 0, ...downstreamCalls.counts() }
  write(isOurs ? 'ERROR' : 'INFO', fields, metricsOfRequests)
}

/** Writes what is known of a defect, with everything like a credential struck out (D5). */
export const logDefect = (requestId: string, error: unknown): void =>
  write('ERROR', { requestId, defect: describe(error) })

/** Writes the one line that every message of the work queue leaves, like {@link logRequest}. */
export function logWork(line: WorkLine): void {
  const hasFailed = 'error' in line
  const fields = {
    ...line,
    ...(hasFailed && { error: describe(line.error) }),
    workFailures: hasFailed ? 1 : 0,
    ...downstreamCalls.counts(),
  }
  write(hasFailed ? 'ERROR' : 'INFO', fields, metricsOfWork)
}

/** No defect needs more to be understood, and a line stays far below what one log event may hold. */
const maxTextLength = 8_192

function describe(error: unknown): string {
  const reason = error instanceof Error && 'reason' in error ? ` (${error.reason})` : ''
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  return (strikeOut(text) + reason).slice(0, maxTextLength)
}

/** A metric as the embedded metric format names it. */
interface Metric {
  Name: string
  Unit: string
}

const metricsIn = (units: Record<string, string>): Metric[] =>
  Object.entries(units).map(([Name, Unit]) => ({ Name, Unit }))

const metricsOfRequests = metricsIn(requestMetrics)
const metricsOfWork = metricsIn(workMetrics)

/**
 * Past the console: Lambda's puts words before a line or another document around it, and CloudWatch
 * would find no metrics in it. What it makes of `level` and `timestamp`:
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 */
function write(
  level: 'INFO' | 'ERROR',
  fields: Record<string, unknown>,
  metrics?: readonly Metric[],
): void {
  const now = new Date()
  const line = {
    level,
    timestamp: now.toISOString(),
    ...fields,
    ...(metrics && { _aws: metricDirective(now, fields, metrics) }),
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

/** What makes metrics of those fields that have a unit, in CloudWatch's embedded metric format. */
const metricDirective = (
  now: Date,
  fields: Record<string, unknown>,
  metrics: readonly Metric[],
) => ({
  Timestamp: now.getTime(),
  CloudWatchMetrics: [
    {
      Namespace: metricNamespace,
      Dimensions: [[metricDimension]],
      Metrics: metrics.filter(({ Name }) => Name in fields),
    },
  ],
})

/**
 * Whatever in a text could be a credential or lead to one: API keys, JWTs, query strings, the path with
 * the indexer's key. Looked for all at once, because what is struck out first would cut the others short.
 */
const secret =
  /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\beyJ[\w-]*(?:\.[\w-]*)*|\?[^\s"']+|\/(?:v2|nft\/v3)\/[^/?\s"']+/g

const strikeOut = (text: string): string => text.replace(secret, '[struck out]')
