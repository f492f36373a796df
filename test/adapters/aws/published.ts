import * as dynamodb from '@aws-sdk/client-dynamodb'
import * as kms from '@aws-sdk/client-kms'
import * as secretsManager from '@aws-sdk/client-secrets-manager'
import * as sqs from '@aws-sdk/client-sqs'
import { atFileEnd } from '../../support/vitest/at-file-end.ts'
import { type Attempted, newCommands, type Outcome } from './clients.ts'

/** The options with which the SDK behaves as the clients of the functions should. */
const options = () => ({
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 3_000,
    requestTimeout: 3_000,
    throwOnRequestTimeout: true,
    socketTimeout: 3_000,
  },
})

/** New clients of the SDK, with the settings that are in the environment variables. */
export function publishedClients() {
  const clients = {
    dynamodb: new dynamodb.DynamoDBClient(options()),
    kms: new kms.KMSClient(options()),
    // Without an endpoint it takes that of the queue's URL.
    sqs: new sqs.SQSClient({ ...options(), endpoint: process.env['AWS_ENDPOINT_URL'] ?? '' }),
    secretsManager: new secretsManager.SecretsManagerClient(options()),
  }
  for (const client of Object.values(clients)) atFileEnd(() => client.destroy())
  return clients
}

const modules = { ...dynamodb, ...kms, ...secretsManager, ...sqs }

/** The operation of a command of the SDK in its model. */
export type Operation = readonly [9, string, name: string, unknown, input: unknown, output: unknown]

/** A command of the SDK for the operation and with the input of one of ours. */
export function publishedCommand({ operation, input }: { operation: string; input: object }) {
  // The inputs of ours have the types of the SDK's.
  const Command = modules[`${operation}Command` as keyof typeof modules] as unknown as new (
    input: object,
  ) => { schema: Operation }
  return new Command(input)
}

/** The operations of the functions in the model of the SDK. */
export const operations: Operation[] = Object.values(newCommands())
  .flat()
  .map((command) => publishedCommand(command).schema)

/** What the SDK's clients have in common, as far as these tests use it. */
export interface PublishedClient {
  // biome-ignore lint/suspicious/noExplicitAny: each client has its own commands
  send(command: any): Promise<unknown>
  middlewareStack: {
    // biome-ignore lint/suspicious/noExplicitAny: each client has its own types of middleware
    add(middleware: any, options: { step: 'initialize'; name: string; priority: 'low' }): void
  }
  config: { retryStrategy: unknown }
}

/** Attempts with a client of the SDK. */
export function attemptedBy(client: PublishedClient): Attempted<unknown> {
  let outcome: Outcome = {}
  client.middlewareStack.add(
    (next: (args: unknown) => Promise<{ output: Record<string, unknown> }>) =>
      async (args: unknown) => {
        try {
          const result = await next(args)
          const { $metadata: _, ...output } = result.output
          outcome.output = output
          return result
        } catch (error) {
          outcome.error = error as Error
          throw error
        }
      },
    { step: 'initialize', name: 'outcome', priority: 'low' },
  )
  client.config.retryStrategy = async () => ({
    acquireInitialRetryToken: async () => ({ getRetryCount: () => 0 }),
    recordSuccess: () => undefined,
    async refreshRetryTokenForRetry(
      _: unknown,
      info: { errorType: string; retryAfterHint?: Date },
    ) {
      outcome.errorType = info.errorType
      outcome.saysWhen = info.retryAfterHint !== undefined
      throw new Error('there is no second attempt')
    },
  })
  return async (command) => {
    outcome = {}
    await client.send(command).catch(() => undefined)
    return outcome
  }
}

/** The parts of an error by which anybody decides anything. */
export function partsOf({ error, errorType, saysWhen }: Outcome): object | undefined {
  if (!error) return undefined
  const { name, message, $retryable, $metadata } = error
  const { httpStatusCode, requestId } = $metadata ?? {}
  return { name, message, $retryable, httpStatusCode, requestId, errorType, saysWhen }
}
