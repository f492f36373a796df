import type { Attempt, EndpointAnswer, Patience } from '../ports/webhooks.ts'
import type { DeliveryPorts, SentEvent } from './delivery-ports.ts'
import type { FailureCode, Webhook } from './webhook.ts'

interface AttemptResult extends Partial<Attempt> {
  /** Absent if it was delivered. */
  code?: FailureCode | undefined
}

/** An attempt that has not delivered its message. */
export type FailedAttempt = AttemptResult & { code: FailureCode }

export const isFailed = (result: AttemptResult): result is FailedAttempt =>
  result.code !== undefined

/** Sends a message to a webhook once. `answerBytes`: how much of the body of the answer is wanted. */
export async function attempt(
  webhook: Webhook,
  { id, body }: SentEvent,
  options: { answerBytes: number; patience?: Patience | undefined },
  { signer, endpoints, now }: Pick<DeliveryPorts, 'signer' | 'endpoints' | 'now'>,
): Promise<AttemptResult> {
  const headers = signer.sign(webhook, { id, body, sentAt: now() })
  if (!headers) return { code: 'secret_ended' }
  const made = await endpoints.send({ url: new URL(webhook.url), headers, body }, options)
  return { ...made, code: codeOf(made) }
}

/** 2xx is a success, and everything else a failure, also 3xx: redirects are not followed. */
const codeOf = ({ answer, failure }: Attempt): FailureCode | undefined => {
  if (!answer) return failure ?? 'connection_failed'
  return answer.status >= 200 && answer.status < 300 ? undefined : 'unexpected_status'
}

const [minute, hour] = [60_000, 3_600_000]

/**
 * The times to the next attempt, in milliseconds (Standard Webhooks). After the last, 76 hours after the first, a
 * webhook pauses.
 */
const waits = [
  ...[5_000, 5 * minute, 30 * minute],
  ...[2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
]

/** The longest time that an endpoint can ask to be left alone, in milliseconds. */
const maxRetryAfter = 12 * hour

/** How much a wait is longer or shorter at most, so that endpoints that failed together are not called together. */
const jitter = 0.2

/**
 * The time to the next attempt after one that has failed, in milliseconds; `undefined` if the webhook pauses. 410 says that the
 * endpoint is gone. 429 and 503 can ask for a longer wait. `failures`: those since the last success, with this one. `random`: from
 * 0 to 1.
 */
export function waitAfterFailure(
  { status = 0, retryAfterSeconds = 0 }: Partial<EndpointAnswer>,
  { failures, random }: { failures: number; random: number },
): number | undefined {
  const wait = waits[failures - 1]
  if (status === 410 || wait === undefined) return undefined
  const isBusy = status === 429 || status === 503
  const requested = isBusy ? Math.min(retryAfterSeconds * 1_000, maxRetryAfter) : 0
  return Math.max(Math.round(wait * (1 - jitter + 2 * jitter * random)), requested)
}
