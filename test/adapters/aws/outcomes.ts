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

/** What became of an attempt. */
export interface Outcome {
  output?: object
  error?: Error & {
    $retryable?: object
    $metadata?: { httpStatusCode?: number; requestId?: unknown }
  }
  /** For which reason the retries would send the request again: `CLIENT_ERROR` for none. */
  errorType?: string
  /** Whether the response says when. */
  saysWhen?: boolean
}

/** Sends a command once, and returns what became of it. */
export type Attempted<Command> = (command: Command) => Promise<Outcome>

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
