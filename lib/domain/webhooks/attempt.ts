import type { Attempt, Patience } from '../ports/webhook-endpoints.ts'
import type { DeliveryPorts, SentEvent } from './delivery-ports.ts'
import type { FailureCode, Webhook } from './webhook.ts'

/** What became of a message. */
export interface AttemptResult extends Partial<Attempt> {
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

const codeOf = ({ answer, failure }: Attempt): FailureCode | undefined => {
  if (!answer) return failure ?? 'connection_failed'
  return answer.status >= 200 && answer.status < 300 ? undefined : 'unexpected_status'
}
