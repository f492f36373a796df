import { ServiceUnavailable } from '../domain/failures.ts'
import { awsAttemptMilliseconds } from '../domain/time-budget.ts'
import { downstreamCalls } from '../observability/downstream-calls.ts'
import type { DownstreamService } from '../observability/service-times.ts'
import { awsSettings } from '../settings/resources.ts'

/**
 * The options of every AWS client in the functions: the credentials that Lambda provides, and time
 * limits that end each attempt long before the request ends.
 */
export const clientOptions = () => {
  const { region, endpoint, credentials } = awsSettings()
  return {
    region,
    credentials,
    ...(endpoint && { endpoint }),
    maxAttempts: 3,
    // The SDK's defaults. The bundles of the functions do not contain the code of other modes.
    retryMode: 'standard',
    defaultsMode: 'legacy' as const,
    logger: silent,
    requestHandler: {
      connectionTimeout: awsAttemptMilliseconds,
      requestTimeout: awsAttemptMilliseconds,
      throwOnRequestTimeout: true,
      // requestTimeout ends with the headers of the response; this also ends a body of which nothing more arrives.
      socketTimeout: awsAttemptMilliseconds,
      // The SDK's default of 50 sockets would make requests wait, and the wait counts as connection time.
      httpAgent: { maxSockets: 1000 },
      httpsAgent: { maxSockets: 1000 },
    },
  }
}

/**
 * A logger without `info`. The SDK copies every request and response for a logger that has one, which
 * takes a tenth of the time of a batch.
 */
const silent = { warn: () => undefined } as Partial<Console> as Console

/** Errors of a call that is wrong, as opposed to failures of the service. */
const callerErrors = new Set(['ConditionalCheckFailedException', 'ValidationException'])

/** The services by their names in the `reason` of a failure. */
const services = {
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
        context: { commandName?: string },
      ) => (args: Args) => Promise<Result>,
      options: { step: 'initialize'; name: string; priority: 'high' },
    ): void
  }
  config: {
    requestHandler: {
      handle(request: unknown, options?: { abortSignal?: AbortSignal | undefined }): unknown
    }
  }
}

/**
 * The commands that do not wait for the permission of a request (D46): they change nothing, and nobody sees
 * their results if the request is refused.
 */
const reads: ReadonlySet<string> = new Set([
  'GetItemCommand',
  'QueryCommand',
  'BatchGetItemCommand',
  'GetPublicKeyCommand',
  'GetSecretValueCommand',
])

/**
 * Makes a client throw ServiceUnavailable when the service cannot respond: throttling, timeouts, refused
 * connections, missing permissions. Errors of the call itself pass unchanged. Attempts and failures are
 * counted in {@link downstreamCalls}, and no attempt begins after the response of the request (D38). A call
 * that is not a read waits until its request is permitted, and throws if the request is refused (D46).
 */
export function withServiceFailures<C extends object>(
  service: keyof typeof services,
  client: C,
): C {
  // No type of the SDK says what all its clients have in common.
  const { middlewareStack, config } = client as unknown as Client
  middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!reads.has(commandName)) await downstreamCalls.permitted()
        try {
          return await downstreamCalls.timed(services[service], () => next(args))
        } catch (error) {
          if (!(error instanceof Error) || callerErrors.has(error.name)) throw error
          if (!isFailureOfService(error)) throw error
          downstreamCalls.countFailure(services[service])
          throw new ServiceUnavailable(`${service}: ${nameOf(error)}`)
        }
      },
    { step: 'initialize', name: 'serviceFailures', priority: 'high' },
  )
  // The SDK calls its request handler once for each attempt, after everything else that takes time.
  const { requestHandler } = config
  const handle = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = (request, options) =>
    handle(request, { ...options, abortSignal: downstreamCalls.begin(services[service]) })
  return client
}

/** A network error has a code, such as ECONNREFUSED, in place of a name. */
const nameOf = (error: Error): string =>
  error.name === 'Error' ? ((error as NodeJS.ErrnoException).code ?? error.name) : error.name

/** The SDK adds metadata to the errors of a service, and Node adds a code to network errors. */
function isFailureOfService(error: Error): boolean {
  // In the error of a service, it may be anything that the service sends.
  const { code } = error as { code?: unknown }
  const isNetworkError = typeof code === 'string' && !code.startsWith('ERR_')
  return (
    '$metadata' in error || '$response' in error || isNetworkError || error.name === 'TimeoutError'
  )
}
