/** Since when a webhook gets its events again, as the form offers it. The last choice has a time of its own. */
export const replayOptions = [
  { value: '3600', label: 'The last hour' },
  { value: '86400', label: 'The last 24 hours' },
  { value: '604800', label: 'The last 7 days' },
  { value: 'time', label: 'Since a time…' },
] as const

/** The choice of a replay, and the local time `yyyy-mm-ddThh:mm` that belongs to `time`. */
export interface ReplayStart {
  choice: string
  time: string
}

/** The choice with which the form begins. */
export const lastHour: ReplayStart = { choice: '3600', time: '' }

/** The service refuses a time that is older than 7 days, also if the request took long or the clock of this device is slow. */
const keptMs = 604_800_000
const marginMs = 300_000

/** Returns the time since which events are sent again (RFC 3339). `now`: milliseconds since 1970. */
export function replaySince({ choice, time }: ReplayStart, now: number): string {
  const since =
    choice === 'time'
      ? Date.parse(time)
      : Math.max(now - Number(choice) * 1000, now - keptMs + marginMs)
  return new Date(since).toISOString()
}

/** Says what is wrong with the chosen time, or returns `undefined`. */
export function replayFault({ choice, time }: ReplayStart, now: number): string | undefined {
  if (choice !== 'time') return undefined
  const since = Date.parse(time)
  if (Number.isNaN(since)) return 'Choose a time.'
  return since > now || since < now - keptMs ? 'The time must be in the last 7 days.' : undefined
}
