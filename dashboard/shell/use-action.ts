import { useEffect, useRef, useState } from 'preact/hooks'

/** Something that the user starts, such as sending a form. */
interface Action<Args extends unknown[]> {
  /** Starts it, unless it runs already. Resolves when it has ended, also after a failure. */
  run(...args: Args): Promise<void>
  isRunning: boolean
  /** Why the latest run has failed. */
  error: unknown
  /** Forgets the failure. */
  clear(): void
}

/**
 * Runs `act` at the user's request, once at a time. The signal is aborted when the view is left, so that only actions that
 * can be repeated should pass it on.
 */
export function useAction<Args extends unknown[]>(
  act: (signal: AbortSignal, ...args: Args) => Promise<void>,
): Action<Args> {
  const [state, setState] = useState<{ isRunning: boolean; error: unknown }>({
    isRunning: false,
    error: undefined,
  })
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const run = async (...args: Args) => {
    if (state.isRunning) return
    const current = new AbortController()
    controller.current = current
    const { signal } = current
    setState({ isRunning: true, error: undefined })
    try {
      await act(signal, ...args)
      if (!signal.aborted) setState({ isRunning: false, error: undefined })
    } catch (error) {
      if (!signal.aborted) setState({ isRunning: false, error })
    }
  }
  const clear = () => setState({ isRunning: false, error: undefined })
  return { ...state, run, clear }
}
