import type { EndpointAnswer } from '../webhooks/retry-schedule.ts'

/** Why an attempt has no answer. Programs read these codes, so none is renamed. */
export type AttemptFailure =
  /** No address is known of the host. */
  | 'host_not_found'
  /** One of the addresses of the host is not public, so none of them was called. */
  | 'address_not_public'
  /** The connection was refused, or has ended before a complete answer. */
  | 'connection_failed'
  /** The certificate is not valid for the host, or TLS has failed otherwise. */
  | 'certificate_invalid'
  /** There was no complete answer in time. */
  | 'timeout'
  /** What was answered is not HTTP. */
  | 'answer_malformed'

/** A message to a webhook. */
export interface EndpointMessage {
  url: URL
  headers: Readonly<Record<string, string>>
  body: string
}

/** What became of an attempt to deliver a message. */
export interface Attempt {
  /** Absent if there was no complete answer in time. */
  answer?: (EndpointAnswer & { body: string }) | undefined
  /** Present if there is no answer. */
  failure?: AttemptFailure | undefined
  /** How long the attempt took. */
  milliseconds: number
  /** Whether the answer was not waited for any longer, though there was time. */
  isGivenUp?: boolean | undefined
}

/** What an attempt asks when its answer is not there after this time, in milliseconds: whether it may wait for it. */
export interface Patience {
  milliseconds: number
  mayWait(): Promise<boolean>
}

/** The servers to which webhooks lead. */
export interface WebhookEndpoints {
  /**
   * Sends a message once, to an address that was judged before. Never rejects for what the server, or the way to it, does. `body` of the answer:
   * its beginning, up to the bytes that are wanted. Without `patience`, it waits for the answer as long as there is time.
   */
  send(
    message: EndpointMessage,
    options: { answerBytes: number; patience?: Patience | undefined },
  ): Promise<Attempt>
}
