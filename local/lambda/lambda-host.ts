import { concurrencyLimit } from './concurrency-limit.ts'
import { type InvokeResult, type LambdaFunction, notBegun } from './lambda-function.ts'
import { type Sandbox, startSandbox } from './sandbox.ts'

/** The part of Lambda that callers of functions use. */
export interface LambdaHost {
  /**
   * Calls a function with an event that JSON can carry. Never rejects. `until`: when the caller stops waiting, in
   * milliseconds since 1970. A call that has not begun by then is not carried out, and the time of one that has
   * begun ends then, if its timeout is not earlier.
   */
  invoke(functionName: string, event: unknown, until?: number): Promise<InvokeResult>
  /** Ends every sandbox; calls in progress fail. */
  close(): Promise<void>
}

/**
 * The number of calls of one function that run at the same time. In Lambda each call has a machine of its
 * own. Here all calls share one machine and one store, so that more calls at once would only take longer.
 */
const concurrentCalls = 10

/**
 * Runs functions as Lambda does: each in a sandbox with its own module graph and environment. The first
 * call starts the sandbox; a timeout or a crash replaces it. Unlike in Lambda, up to
 * {@link concurrentCalls} calls of one function run concurrently in one sandbox; further calls wait.
 * `log` receives the output of the functions line by line; the default is the output of this process.
 */
export function startLambdaHost(options: {
  functions: Record<string, LambdaFunction>
  log?: (line: string) => void
}): LambdaHost {
  const { log } = options
  const functions = new Map(Object.entries(options.functions))
  /** The sandboxes that take new calls, by function name. */
  const current = new Map<string, Sandbox>()
  /** All sandboxes that run, including those that only finish their calls. */
  const running = new Set<Sandbox>()
  const limits = new Map(
    [...functions.keys()].map((name) => [name, concurrencyLimit(concurrentCalls)]),
  )
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

  return {
    async invoke(functionName, event, until) {
      const definition = functions.get(functionName)
      const limited = limits.get(functionName)
      if (!definition || !limited) return notFound(functionName)
      const run = async () => {
        if (isClosed) return notFound(functionName)
        const sandbox = current.get(functionName) ?? start(functionName, definition)
        return await sandbox.invoke(JSON.stringify(event), until)
      }
      return limited(run, until === undefined ? undefined : { until, late: notBegun })
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
