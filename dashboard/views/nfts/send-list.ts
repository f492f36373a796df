/** A wait before a request is sent again. */
export interface Wait {
  /** When the wait ends, in milliseconds since 1970. */
  until: number
  /** The failure of the request. */
  error: unknown
}

/** A list that is sent in parts. */
export interface ListToSend {
  /** The number of elements that were sent before. */
  position: number
  /**
   * Sends the elements from a position to the end, in parts. It calls `onSent` after each part, with the number of
   * elements that were sent, and rejects with the failure of a part. It must be safe to send a part again.
   */
  send(position: number, signal: AbortSignal, onSent: (position: number) => void): Promise<void>
  /**
   * Returns after how many seconds a part is sent again, or `undefined` if that does not help. `failures`: the number
   * of failures since the last success, from 1.
   */
  retryAfter(error: unknown, failures: number): number | undefined
  /** Is called after each part, with the number of elements that were sent. */
  onSent(position: number): void
  /** Is called when a wait begins, and without a wait when it ends. */
  onWait(wait: Wait | undefined): void
}

/**
 * Sends a list, and waits and goes on after failures as `retryAfter` says. Rejects with the failure that a wait does
 * not help, or with the reason of `signal`. The list can then be continued at the last position.
 */
export async function sendList(list: ListToSend, signal: AbortSignal): Promise<void> {
  let { position } = list
  let failures = 0
  const onSent = (sent: number) => {
    position = sent
    failures = 0
    list.onSent(sent)
  }
  for (;;) {
    signal.throwIfAborted()
    try {
      return await list.send(position, signal, onSent)
    } catch (error) {
      signal.throwIfAborted()
      failures += 1
      const seconds = list.retryAfter(error, failures)
      if (seconds === undefined) throw error
      list.onWait({ until: Date.now() + seconds * 1000, error })
      await sleep(seconds, signal)
      list.onWait(undefined)
    }
  }
}

/** Resolves after these seconds. Rejects with the reason of the signal when it is aborted. */
async function sleep(seconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1000)
    signal.addEventListener('abort', stop, { once: true })
  })
}
