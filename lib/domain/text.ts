/** The number of Unicode code points of a text: all lengths are counted in these (D4). */
export function codePointLength(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Orders texts by code unit, the same on every machine and locale. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
