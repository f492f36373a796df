import type { InvokeResult } from './lambda-function.ts'

/** What a schedule needs to know of its function. */
export interface ScheduleOptions {
  /** The name of the function and its event, for messages. */
  name: string
  invoke(): Promise<InvokeResult>
  /** The time from the start of a call to the start of the next one; a minute by default. */
  intervalMilliseconds?: number
  /** Receives a line for each call that fails. */
  log?: (line: string) => void
}

/** A running schedule. */
export interface Schedule {
  /** Starts no more calls. Does not wait for a call in progress, and says nothing about its end. */
  close(): void
}

/**
 * A rate expression of EventBridge: calls a function now and then once in each interval, whether or not the call before
 * has ended. Unlike EventBridge, it makes the first call at once, and does not repeat a call that fails.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
 */
export function startSchedule({
  name,
  invoke,
  intervalMilliseconds = 60_000,
  log = console.error,
}: ScheduleOptions): Schedule {
  let isClosed = false
  const call = async () => {
    const result = await invoke()
    if (!result.ok && !isClosed) log(`${name}: ${result.errorType}: ${result.message}`)
  }
  const timer = setInterval(() => void call(), intervalMilliseconds)
  void call()
  return {
    close() {
      isClosed = true
      clearInterval(timer)
    },
  }
}
