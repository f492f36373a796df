import { useEffect, useState } from 'preact/hooks'

/** Returns the whole seconds until a time in milliseconds since 1970, and counts them down to 0. */
export function useCountdown(until: number | undefined): number {
  const left = () => (until === undefined ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000)))
  const [, render] = useState(0)
  useEffect(() => {
    if (until === undefined) return
    const timer = setInterval(() => render((count) => count + 1), 250)
    return () => clearInterval(timer)
  }, [until])
  return left()
}
