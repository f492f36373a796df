/** What the SDK's clients have in common, as far as these tests use it. */
export interface AnyClient {
  // biome-ignore lint/suspicious/noExplicitAny: each client has its own commands
  send(command: any): Promise<unknown>
  middlewareStack: {
    // biome-ignore lint/suspicious/noExplicitAny: each client has its own types of middleware
    add(middleware: any, options: { step: 'initialize'; name: string; priority: 'low' }): void
  }
  config: { retryStrategy: unknown }
}

/** What a protocol made of a response. */
export interface Outcome {
  output?: Record<string, unknown>
  error?: Error & { $fault?: string; $retryable?: object; $metadata?: object }
  /** For which reason the SDK's retries would send the request again: `CLIENT_ERROR` for none. */
  errorType?: string
  /** Whether the response says when. */
  saysWhen?: boolean
}

/**
 * Returns a function that sends a command once, and returns what the client's protocol made of the response, before
 * the client's own middleware turns it into anything else.
 */
export function outcomesOf(client: AnyClient): (command: unknown) => Promise<Outcome> {
  let outcome: Outcome = {}
  client.middlewareStack.add(
    (next: (args: unknown) => Promise<{ output: Record<string, unknown> }>) =>
      async (args: unknown) => {
        try {
          const result = await next(args)
          outcome.output = result.output
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
export function partsOf({ error, errorType, saysWhen }: Outcome): unknown {
  if (!error) return undefined
  const { name, message, $fault, $retryable, $metadata } = error
  return { name, message, $fault, $retryable, $metadata, errorType, saysWhen }
}
