/**
 * Signals to a process group arrive directly, and again from scripts/run.mjs and npm, which pass on
 * signals. All signals within this time count as one.
 */
const sameSignalSeconds = 2

const parentCheckMilliseconds = 500

/** Handles SIGINT, SIGTERM and SIGHUP from now on: the wish of a person or process to end this one. */
export function handleInterruption() {
  const requested = Promise.withResolvers<void>()
  const repeated = new AbortController()
  let firstAt: number | undefined
  const interrupt = () => {
    firstAt ??= performance.now()
    requested.resolve()
    if (performance.now() - firstAt > sameSignalSeconds * 1000) repeated.abort()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)
  // A killed parent passes on no signal. Without npm, a parent that ends may leave its children on purpose.
  if (process.env['npm_lifecycle_event']) watchParent(requested.resolve)
  return {
    /** Resolves at the first signal, or when the npm that started this process has ended. */
    requested: requested.promise,
    /** Aborted by a signal that arrives later than `sameSignalSeconds` after the first one. */
    repeated: repeated.signal,
  }
}

function watchParent(ended: () => void): void {
  const parent = process.ppid
  const check = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(check)
    ended()
  }, parentCheckMilliseconds)
  check.unref()
}
