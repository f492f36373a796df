import { useEffect, useState } from 'preact/hooks'

/** Returns the time, in milliseconds, and renders again each time `everyMs` have passed. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** Returns the whole seconds until a time in milliseconds since 1970, and counts them down to 0. */
export const useCountdown = (until: number): number =>
  Math.max(0, Math.ceil((until - useNow(250)) / 1000))
