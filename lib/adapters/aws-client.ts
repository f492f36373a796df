import { awsSettings } from '../config.ts'
import { ServiceUnavailable } from '../domain/failures.ts'

/**
 * What every AWS client of the functions is made with: the credentials Lambda gives, and bounds that
 * end each attempt long before the request does.
 */
export const clientOptions = () => {
  const { region, endpoint, credentials } = awsSettings()
  return {
    region,
    credentials,
    ...(endpoint && { endpoint }),
    maxAttempts: 3,
    requestHandler: {
      connectionTimeout: 3000,
      requestTimeout: 3000,
      throwOnRequestTimeout: true,
      // Waiting for one of the SDK's 50 sockets would count as connecting.
      httpAgent: { maxSockets: 1000 },
      httpsAgent: { maxSockets: 1000 },
    },
  }
}

/** Errors that say that the call was wrong, not that the service could not carry it out. */
const callersFault = new Set(['ConditionalCheckFailedException', 'ValidationException'])

interface Client {
  middlewareStack: {
    add(
      middleware: <Args, Result>(
        next: (args: Args) => Promise<Result>,
      ) => (args: Args) => Promise<Result>,
      options: { step: 'initialize'; name: string; priority: 'high' },
    ): void
  }
}

/**
 * Lets a client throw ServiceUnavailable for whatever keeps the service from answering: throttling,
 * time-outs, refused connections, missing permission. What was wrong with the call stays as it is.
 */
export function withServiceFailures<C extends object>(service: string, client: C): C {
  ;(client as unknown as Client).middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        if (!(error instanceof Error) || callersFault.has(error.name)) throw error
        if (!isFailureOfService(error)) throw error
        throw new ServiceUnavailable(`${service}: ${error.name}`)
      }
    },
    { step: 'initialize', name: 'serviceFailures', priority: 'high' },
  )
  return client
}

/** The SDK marks what came of a request with its metadata; Node marks network errors with a code. */
function isFailureOfService(error: Error): boolean {
  const { code } = error as NodeJS.ErrnoException
  const isOfNetwork = code !== undefined && !code.startsWith('ERR_')
  return (
    '$metadata' in error || '$response' in error || isOfNetwork || error.name === 'TimeoutError'
  )
}
