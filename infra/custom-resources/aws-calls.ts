import { setTimeout as sleep } from 'node:timers/promises'

/** A permission that the same deployment grants takes effect within seconds. */
const attempts = 10
const pauseMilliseconds = 3_000

/** The names of the errors with which AWS denies a call: that of S3, and that of the other services. */
const denials = new Set(['AccessDenied', 'AccessDeniedException'])

/** Repeats a call while IAM denies it, for half a minute. Rejects with the error of the last attempt. */
export async function whenPermitted<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call()
    } catch (error) {
      const { name } = error as Error
      if (!denials.has(name) || attempt === attempts) throw error
    }
    await sleep(pauseMilliseconds)
  }
}

/** A sentence if a resource cannot be used: because of the fault that `look` finds, or because it does not exist. */
export async function faultsOfUse(
  resource: string,
  look: () => Promise<string | undefined>,
): Promise<string[]> {
  const fault = await whenPermitted(look).catch((error: Error) => {
    if (error.name !== 'ResourceNotFoundException') throw error
    return 'it does not exist in this account and Region'
  })
  return fault ? [`The ${resource} cannot be used: ${fault}.`] : []
}

/** The options of every AWS client of a custom resource: time limits that end each attempt, in milliseconds. */
export const clientOptions = () => ({
  region: process.env['AWS_REGION'] ?? '',
  maxAttempts: 3,
  requestHandler: { connectionTimeout: 3_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
})
