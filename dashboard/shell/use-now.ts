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
