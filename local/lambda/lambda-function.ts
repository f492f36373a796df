/** A function, as Lambda knows it. */
export interface LambdaFunction {
  /** The absolute path of a CommonJS file that exports `handler`. */
  file: string
  /** The function's environment variables. Lambda adds its own; the function inherits no others. */
  env: Record<string, string>
  timeoutSeconds: number
  /** The maximum size of its JavaScript heap in megabytes; absent: that of Node. A call that needs more fails. */
  heapMegabytes?: number
}

/**
 * The result of a call: the response as JSON, or an error in Lambda's words. `errorType` is the name of
 * the error that the function threw, or Lambda's own: `Sandbox.Timedout`, `Runtime.ExitError`,
 * `Function.ResponseSizeTooLarge`, ….
 */
export type InvokeResult =
  | { ok: true; payload: string }
  | { ok: false; errorType: string; message: string }

/** The result of a call that was not carried out, because its caller stopped waiting before it began. */
export const notBegun: InvokeResult = {
  ok: false,
  errorType: 'Sandbox.Timedout',
  message: 'The caller stopped waiting before the call began',
}

export interface SandboxData {
  /** An absolute path to a CommonJS file that exports `handler`. */
  file: string
  functionName: string
  functionArn: string
  memoryMegabytes: number
}

/** One call, on its way into the sandbox. */
export interface Invocation {
  requestId: string
  /** The event, as JSON. */
  event: string
  /** When the call times out, in milliseconds since 1970. It does not begin later. */
  deadline: number
}

/** A message from the sandbox: `ready` once, when the function is loaded, then a result for each call. */
export type SandboxMessage = 'ready' | { requestId: string; result: InvokeResult }
