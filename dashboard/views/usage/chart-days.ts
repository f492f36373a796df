/** A day of a chart. Its parts lie on one another, the first at the bottom. */
export interface ChartDay {
  /** `2026-11-22`, in UTC. */
  readonly day: string
  readonly parts: readonly { readonly name: string; readonly value: number }[]
  readonly isEstimate?: boolean
}

/** A horizontal line of a chart. */
export interface Line {
  readonly name: string
  readonly value: number
}

export const totalOf = ({ parts }: Pick<ChartDay, 'parts'>): number =>
  parts.reduce((sum, { value }) => sum + value, 0)

/**
 * The numbers of a scale that reaches the highest day and line: 0 and one to five further whole numbers, whose distance is 1, 2 or 5
 * times a power of ten.
 */
export function scaleTo(
  days: readonly Pick<ChartDay, 'parts'>[],
  lines: readonly Line[] = [],
): number[] {
  const highest = Math.max(0, ...days.map(totalOf), ...lines.map(({ value }) => value))
  const step = stepFor(Math.max(1, highest) / 4)
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

function stepFor(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return Math.max(1, factor * power)
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
