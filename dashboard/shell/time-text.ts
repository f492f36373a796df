const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** How long ago a time is, both in milliseconds: `just now`, `5 minutes ago`, `400 days ago`. A later time is now. */
export function timeAgo(time: number, now: number): string {
  const seconds = Math.floor((now - time) / 1000)
  for (const [unit, length] of units) {
    if (seconds >= length) return relative.format(-Math.floor(seconds / length), unit)
  }
  return 'just now'
}

const exact = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

/** A time of the API as `22 Nov 2026, 09:30:00 UTC`. */
export const exactTime = (time: string): string => `${exact.format(Date.parse(time))} UTC`
