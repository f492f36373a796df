import { downstreamCalls } from './downstream-calls.ts'
import type { Invocation } from './invocation.ts'
import { declaredMetrics, writeLine } from './log-line.ts'
import {
  deliveryMetrics,
  followMetrics,
  indexerTimes,
  type RequestMetrics,
  requestMetrics,
  workMetrics,
} from './metrics.ts'
import type { DownstreamCounts } from './request-scope.ts'
import type { DownstreamTimes } from './service-times.ts'

/**
 * The log line of a request: of the input only the product, the digest of the player, and the key of a refused token
 * (D5, D72, D80).
 */
export interface RequestLine extends Invocation, RequestMetrics {
  /** The id that API Gateway gives the request, and that the access log and the response have too. */
  requestId: string
  operation: string
  productId: string | undefined
  /** The digest of the player (D72). Absent if the player is not known. */
  player?: string | undefined
  /** The wallets of a user JWT that were kept, and the entries of their claim that were left out (D92). */
  walletsKept?: number | undefined
  walletsLeftOut?: number | undefined
  /** The age of an answer about a player's NFTs or balance, and the number of its NFTs (D145). */
  answerAgeSeconds?: number | undefined
  nfts?: number | undefined
  /** The contracts of which an answer is kept, and those that the indexer was asked about (D152). */
  keptContracts?: number | undefined
  askedContracts?: number | undefined
  status: number
  durationMilliseconds: number
  code?: string
  /** The reason of a failure, in the project's own words; also of a login's that the answer does not depend on (D137). */
  reason?: string | undefined
  /** The `kid` of a token that is refused, which is not verified (D80). */
  kid?: string | undefined
}

/** What a message of the work queue has come to. */
export interface WorkResult {
  /** The numbers of items that were deleted with a product, by what they are (D45). */
  deleted?: object | undefined
  /** What the upkeep of kept contracts has come to, and why, in the project's own words (D153). */
  outcome?: string | undefined
  reason?: string | undefined
  /** The number of snapshots that an audit or a second look has ended, because they differ from the chain (D154). */
  endedSnapshots?: number | undefined
}

export interface WorkLine extends Invocation, WorkResult {
  messageId: string
  kind?: string | undefined
  productId?: string | undefined
  /** The chain and the contract of the upkeep of kept contracts (D153). */
  chain?: string | undefined
  contract?: string | undefined
  durationMilliseconds: number
  /** The error; absent when the work succeeded. */
  error?: unknown
  /** 1 for an error because the indexer is unavailable. */
  indexerUnavailableMessages?: number | undefined
}

/** The log line of a chain that an invocation has followed, with the calls that were made for it. */
export interface FollowLine extends Invocation, DownstreamCounts, DownstreamTimes {
  chain: string
  durationMilliseconds: number
  /** The polls after which the chain was read further; absent after a defect. */
  steps?: number | undefined
  followFailures: number
  /** The contracts that are suspended because they had too many events, and because the indexer refuses these (D139). */
  busyContracts?: number | undefined
  refusedContracts?: number | undefined
  followLagSeconds: number
  /** The reason of the last failure, in the project's own words, and what a node says of a range (D139). */
  reason?: string | undefined
  /** The error that has ended the following of the chain until the next minute. */
  defect?: unknown
}

/** The log line of a message of the queues of webhooks, or of their sweep (D122). */
export interface DeliveryLine extends Invocation {
  messageId?: string | undefined
  kind?: string | undefined
  productId?: string | undefined
  webhookId?: string | undefined
  durationMilliseconds: number
  delivered?: number | undefined
  /** Why the last one was not, and the status of the answer. */
  code?: string | undefined
  status?: number | undefined
  delayMilliseconds?: number | undefined
  /** 1 for a sweep that has sent its messages. */
  webhookSweeps?: number | undefined
  /** An error of the service itself; absent without one. */
  error?: unknown
}

/** Writes the log line of a request, including its metrics and its calls to other services. */
export function logRequest(line: RequestLine): void {
  const isServerError = line.status >= 500
  const [calls, more] = callsOfIndexer()
  const fields = { ...line, ...measured(), ...calls }
  writeLine(isServerError ? 'ERROR' : 'INFO', fields, metricsOfRequests)
  writeMoreTimes(line, more)
}

/** Writes the stack of a defect, with everything that looks like a credential or a wallet removed (D5, D72). */
export const logDefect = (
  { requestId, productId, player }: Pick<RequestLine, 'requestId' | 'productId' | 'player'>,
  error: unknown,
): void => writeLine('ERROR', { requestId, productId, player, defect: describe(error) })

/** Writes the log line of a message of the work queue, like {@link logRequest}. */
export function logWork(line: WorkLine): void {
  const hasFailed = 'error' in line
  const [calls, more] = callsOfIndexer()
  const fields = {
    ...line,
    ...(hasFailed && { error: describe(line.error) }),
    workFailures: hasFailed ? 1 : 0,
    ...measured(),
    ...calls,
  }
  writeLine(hasFailed ? 'ERROR' : 'INFO', fields, metricsOfWork)
  writeMoreTimes(line, more)
}

/** Writes the log line of a followed chain, including its metrics. */
export function logFollow(line: FollowLine): void {
  const defect = line.defect !== undefined && { defect: describe(line.defect) }
  const fields = { ...line, ...defect, maxMemoryMegabytes: maxMemoryMegabytes() }
  writeLine(line.followFailures > 0 ? 'ERROR' : 'INFO', fields, metricsOfFollowing)
}

/** Writes the log line of a message to a webhook, including its metrics. */
export function logDelivery({ delayMilliseconds, ...line }: DeliveryLine): void {
  const hasFailed = 'error' in line
  const fields = {
    ...line,
    ...(hasFailed && { error: describe(line.error) }),
    ...(hasFailed ? { deliveryDefects: 1 } : hasCalled(line) && { deliveryDefects: 0 }),
    ...(delayMilliseconds !== undefined && { webhookDelaySeconds: delayMilliseconds / 1_000 }),
    ...measured(),
  }
  writeLine(hasFailed ? 'ERROR' : 'INFO', fields, metricsOfDeliveries)
}

/** Whether the server of a webhook was called: a sweep, a message that waits, and a secret that has ended say nothing of deliveries. */
const hasCalled = ({ delivered = 0, code }: DeliveryLine) =>
  delivered > 0 || (code !== undefined && code !== 'secret_ended')

/** CloudWatch reads up to this many values of a metric in a line. */
const maxValues = 100

/**
 * The times of the calls of the indexer, and the slowest, because a query cannot read a list. Others: lists that need
 * more lines.
 */
function callsOfIndexer(): [fields: object, others: number[][]] {
  const times = downstreamCalls.indexerCallTimes()
  if (times.length === 0) return [{}, []]
  const lists: number[][] = []
  for (let start = 0; start < times.length; start += maxValues) {
    lists.push(times.slice(start, start + maxValues))
  }
  const [indexerCallMilliseconds, ...others] = lists
  return [{ indexerSlowestMilliseconds: Math.max(...times), indexerCallMilliseconds }, others]
}

/** Writes times that do not fit into the line of a request or message, each list in a line of its own. */
function writeMoreTimes({ lambdaRequestId, deployment }: Invocation, lists: number[][]): void {
  for (const indexerCallMilliseconds of lists) {
    writeLine('INFO', { lambdaRequestId, deployment, indexerCallMilliseconds }, metricsOfTimes)
  }
}

/** The calls to other services, the time that they took, and the most memory that the container has used so far. */
const measured = () => ({
  ...downstreamCalls.counts(),
  ...downstreamCalls.times(),
  maxMemoryMegabytes: maxMemoryMegabytes(),
})

const memory = { megabytes: 0, measuredAt: Number.NEGATIVE_INFINITY }

/** Measures at most once a second, because a measurement takes as long as the rest of a log line. */
function maxMemoryMegabytes(): number {
  const now = performance.now()
  if (now - memory.measuredAt >= 1_000) {
    memory.measuredAt = now
    // In kilobytes on every platform: https://nodejs.org/api/process.html#processresourceusage
    memory.megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  }
  return memory.megabytes
}

/** Keeps a line far below the limit of a CloudWatch log event. */
const maxTextLength = 8_192

function describe(error: unknown): string {
  const reason = error instanceof Error && 'reason' in error ? ` (${error.reason})` : ''
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error)
  return (strikeOut(text) + reason).slice(0, maxTextLength)
}

const metricsOfRequests = declaredMetrics(requestMetrics)
const metricsOfWork = declaredMetrics(workMetrics)
const metricsOfTimes = declaredMetrics(indexerTimes)
const metricsOfFollowing = declaredMetrics(followMetrics)
const metricsOfDeliveries = declaredMetrics(deliveryMetrics)

/**
 * What can be or contain a credential or a wallet: API keys, JWTs, query strings, the path with
 * the indexer's key, addresses. It is one expression, because a first replacement could hide a second match.
 */
const secret =
  /[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|\bpnk_\w+|\beyJ[\w-]*(?:\.[\w-]*)*|\?[^\s"']+|\/(?:v2|nft\/v3)\/[^/?\s"']+|0x[0-9a-fA-F]{40}/g

/** A text without everything in it that can be or contain a credential or a wallet. */
export const strikeOut = (text: string): string => text.replace(secret, '[struck out]')
