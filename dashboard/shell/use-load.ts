import { useCallback, useEffect, useState } from 'preact/hooks'

/** What a view loads. */
export interface Loaded<T> {
  /** The latest result. It stays while it is loaded again, and if that fails. */
  data: T | undefined
  /** Why the latest attempt has failed. */
  error: unknown
  isLoading: boolean
  /** Loads it again. */
  reload(): void
}

/**
 * Loads something when the view is shown, and again when one of `inputs` changes. `load` receives a signal that is aborted
 * when its result is no longer needed, which it passes to the client.
 */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'reload'>>({
    data: undefined,
    error: undefined,
    isLoading: true,
  })
  const [attempt, setAttempt] = useState(0)
  // The caller names the inputs of its function
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState((before) => ({ ...before, error: undefined, isLoading: true }))
    load(signal).then(
      (data) => signal.aborted || setState({ data, error: undefined, isLoading: false }),
      (error: unknown) =>
        signal.aborted || setState((before) => ({ ...before, error, isLoading: false })),
    )
    return () => controller.abort()
  }, [...inputs, attempt])
  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  return { ...state, reload }
}
