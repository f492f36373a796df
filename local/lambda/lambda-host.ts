import { type Sandbox, startSandbox } from './sandbox.ts'
import { turnstile } from './turnstile.ts'

/** A function, as Lambda knows it. */
export interface LambdaFunction {
  /** An absolute path to a CommonJS file that exports `handler`. */
  file: string
  /** The variables it sees, beside those that Lambda sets by itself; nothing is inherited. */
  env: Record<string, string>
  timeoutSeconds: number
}

/**
 * What came of a call: the response as JSON, or the error as Lambda words it. `errorType` is the
 * error's own name, or Lambda's where no error was thrown: `Sandbox.Timedout`, `Runtime.ExitError`,
 * `Function.ResponseSizeTooLarge`.
 */
export type InvokeResult =
  | { ok: true; payload: string }
  | { ok: false; errorType: string; message: string }

/** Lambda, as far as its callers see it. */
export interface LambdaHost {
  /** Calls a function with an event that JSON can carry. Never rejects. */
  invoke(functionName: string, event: unknown): Promise<InvokeResult>
  /** Ends every sandbox; calls under way fail. */
  close(): Promise<void>
}

/**
 * How many calls of one function run at the same time. Lambda would have a machine for each; here they
 * share one, and with more of them at once each would only wait longer for a store that they share.
 */
const callsAtOnce = 10

/**
 * Runs functions as Lambda does: each in a sandbox with a module graph and an environment of its own,
 * started by its first call, or at once with `eager`, and replaced after a time-out or a crash. Unlike
 * Lambda, calls of one function run concurrently in one sandbox, {@link callsAtOnce} at a time; the
 * others wait in line. What functions print goes to `log` line by line, by default to this process's
 * own output.
 */
export function startLambdaHost(options: {
  functions: Record<string, LambdaFunction>
  eager?: boolean
  log?: (line: string) => void
}): LambdaHost {
  const { eager = false, log } = options
  const functions = new Map(Object.entries(options.functions))
  /** The sandboxes that take calls. */
  const current = new Map<string, Sandbox>()
  /** These, and those that still finish calls. */
  const running = new Set<Sandbox>()
  const turnstiles = new Map([...functions.keys()].map((name) => [name, turnstile(callsAtOnce)]))
  let isClosed = false

  const start = (functionName: string, definition: LambdaFunction): Sandbox => {
    const sandbox = startSandbox({
      ...definition,
      functionName,
      log,
      retired: () => {
        if (current.get(functionName) === sandbox) current.delete(functionName)
      },
      ended: () => running.delete(sandbox),
    })
    current.set(functionName, sandbox)
    running.add(sandbox)
    return sandbox
  }
  if (eager) for (const [name, definition] of functions) start(name, definition)

  return {
    async invoke(functionName, event) {
      const definition = functions.get(functionName)
      const pass = turnstiles.get(functionName)
      if (!definition || !pass) return notFound(functionName)
      return pass(async () => {
        if (isClosed) return notFound(functionName)
        const sandbox = current.get(functionName) ?? start(functionName, definition)
        return await sandbox.invoke(JSON.stringify(event))
      })
    },
    async close() {
      isClosed = true
      await Promise.all([...running].map((sandbox) => sandbox.close()))
    },
  }
}

const notFound = (functionName: string): InvokeResult => ({
  ok: false,
  errorType: 'ResourceNotFoundException',
  message: `Function not found: ${functionName}`,
})
