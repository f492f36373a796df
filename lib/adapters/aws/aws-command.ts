/** A call of an operation of AWS. `Output` is its output, without the metadata of the response. */
export abstract class AwsCommand<Input extends object, Output extends object> {
  abstract readonly operation: string
  readonly input: Input
  isSentOnce = false

  constructor(input: Input) {
    this.input = input
  }

  document(): object {
    return this.input
  }

  outputOf(document: object): Output {
    // AWS's models say what it is, and the tests compare it with the output of the SDK.
    return document as Output
  }

  /** The output that a failed attempt means; `undefined` if it means a failure. */
  outputAfter(_failure: unknown): Output | undefined {
    return undefined
  }
}

/** A command of the SDK, of which only the types are used. */
export interface SdkCommand {
  readonly input: object
  resolveMiddleware(...args: never): (...args: never) => Promise<{ output: object }>
}

/** The output of a command of the SDK, without the metadata of the response. */
export type OutputOf<Command extends SdkCommand> = Omit<
  Awaited<ReturnType<ReturnType<Command['resolveMiddleware']>>>['output'],
  '$metadata'
>

/** The class of our commands that have the input and the output of one of the SDK. */
export const commandOf = <Sdk extends SdkCommand>(operation: string) =>
  class extends AwsCommand<Sdk['input'], OutputOf<Sdk>> {
    override readonly operation = operation
  }

/**
 * Makes a command be sent once. A retry of an ADD would count twice after a lost response, and retries would delay a
 * request that does not need the result.
 */
export function singleAttempt<Command extends { isSentOnce: boolean }>(command: Command): Command {
  command.isSentOnce = true
  return command
}
