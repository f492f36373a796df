import { AbortedError, TimeoutError } from './errors.ts'

/** Ends something that takes too long, or that the caller no longer wants. */
export interface Cancellation {
  /** Is aborted when the time is over, or one of the signals of the caller is aborted. */
  signal: AbortSignal
  /** Settles like the promise, or rejects with a TimeoutError or AbortedError if that comes first. */
  race<T>(promise: Promise<T>): Promise<T>
  /** Removes the timer and the listeners. */
  end(): void
}

/** The longest time of a timer. Runtimes end timers with a longer time at once. */
const longestTimerMs = 2 ** 31 - 1

/** Cancels after `timeoutMs`, which can be `Infinity`, or when one of the signals is aborted. */
export function cancellation(
  operation: string,
  signals: readonly AbortSignal[],
  timeoutMs: number,
): Cancellation {
  const controller = new AbortController()
  let reject: (error: Error) => void
  const cancelled = new Promise<never>((_, rejectPromise) => {
    reject = rejectPromise
  })
  // Without this, a cancellation between two races would be an unhandled rejection.
  cancelled.catch(() => undefined)
  const cancel = (error: Error) => {
    reject(error)
    controller.abort(error)
  }
  const onTimeout = () => cancel(timedOut(operation, timeoutMs))
  const timer = timeoutMs <= longestTimerMs ? setTimeout(onTimeout, timeoutMs) : undefined
  const onAbort = ({ target }: Event) => cancel(aborted(operation, target as AbortSignal))
  for (const signal of signals) {
    if (signal.aborted) cancel(aborted(operation, signal))
    else signal.addEventListener('abort', onAbort)
  }
  return {
    signal: controller.signal,
    race: (promise) => Promise.race([cancelled, promise]),
    end() {
      clearTimeout(timer)
      for (const signal of signals) signal.removeEventListener('abort', onAbort)
    },
  }
}

/**
 * Waits.
 * @throws {AbortedError} as soon as one of the signals is aborted.
 */
export async function pause(ms: number, operation: string, signals: readonly AbortSignal[]) {
  const waiting = cancellation(operation, signals, Number.POSITIVE_INFINITY)
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, Math.min(ms, longestTimerMs))
  })
  try {
    await waiting.race(over)
  } finally {
    clearTimeout(timer)
    waiting.end()
  }
}

const timedOut = (operation: string, timeoutMs: number) =>
  new TimeoutError({
    code: 'timeout',
    detail: `There was no complete response within ${timeoutMs} ms.`,
    operation,
  })

const aborted = (operation: string, { reason }: AbortSignal) =>
  new AbortedError({
    code: 'aborted',
    detail: 'The caller aborted the call.',
    operation,
    cause: reason,
  })
