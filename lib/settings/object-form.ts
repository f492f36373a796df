import * as v from 'valibot'

/**
 * An object with these entries and no others. Each unknown name is a fault, where `v.strictObject` names only the
 * first.
 */
// @__NO_SIDE_EFFECTS__
export function objectOf<const Entries extends v.ObjectEntries>(entries: Entries, message: string) {
  const known = Object.keys(entries)
  return v.lazy((value) => {
    // valibot takes a list for an object.
    if (Array.isArray(value)) return v.never(message)
    const unknown = Object.keys(Object(value)).filter((name) => !known.includes(name))
    const faults = unknown.map((name) => [name, v.never(unknownName(name, known))])
    return v.object({ ...entries, ...Object.fromEntries(faults) }, message)
  }) as unknown as v.StrictObjectSchema<Entries, string>
}

/** What to say about a name that is none of these: `is not a setting`, and the name that it may be meant to be. */
export function unknownName(name: string, known: readonly string[], noun = 'a setting'): string {
  const meant = nearestName(name, known)
  return `is not ${noun}${meant === undefined ? '' : `: did you mean ${meant}?`}`
}

/** The name of which a text is a typing error: at most a third of its letters are wrong, whatever their case. */
function nearestName(text: string, names: readonly string[]): string | undefined {
  const near = names.map((name) => ({
    name,
    edits: editsBetween(text.toLowerCase(), name.toLowerCase()),
  }))
  const [nearest] = near.toSorted((a, b) => a.edits - b.edits)
  return nearest && nearest.edits <= text.length / 3 ? nearest.name : undefined
}

/** The edits of letters that make one text of another (the optimal string alignment distance). */
function editsBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= from.length; row += 1) {
    const cells = [row]
    rows.push(cells)
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isExchange = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      cells[column] = Math.min(
        cell(row - 1, column) + 1,
        cell(row, column - 1) + 1,
        cell(row - 1, column - 1) + (isSame ? 0 : 1),
        isExchange ? cell(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return cell(from.length, to.length)
}
