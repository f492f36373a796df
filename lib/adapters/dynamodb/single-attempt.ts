/** A failed attempt, in a form that the SDK does not retry. */
class FailedAttempt extends Error {
  // The SDK also looks at the cause of an error.
  readonly failure: unknown
  constructor(failure: unknown) {
    super()
    this.failure = failure
  }
}

interface Command {
  middlewareStack: {
    add(
      middleware: (next: (args: never) => Promise<never>) => (args: never) => Promise<never>,
      options: {
        step: 'initialize' | 'finalizeRequest'
        name: string
        priority: 'low'
        override: true
      },
    ): void
  }
}

/**
 * Makes the SDK send a command once. A retry of an ADD would count twice after a lost response, and retries
 * would delay a request that does not need the result.
 */
export function singleAttempt<C extends object>(command: C): C {
  // The types of the commands have no common type of a command whose stack takes any middleware.
  const { middlewareStack } = command as unknown as Command
  middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        throw new FailedAttempt(error)
      }
    },
    // Priority low runs inside the SDK's retries. Commands of the document client add their stack twice.
    { step: 'finalizeRequest', name: 'singleAttempt', priority: 'low', override: true },
  )
  middlewareStack.add(
    (next) => async (args) => {
      try {
        return await next(args)
      } catch (error) {
        throw error instanceof FailedAttempt ? error.failure : error
      }
    },
    { step: 'initialize', name: 'failureOfSingleAttempt', priority: 'low', override: true },
  )
  return command
}
