import { useEffect, useRef, useState } from 'preact/hooks'

const idle = { isRunning: false, error: undefined as unknown }

/**
 * Runs `act` at the user's request, once at a time: `run` resolves when it has ended, also after a failure, which is the `error` until
 * `clear`. The signal is aborted when the view is left, so that only actions that can be repeated should pass it on.
 */
export function useAction<Args extends unknown[]>(
  act: (signal: AbortSignal, ...args: Args) => Promise<void>,
) {
  const [state, setState] = useState(idle)
  const controller = useRef<AbortController>(undefined)
  useEffect(() => () => controller.current?.abort(), [])
  const run = async (...args: Args) => {
    if (state.isRunning) return
    const current = new AbortController()
    controller.current = current
    const { signal } = current
    setState({ ...idle, isRunning: true })
    try {
      await act(signal, ...args)
      if (!signal.aborted) setState(idle)
    } catch (error) {
      if (!signal.aborted) setState({ ...idle, error })
    }
  }
  return { ...state, run, clear: () => setState(idle) }
}
