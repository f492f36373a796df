import { type CsvRow, csvRows, type Separator, separatorOf } from './csv.ts'
import { faultOf, readElement } from './token-element.ts'

/** How the identifiers lie in a text: as a list, or in a column of a table. */
export type ListLayout =
  | { kind: 'list'; separator: Separator; headerLine: number | undefined }
  | TableLayout

/** A table, of which one column has the identifiers. */
export interface TableLayout {
  kind: 'table'
  separator: Separator
  /** The names of the header, or `Column 1`, `Column 2`, …. */
  columns: readonly string[]
  column: number
  /** The line of the header; `undefined` without one. */
  headerLine: number | undefined
}

const sampleRows = 100

/**
 * Finds out how the identifiers lie in a text. `column` is the user's choice; by default it is the column whose
 * name is that of an identifier, otherwise the column with the most identifiers.
 */
export function layoutOf(text: string, column?: number): ListLayout {
  const separator = separatorOf(text)
  const rows = firstRows(text, separator)
  const header = rows[0] && isHeader(rows[0], rows.length) ? rows[0] : undefined
  const body = header ? rows.slice(1) : rows
  const width = header?.cells.length ?? sameWidth(body)
  const counts = Array.from({ length: width }, (_, index) => countIn(body, index))
  // A column has no identifier at all and another has some, such as `1;Keeper 1`.
  const hasOtherColumn = counts.includes(0) && counts.some((count) => count > 0)
  if (width < 2 || (!header && !hasOtherColumn)) {
    return { kind: 'list', separator, headerLine: header?.line }
  }
  const columns = Array.from(
    { length: width },
    (_, index) => header?.cells[index] || `Column ${index + 1}`,
  )
  const found = header ? namedColumn(header) : undefined
  const chosen = column !== undefined && column < width ? column : undefined
  return {
    kind: 'table',
    separator,
    columns,
    column: chosen ?? found ?? counts.indexOf(Math.max(...counts)),
    headerLine: header?.line,
  }
}

function firstRows(text: string, separator: Separator): CsvRow[] {
  const rows: CsvRow[] = []
  for (const row of csvRows(text, separator)) {
    rows.push(row)
    if (rows.length === sampleRows) break
  }
  return rows
}

/** Names of columns with identifiers, without case, spaces and punctuation; the most definite ones first. */
const columnNames = [
  'tokenid',
  'tokenids',
  'tokenidentifier',
  'tokenidentifiers',
  'nftid',
  'nftids',
  'tokens',
  'token',
  'identifier',
  'identifiers',
  'ids',
  'id',
  'tokennumber',
  'number',
  'nfts',
  'nft',
]

const plainName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** A first row without identifiers, unless it is a single value that is not the name of a column. */
function isHeader({ cells }: CsvRow, rowCount: number): boolean {
  if (rowCount < 2 || cells.some((cell) => readElement(cell).element !== undefined)) return false
  if (cells.length > 1) return cells.some(isName)
  return columnNames.includes(plainName(cells[0] ?? ''))
}

const isName = (cell: string): boolean =>
  /\p{L}/u.test(cell) && !faultOf(cell).includes('spreadsheet')

function namedColumn({ cells }: CsvRow): number | undefined {
  const names = cells.map(plainName)
  const name = columnNames.find((known) => names.includes(known))
  return name === undefined ? undefined : names.indexOf(name)
}

/** The number of cells if all rows have the same number, otherwise 0. */
function sameWidth(rows: readonly CsvRow[]): number {
  const width = rows[0]?.cells.length ?? 0
  return rows.every(({ cells }) => cells.length === width) ? width : 0
}

const countIn = (rows: readonly CsvRow[], column: number): number =>
  rows.filter(({ cells }) => readElement(cells[column] ?? '').element !== undefined).length
