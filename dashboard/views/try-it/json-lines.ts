/** A line of JSON text. Numbers are the text of the document, with every digit. */
export interface JsonLine {
  readonly depth: number
  /** The name of the member with its quotes, as it is written; absent in lists. */
  readonly name?: string
  /** A value, or the bracket that begins or ends an object or a list. */
  readonly value: string
  /** The index of the line with the closing bracket, if this line begins an object or a list with content. */
  readonly end?: number
  /** The members or elements between the brackets of such a line. */
  readonly members?: number
  /** Whether a further member or element follows. */
  readonly comma: boolean
}

// A string, or anything else up to the next structural character or space.
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g

type Draft = { -readonly [Key in keyof JsonLine]: JsonLine[Key] }

/**
 * JSON text, such as an answer of the service, as indented lines. The text is split, not parsed: numbers keep all
 * their digits, members keep their order and their escape sequences, and depth has no limit.
 */
export function jsonLines(text: string): JsonLine[] {
  const lines: Draft[] = []
  const open: number[] = []
  let pending: string | undefined
  let name: string | undefined
  const add = (value: string) => {
    const parent = lines[open.at(-1) ?? -1]
    if (parent) parent.members = (parent.members ?? 0) + 1
    lines.push({ depth: open.length, ...(name !== undefined && { name }), value, comma: false })
    name = undefined
  }
  const flush = () => {
    if (pending !== undefined) add(pending)
    pending = undefined
  }
  for (const [part] of text.matchAll(token)) {
    if (part === ':') {
      name = pending
      pending = undefined
    } else if (part === ',') {
      flush()
      const last = lines.at(-1)
      if (last) last.comma = true
    } else if (part === '{' || part === '[') {
      add(part)
      open.push(lines.length - 1)
    } else if (part === '}' || part === ']') {
      flush()
      close(lines, open, part)
    } else {
      pending = part
    }
  }
  flush()
  return lines
}

/** Ends the innermost object or list. One without content stays on its line. */
function close(lines: Draft[], open: number[], bracket: string): void {
  const begin = open.pop()
  const first = begin === undefined ? undefined : lines[begin]
  if (!first) return
  if (first.members === undefined) {
    first.value += bracket
    return
  }
  first.end = lines.length
  lines.push({ depth: open.length, value: bracket, comma: false })
}

/** The indices of the lines that are visible while the lines with these indices are folded. */
export function visibleLines(lines: readonly JsonLine[], folded: ReadonlySet<number>): number[] {
  const visible: number[] = []
  for (let index = 0; index < lines.length; index += 1) {
    visible.push(index)
    const end = folded.has(index) ? lines[index]?.end : undefined
    // The closing bracket is shown on the folded line.
    if (end !== undefined) index = end
  }
  return visible
}
