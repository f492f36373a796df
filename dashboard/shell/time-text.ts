import { counted } from './counted.ts'

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

/** How far a time is ahead, both in milliseconds: `in 45 seconds`, `in 5 minutes`. An earlier time is `now`. */
export function timeUntil(time: number, now: number): string {
  const seconds = Math.ceil((time - now) / 1000)
  for (const [unit, length] of [...units, ['second', 1] as const]) {
    if (seconds >= length) return relative.format(Math.floor(seconds / length), unit)
  }
  return 'now'
}

/** A number of seconds in its largest whole unit: `45 seconds`, `2 hours`. */
export function durationText(seconds: number): string {
  const [unit, length] = units.find((each) => seconds >= each[1]) ?? ['second', 1]
  return counted(Math.floor(seconds / length), unit)
}

const day = { dateStyle: 'medium' } as const
const localDay = new Intl.DateTimeFormat('en-GB', day)
const utcDay = new Intl.DateTimeFormat('en-GB', { ...day, timeZone: 'UTC' })

/** The day of a time of the API in the time zone of the user, as `22 Nov 2026`. */
export const dayText = (time: string): string => localDay.format(Date.parse(time))

/** A day in UTC, `2026-11-22`, as `22 Nov 2026`. */
export const utcDayText = (date: string): string => utcDay.format(Date.parse(date))

const exact = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

/** A time of the API as `22 Nov 2026, 09:30:00 UTC`. */
export const exactTime = (time: string): string => `${exact.format(Date.parse(time))} UTC`
