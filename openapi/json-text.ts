/** How a notation writes a member of an object, and a value without members. */
export interface Notation {
  member(name: string, value: string): string
  simple(value: unknown): string
}

const json: Notation = {
  member: (name, value) => `${JSON.stringify(name)}: ${value}`,
  simple: (value) => JSON.stringify(value),
}

/** JSON text, or that of another notation, in which a list or an object that fits into the width is one line. */
export function jsonText(value: unknown, indent = '', width = 100, notation = json): string {
  const line = oneLine(value, notation)
  if (indent.length + line.length <= width || typeof value !== 'object' || value === null)
    return line
  const deeper = `${indent}  `
  const isList = Array.isArray(value)
  const items = Object.entries(value).map(([name, item]) => {
    const text = jsonText(item, deeper, width, notation)
    return `${deeper}${isList ? text : notation.member(name, text)}`
  })
  return `${isList ? '[' : '{'}\n${items.join(',\n')}\n${indent}${isList ? ']' : '}'}`
}

/** The text in one line, with spaces as people write it. */
function oneLine(value: unknown, notation: Notation): string {
  if (typeof value !== 'object' || value === null) return notation.simple(value)
  if (Array.isArray(value)) return `[${value.map((item) => oneLine(item, notation)).join(', ')}]`
  const fields = Object.entries(value).map(([name, item]) =>
    notation.member(name, oneLine(item, notation)),
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
