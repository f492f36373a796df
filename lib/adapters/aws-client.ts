import { ServiceUnavailable } from '../domain/failures.ts'
import { type DownstreamService, downstreamCalls } from '../observability/downstream-calls.ts'
import { awsSettings } from '../settings/environment.ts'

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
    logger: silent,
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

/**
 * The SDK's own silent logger has a copy of every request and answer made for it, which takes a tenth of
 * the time of a batch. Of this one it asks for warnings only.
 */
const silent = { warn: () => undefined } as Partial<Console> as Console

/** Errors that say that the call was wrong, not that the service could not carry it out. */
const callersFault = new Set(['ConditionalCheckFailedException', 'ValidationException'])

/** The services, by the names they have in reasons. */
const counted = {
  DynamoDB: 'dynamodb',
  KMS: 'kms',
  SQS: 'sqs',
  'Secrets Manager': 'secretsManager',
} satisfies Record<string, DownstreamService>

interface Client {
  middlewareStack: {
    add(
      middleware: <Args, Result>(
        next: (args: Args) => Promise<Result>,
      ) => (args: Args) => Promise<Result>,
      options: { step: 'initialize' | 'finalizeRequest'; name: string; priority: 'high' | 'low' },
    ): void
  }
}

/**
 * Lets a client throw ServiceUnavailable for whatever keeps the service from answering: throttling,
 * time-outs, refused connections, missing permission. What was wrong with the call stays as it is.
 * Attempts and such failures are counted among the {@link downstreamCalls}.
 */
export function withServiceFailures<C extends object>(service: keyof typeof counted, client: C): C {
  const { middlewareStack } = client as unknown as Client
  middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        if (!(error instanceof Error) || callersFault.has(error.name)) throw error
        if (!isFailureOfService(error)) throw error
        downstreamCalls.countFailure(counted[service])
        throw new ServiceUnavailable(`${service}: ${error.name}`)
      }
    },
    { step: 'initialize', name: 'serviceFailures', priority: 'high' },
  )
  middlewareStack.add(
    (next) => (args) => {
      downstreamCalls.countCall(counted[service])
      return next(args)
    },
    // Within the SDK's own retries, which begin this step.
    { step: 'finalizeRequest', name: 'countedAttempts', priority: 'low' },
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
