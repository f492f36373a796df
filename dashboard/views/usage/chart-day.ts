import { type Bar, totalOf } from './chart-geometry.ts'

/** A day of a chart. */
export interface ChartDay extends Bar {
  /** `2026-11-22`, in UTC. */
  readonly day: string
  /** Whether the number is an estimate. */
  readonly isEstimate?: boolean
}

/** The numbers of a day: `Sun 22 Nov 2026: 2,496 calls (2,481 succeeded, 15 refused)`. */
export function dayNumbersText(day: ChartDay | undefined, unit: string): string {
  if (!day) return ''
  const parts = day.parts
    .filter(({ value }) => value > 0)
    .map(({ name, value }) => `${value.toLocaleString('en')} ${name}`)
  const detail = day.parts.length > 1 && parts.length > 0 ? ` (${parts.join(', ')})` : ''
  const about = day.isEstimate ? 'about ' : ''
  return `${longDay(day.day)}: ${about}${totalOf(day).toLocaleString('en')} ${unit}${detail}`
}

const long = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** A day of the usage, `2026-11-22`, as `Sun 22 Nov 2026`. */
export const longDay = (day: string): string => long.format(Date.parse(day)).replace(',', '')

/** The same as `22 Nov`, for axes. */
export const shortDay = (day: string): string => short.format(Date.parse(day))
