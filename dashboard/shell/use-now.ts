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

/** Returns the whole seconds until a time in milliseconds since 1970, and counts them down to 0. Without a time it is 0. */
export function useCountdown(until: number | undefined): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(until))
  useEffect(() => {
    const update = () => setSeconds(secondsUntil(until))
    update()
    if (until === undefined) return
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [until])
  return seconds
}

const secondsUntil = (time: number | undefined): number =>
  time === undefined ? 0 : Math.max(0, Math.ceil((time - Date.now()) / 1000))
