import type { InvokeResult } from './lambda-function.ts'

export interface SandboxData {
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
