import { useEffect, useState } from 'preact/hooks'

/** What a view loads. */
export interface Loaded<T> {
  /** The latest result. It stays while it is loaded again with the same inputs, and if that fails. */
  data: T | undefined
  error: unknown
  isLoading: boolean
  reload(): void
  /** Replaces the result, for example by what a change has returned. */
  replace(data: T): void
}

type State<T> = Pick<Loaded<T>, 'data' | 'error' | 'isLoading'>

const starting = { data: undefined, error: undefined, isLoading: true } as const

/**
 * Loads something when the view is shown, and again when one of `inputs` changes. `load` receives a signal that is aborted
 * when its result is no longer needed, which it passes to the client.
 */
export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [state, setState] = useState<State<T>>(starting)
  const [attempt, setAttempt] = useState(0)
  // The result of other inputs must not be shown.
  useEffect(() => setState(starting), inputs)
  // The caller names the inputs of its function.
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    setState(({ data }) => ({ data, error: undefined, isLoading: true }))
    load(signal).then(
      (data) => signal.aborted || setState({ data, error: undefined, isLoading: false }),
      (error: unknown) =>
        signal.aborted || setState(({ data }) => ({ data, error, isLoading: false })),
    )
    return () => controller.abort()
  }, [...inputs, attempt])
  return {
    ...state,
    reload: () => setAttempt((count) => count + 1),
    replace: (data) => setState({ data, error: undefined, isLoading: false }),
  }
}
