import type { Spread } from './statistics.ts'

/** One budget of docs/performance.md: what was allowed, what was measured. */
export interface Budget {
  what: string
  budget: string
  measured: string
  isMet: boolean
}

/** Writes rows as a Markdown table that can also be read as it is; all columns but the first to the right. */
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

/** A ratio with its spread: the median, and from where to where the middle half lies. */
export const ratioText = ({ median, lowerQuartile, upperQuartile }: Spread): string =>
  `${fixed(median, 2)} (${fixed(lowerQuartile, 2)}–${fixed(upperQuartile, 2)})`

/** A number with so many decimals; `–` for one that is none. */
export const fixed = (number: number, decimals = 0): string =>
  Number.isNaN(number) ? '–' : number.toFixed(decimals)

/** Bytes in kilobytes of 1,000. */
export const kilobytes = (bytes: number): string => `${fixed(bytes / 1000)} KB`
