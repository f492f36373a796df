export type Separator = ',' | ';' | '\t'

/** A row of a CSV text (RFC 4180). */
export interface CsvRow {
  /** The number of the line on which the row begins, from 1. */
  line: number
  cells: string[]
  /** The text of the row as it is written. */
  text: string
  /** The row begins a quoted value that never ends, so the rest of the text is in its last cell. */
  isUnclosed: boolean
}

const lineEnd = /\r\n|\n|\r/y

const plainValue: Record<Separator, RegExp> = {
  ',': /[^,\r\n]*/y,
  ';': /[^;\r\n]*/y,
  '\t': /[^\t\r\n]*/y,
}

/**
 * The rows of a CSV text one after the other, with values trimmed and blank lines left out. Quoted values can
 * contain separators, line breaks and doubled quotation marks. A byte order mark is no part of the text.
 */
export function* csvRows(text: string, separator: Separator): Generator<CsvRow> {
  const scanner = { text, at: text.startsWith('\ufeff') ? 1 : 0, line: 1, isUnclosed: false }
  while (scanner.at < text.length) {
    const row = readRow(scanner, separator)
    if (row.isUnclosed || row.cells.some((cell) => cell !== '')) yield row
  }
}

interface Scanner {
  text: string
  at: number
  line: number
  isUnclosed: boolean
}

function readRow(scanner: Scanner, separator: Separator): CsvRow {
  const { at: start, line } = scanner
  const cells: string[] = []
  for (;;) {
    cells.push(readValue(scanner, separator).trim())
    if (scanner.text[scanner.at] !== separator) break
    scanner.at += 1
  }
  const text = scanner.text.slice(start, scanner.at)
  if (take(scanner, lineEnd)) scanner.line += 1
  return { line, cells, text, isUnclosed: scanner.isUnclosed }
}

function readValue(scanner: Scanner, separator: Separator): string {
  const plain = plainValue[separator]
  if (scanner.text[scanner.at] !== '"') return take(scanner, plain)
  const start = scanner.at + 1
  const end = closingQuote(scanner.text, start)
  const inside = scanner.text.slice(start, end)
  scanner.at = end === undefined ? scanner.text.length : end + 1
  scanner.line += inside.split(/\r\n|\n|\r/).length - 1
  scanner.isUnclosed = end === undefined
  // Text after the closing quotation mark belongs to the value: `"a"b` is `ab`.
  return inside.replaceAll('""', '"') + take(scanner, plain)
}

/** The position of the quotation mark that ends a value; two of them are one inside the value. */
function closingQuote(text: string, start: number): number | undefined {
  let at = text.indexOf('"', start)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at < 0 ? undefined : at
}

/** Moves the scanner behind a match at its position, and returns the match, which can be empty. */
function take(scanner: Scanner, pattern: RegExp): string {
  pattern.lastIndex = scanner.at
  const match = pattern.exec(scanner.text)?.[0] ?? ''
  scanner.at += match.length
  return match
}

/** The number of characters at the beginning of a text that decide about its separator. */
const sampleLength = 20_000

/** The separator that is on the most lines at the beginning of a text; a comma if none is on any line. */
export function separatorOf(text: string): Separator {
  const lines = text.slice(0, sampleLength).split(/\r\n|\n|\r/)
  const separators: Separator[] = ['\t', ';', ',']
  const counts = separators.map(
    (separator) => lines.filter((line) => outsideQuotes(line).includes(separator)).length,
  )
  const most = Math.max(...counts)
  return most === 0 ? ',' : (separators[counts.indexOf(most)] as Separator)
}

const outsideQuotes = (line: string): string => line.replace(/"(?:[^"]|"")*"/g, '')
