interface Part {
  readonly name: string
  readonly value: number
}

/** A bar of a chart: its parts lie on one another, the first at the bottom. */
export interface Bar {
  readonly parts: readonly Part[]
}

/** A horizontal line of a chart. */
export interface Line {
  readonly name: string
  readonly value: number
}

/** The least height of a part that is not 0, so that one call among a million is seen. */
const leastHeight = 2
const barShare = 0.7
const maxBarWidth = 40

/** Where everything of a chart is. */
export type ChartGeometry = ReturnType<typeof chartGeometry>

/**
 * Places bars of whole numbers, and lines, which are always within the scale, in the units of the SVG, with y downwards. The column of
 * a bar is as high as the plot, for the pointer; `ticks` are the lines of the scale, from 0 to the top.
 */
export function chartGeometry(
  bars: readonly Bar[],
  lines: readonly Line[],
  { width, height }: { width: number; height: number },
) {
  const scale = scaleTo(bars, lines)
  const top = scale.at(-1) as number
  const yOf = (value: number) => height - (value / top) * height
  const columnWidth = width / Math.max(1, bars.length)
  const barWidth = Math.min(maxBarWidth, columnWidth * barShare)
  return {
    bars: bars.map(({ parts }, index) => ({
      x: columnWidth * (index + 0.5) - barWidth / 2,
      width: barWidth,
      column: { x: columnWidth * index, width: columnWidth },
      parts: partBoxes(parts, (value) => (value / top) * height, height),
    })),
    ticks: scale.map((value) => ({ value, y: yOf(value) })),
    lines: lines.map((line) => ({ ...line, y: yOf(line.value) })),
  }
}

/** The sum of the parts of a bar. */
export const totalOf = ({ parts }: Bar): number => parts.reduce((sum, { value }) => sum + value, 0)

function partBoxes(parts: readonly Part[], heightOf: (value: number) => number, bottom: number) {
  let y = bottom
  return parts
    .filter(({ value }) => value > 0)
    .map(({ name, value }) => {
      const height = Math.max(leastHeight, heightOf(value))
      y -= height
      return { name, y, height }
    })
}

/** The number at the top of the scale of these bars and lines. */
export const highestOf = (bars: readonly Bar[], lines: readonly Line[]): number =>
  scaleTo(bars, lines).at(-1) as number

/** 0 and one to five further whole numbers, whose distance is 1, 2 or 5 times a power of ten. */
function scaleTo(bars: readonly Bar[], lines: readonly Line[]): number[] {
  const highest = Math.max(0, ...bars.map(totalOf), ...lines.map(({ value }) => value))
  const step = stepFor(Math.max(1, highest) / 4)
  const count = Math.max(1, Math.ceil(highest / step))
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

function stepFor(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  const factor = [1, 2, 5, 10].find((each) => each * power >= least) ?? 10
  return Math.max(1, factor * power)
}

/** A day of a chart. */
export interface ChartDay extends Bar {
  /** `2026-11-22`, in UTC. */
  readonly day: string
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
