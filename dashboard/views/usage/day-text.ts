const long = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A day of the usage, `2026-11-22`, as `Sun 22 November 2026`. */
export const longDay = (day: string): string => long.format(Date.parse(day)).replace(',', '')

/** The same as `22 Nov`, for axes. */
export const shortDay = (day: string): string => short.format(Date.parse(day))
