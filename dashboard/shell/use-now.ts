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
export function useCountdown(until: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(until))
  useEffect(() => {
    const update = () => setSeconds(secondsUntil(until))
    update()
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}

const secondsUntil = (time: number): number => Math.max(0, Math.ceil((time - Date.now()) / 1000))
