import type { Spread } from './statistics.ts'

/** One row of the budget table in docs/performance.md. */
export interface Budget {
  what: string
  budget: string
  measured: string
  isMet: boolean
}

/** The budget of a number that meets it up to a limit, which is in a unit. */
export const atMost = (
  what: string,
  value: number,
  [limit, unit]: readonly [limit: number, unit: string],
  measured: string,
): Budget => ({ what, budget: `≤ ${limit} ${unit}`, measured, isMet: value <= limit })

/** Writes an aligned Markdown table. All columns but the first are aligned right. */
export function markdownTable(header: readonly string[], rows: readonly string[][]): string {
  const widths = header.map((_, column) =>
    Math.max(3, ...[[...header], ...rows].map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => padded(cell, widths[column] ?? 0, column > 0)).join(' | ')} |`
  const rule = widths.map((width, column) => '-'.repeat(column > 0 ? width - 1 : width))
  const ruled = rule.map((dashes, column) => (column > 0 ? `${dashes}:` : dashes))
  return [line(header), `| ${ruled.join(' | ')} |`, ...rows.map(line)].join('\n')
}

const padded = (text: string, width: number, toTheRight: boolean) =>
  toTheRight ? text.padStart(width) : text.padEnd(width)

export const budgetTable = (budgets: readonly Budget[]): string =>
  markdownTable(
    ['what', 'budget', 'measured', 'met'],
    budgets.map(({ what, budget, measured, isMet }) => [
      what,
      budget,
      measured,
      isMet ? 'yes' : 'NO',
    ]),
  )

/** A ratio: the median and, in brackets, the quartiles; `–` if there is none. */
export const ratioText = (spread: Spread | undefined): string =>
  spread
    ? `${fixed(spread.median, 2)} (${fixed(spread.lowerQuartile, 2)}–${fixed(spread.upperQuartile, 2)})`
    : '–'

/** A number with a fixed number of decimals; `–` for NaN. */
export const fixed = (number: number, decimals = 0): string =>
  Number.isNaN(number) ? '–' : number.toFixed(decimals)

/** Bytes in kilobytes of 1,000. */
export const kilobytes = (bytes: number): string => `${fixed(bytes / 1000)} KB`
