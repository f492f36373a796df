/** JSON text, in which a list or an object that fits into the width is one line. */
export function jsonText(value: unknown, indent = '', width = 100): string {
  const line = oneLine(value)
  if (indent.length + line.length <= width || typeof value !== 'object' || value === null)
    return line
  const deeper = `${indent}  `
  const isList = Array.isArray(value)
  const items = Object.entries(value).map(
    ([name, item]) =>
      `${deeper}${isList ? '' : `${JSON.stringify(name)}: `}${jsonText(item, deeper, width)}`,
  )
  return `${isList ? '[' : '{'}\n${items.join(',\n')}\n${indent}${isList ? ']' : '}'}`
}

/** JSON text in one line, with spaces as people write it. */
function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  const fields = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}: ${oneLine(item)}`,
  )
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}
