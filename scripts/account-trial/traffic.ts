import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '../../test/support/services/service.ts'

/** The answers to requests that were sent while something else happened. */
export interface Traffic {
  readonly requests: number
  /** Answers with a 5xx status, and requests without an answer. */
  readonly failures: number
}

/** A tenth of it makes more than three failures in a minute, which is what turns an update back. */
const pauseMilliseconds = 200

/**
 * Reads the allowlist of a product again and again while `work` runs, which is an operation whose traffic an update shifts. Never
 * rejects: returns also the error of `work`.
 */
export async function duringTraffic(
  { call }: Pick<Service, 'call'>,
  apiKey: string,
  work: () => Promise<unknown>,
): Promise<{ traffic: Traffic; error: Error | undefined }> {
  const traffic = { requests: 0, failures: 0 }
  let hasEnded = false
  const working = work()
    .then(
      () => undefined,
      (error: Error) => error,
    )
    .finally(() => {
      hasEnded = true
    })
  while (!hasEnded) {
    const status = await call('GET /product/tokens', { apiKey }).then(
      (answer) => answer.status,
      () => undefined,
    )
    traffic.requests += 1
    if (status === undefined || status >= 500) traffic.failures += 1
    await sleep(pauseMilliseconds)
  }
  return { traffic, error: await working }
}
