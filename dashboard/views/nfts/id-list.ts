import { type CsvRow, csvRows } from './csv.ts'
import { type ListLayout, layoutOf, type TableLayout } from './list-layout.ts'
import { isGroupedNumber, isRange, mayBeRounded, readElement } from './token-element.ts'

/** A value that is no identifier, range or `*`. */
export interface BadLine {
  /** The number of its line, from 1. */
  line: number
  /** The value, cut to 100 characters. */
  text: string
  /** What is wrong with it: the end of a sentence that begins with the value. */
  fault: string
}

/** The identifiers and ranges of a text, each once, as the API returns them. */
export interface IdList {
  /** In the order of first appearance. */
  elements: readonly string[]
  /** The number of values that repeat an earlier one. */
  duplicateCount: number
  /** The number of identifiers that a spreadsheet may have rounded. */
  roundedCount: number
  badLines: readonly BadLine[]
  layout: ListLayout
}

interface ReadingOptions {
  column?: number | undefined
  signal?: AbortSignal | undefined
}

/** The number of rows that are read at once before the page can respond. */
const rowsAtOnce = 10_000

/** The maximum length of a value in a list of bad lines, in characters. */
const maxShownLength = 100

/**
 * Reads the identifiers of a typed, pasted or CSV text. Lets the page respond in between. Throws the reason
 * of `signal` if it is aborted.
 */
export async function readIdList(text: string, options: ReadingOptions = {}): Promise<IdList> {
  const layout = layoutOf(text, options.column)
  const list = newDraft()
  let rows = 0
  for (const row of csvRows(text, layout.separator)) {
    if (row.line === layout.headerLine) continue
    addRow(list, row, layout)
    rows += 1
    if (rows % rowsAtOnce === 0) await pause()
    options.signal?.throwIfAborted()
  }
  return { ...list, elements: [...list.elements], layout }
}

const newDraft = () => ({
  elements: new Set<string>(),
  duplicateCount: 0,
  roundedCount: 0,
  badLines: [] as BadLine[],
})

type Draft = ReturnType<typeof newDraft>

const pause = () => new Promise((resolve) => setTimeout(resolve))

function addRow(list: Draft, row: CsvRow, layout: ListLayout): void {
  if (row.isUnclosed) {
    addFault(
      list,
      row.line,
      `"${row.cells.at(-1)}`,
      'begins with a quotation mark that has no end, so the text after it was not read',
    )
  } else if (layout.kind === 'table') addTableRow(list, row, layout)
  else addListRow(list, row)
}

function addTableRow(
  list: Draft,
  { line, cells, text }: CsvRow,
  { column, columns, separator }: TableLayout,
): void {
  const cell = cells[column]
  if (cell === undefined) {
    const named = `has no value in the column ${columns[column]}`
    addFault(list, line, text, named)
    return
  }
  const split = `${cell}${separator}${cells[column + 1]}`
  const hasSplitNumber = cells.length > columns.length && isGroupedNumber(split)
  add(list, line, hasSplitNumber ? split : cell)
}

function addListRow(list: Draft, { line, cells, text }: CsvRow): void {
  const whole = text.trim()
  if (isGroupedNumber(whole)) {
    addFault(list, line, whole, ambiguous(whole))
    return
  }
  for (const cell of cells) {
    if (cell !== '') addCell(list, line, cell)
  }
}

function ambiguous(text: string): string {
  const parts = text.split(/\D/)
  const last = parts.pop()
  return `is one number with separators of thousands, or the identifiers ${parts.join(', ')} and ${last}. Write one identifier on each line, digits only`
}

function addCell(list: Draft, line: number, cell: string): void {
  const joined = cell.replace(/\s*\.\.\s*/g, '..')
  if (readElement(joined).element !== undefined || isGroupedNumber(cell)) {
    add(list, line, isGroupedNumber(cell) ? cell : joined)
    return
  }
  const parts = joined.split(/[\s,;]+/)
  // A name with a number in it, such as `Keeper 7`, is one value.
  const isList = parts.every((part) => part === '' || /^[\d*]/.test(part))
  for (const part of isList ? parts : [cell]) {
    if (part !== '') add(list, line, part)
  }
}

function add(list: Draft, line: number, text: string): void {
  const { element, fault } = readElement(text)
  if (element === undefined) addFault(list, line, text, fault)
  else if (list.elements.has(element)) list.duplicateCount += 1
  else {
    list.elements.add(element)
    if (!isRange(element) && mayBeRounded(element)) list.roundedCount += 1
  }
}

function addFault({ badLines }: Draft, line: number, text: string, fault: string): void {
  const isLong = text.length > maxShownLength
  badLines.push({ line, text: isLong ? `${text.slice(0, maxShownLength)}…` : text, fault })
}

/** Bad lines as text, one on each line, to correct them elsewhere. */
export const badLinesText = (badLines: readonly BadLine[]): string =>
  badLines.map(({ line, text, fault }) => `Line ${line}: ${text || '(empty)'} ${fault}.`).join('\n')
