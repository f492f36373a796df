import { randomUUID } from 'node:crypto'
import { ServiceUnavailable } from '../../domain/failures.ts'
import { downstreamCalls } from '../../observability/downstream-calls.ts'
import { type AwsAccess, type AwsService, attemptsAt } from './aws-attempts.ts'
import type { AwsCommand } from './aws-command.ts'
import { standardRetries } from './aws-retries.ts'
import { ServiceError } from './json-protocol.ts'

export interface AwsClient {
  /**
   * Sends a command, and sends it again while its failures are temporary. Throws ServiceUnavailable if the service cannot
   * respond: throttling, timeouts, refused connections, missing permissions. An error of the call itself is a ServiceError.
   * Failures are counted in {@link downstreamCalls}. A command that is not a read waits until its request is permitted, and
   * throws if the request is refused (D46).
   */
  send<Output extends object>(command: AwsCommand<object, Output>): Promise<Output>
}

/** Errors of a call that is wrong, as opposed to failures of the service. */
const callerErrors = new Set(['ConditionalCheckFailedException', 'ValidationException'])

/**
 * The operations that do not wait for the permission of a request (D46): they change nothing, and nobody sees
 * their results if the request is refused.
 */
const reads: ReadonlySet<string> = new Set([
  'GetItem',
  'Query',
  'BatchGetItem',
  'GetPublicKey',
  'GetSecretValue',
])

/** A client of a service (D93), by default with the access of the settings, which are those that Lambda provides. */
export function awsClient(service: AwsService, access?: AwsAccess): AwsClient {
  const { name, counted } = service
  const attemptAt = attemptsAt(service, access)
  const retried = standardRetries()

  return {
    async send(command) {
      if (!reads.has(command.operation)) await downstreamCalls.permitted()
      try {
        return await downstreamCalls.timed(counted, () =>
          command.isSentOnce
            ? attemptAt(command, { callId: randomUUID(), attempt: 1 })
            : retried((place) => attemptAt(command, place)),
        )
      } catch (error) {
        if (!(error instanceof Error) || callerErrors.has(error.name)) throw error
        if (!isFailureOfService(error)) throw error
        downstreamCalls.countFailure(counted)
        throw new ServiceUnavailable(`${name}: ${nameOf(error)}`)
      }
    },
  }
}

/** A network error has a code, such as ECONNREFUSED, in place of a name. */
const nameOf = (error: Error): string =>
  error.name === 'Error' ? ((error as NodeJS.ErrnoException).code ?? error.name) : error.name

function isFailureOfService(error: Error): boolean {
  // Of an error of Node, it may be anything.
  const { code } = error as { code?: unknown }
  const isNetworkError = typeof code === 'string' && !code.startsWith('ERR_')
  return error instanceof ServiceError || isNetworkError || error.name === 'TimeoutError'
}
