import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../bench/statistics.ts'
import { isIn, type OperationId, operationIds, routes } from '../../functions/operations.ts'
import { settings } from '../../test/deployed/deployment.ts'
import { acceptedRequest, callName } from '../../test/support/accepted-requests.ts'
import type { Sent } from '../../test/support/requests/client.ts'
import type { Service } from '../../test/support/services/service.ts'

/**
 * How often an operation is called: enough reads for a 99th percentile that is not the slowest call. A change needs a
 * product of its own for each call.
 */
const callsEach = { reads: 150, changes: 12 }

/** The indexer is asked for every answer, as in docs/requests.md, although the holdings of a followed chain are kept. */
const anew = { headers: { 'cache-control': 'no-cache' } }

/** The operations of a deployment with the settings of a trial. */
export const trialOperations: readonly OperationId[] = operationIds.filter((id) =>
  isIn(routes[id], settings),
)

/** The calls of one operation, and when they were sent. */
export interface WarmCalls {
  readonly operation: OperationId
  /** The milliseconds until each answer. */
  readonly milliseconds: readonly number[]
  /** The first and the last moment, in milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

/** Calls that an operation accepts, ready to be sent. */
interface Prepared {
  readonly operation: OperationId
  readonly warmUp: Sent
  readonly sent: readonly Sent[]
}

/** Makes what the calls need: products, players and their tokens. */
export async function prepareCalls(
  service: Service,
  operations: readonly OperationId[] = trialOperations,
  { reads, changes }: typeof callsEach = callsEach,
): Promise<Prepared[]> {
  const prepared: Prepared[] = []
  for (const operation of operations) {
    const next = async () => ({ ...(await acceptedRequest(service, operation)), ...anew })
    const warmUp = await next()
    const isRead = routes[operation].method === 'GET'
    const sent = Array.from({ length: isRead ? reads : 0 }, () => warmUp)
    while (sent.length < (isRead ? reads : changes)) sent.push(await next())
    prepared.push({ operation, warmUp, sent })
  }
  return prepared
}

/**
 * Sends the calls of one operation after those of another, each operation after `nextWindow`, so that its requests to AWS
 * can be told from those of the others. Rejects if an answer is no success.
 */
export async function sendCalls(
  { call }: Pick<Service, 'call'>,
  prepared: readonly Prepared[],
  nextWindow: () => Promise<unknown>,
): Promise<WarmCalls[]> {
  const measured: WarmCalls[] = []
  for (const { operation, warmUp, sent } of prepared) {
    const send = async (request: Sent) => {
      const started = performance.now()
      const { status, text } = await call(callName(operation), request)
      if (status !== 200) throw new Error(`${operation}: ${status} ${text.slice(0, 200)}`)
      return performance.now() - started
    }
    await nextWindow()
    const from = Date.now()
    await send(warmUp)
    const milliseconds: number[] = []
    for (const request of sent) milliseconds.push(await send(request))
    measured.push({ operation, milliseconds, from, until: Date.now() })
  }
  return measured
}

/** Waits until a minute of the clock has just begun: the metrics of CloudWatch are those of a minute. */
export async function untilNextMinute(): Promise<void> {
  await sleep(60_000 - (Date.now() % 60_000) + 500)
}

/** The median and the 99th percentile, in whole milliseconds. */
export const latencyOf = ({ milliseconds }: Pick<WarmCalls, 'milliseconds'>) => ({
  p50: Math.round(quantile(milliseconds, 0.5)),
  p99: Math.round(quantile(milliseconds, 0.99)),
})
