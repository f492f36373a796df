import type { TokenElement } from '../../../lib/domain/allowlist/token-element.ts'
import { largestTokenId, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { TokenRange } from '../../../lib/domain/allowlist/token-ranges.ts'

/** Identifiers where mistakes are likely: neighbours, another order as text, 64 bits, and both ends. */
const numbers = [0n, 1n, 2n, 9n, 10n, 11n, 99n, 100n, 101n, 2n ** 53n]
  .concat([2n ** 64n - 1n, 2n ** 64n, 2n ** 64n + 1n, 2n ** 128n, 2n ** 255n])
  .concat([largestTokenId - 2n, largestTokenId - 1n, largestTokenId])

/** All token identifiers, in order: each of the numbers, and all identifiers between two of them. */
export const cells: readonly TokenRange[] = numbers.flatMap((number, index) => {
  const first = index === 0 ? 0n : (numbers[index - 1] as bigint) + 1n
  const cell = { first: number, last: number }
  return first < number ? [{ first, last: number - 1n }, cell] : [cell]
})

/** A set of token identifiers that consists of whole cells: one bit for each cell. */
export type CellSet = number

export const noCells: CellSet = 0
export const everyCell: CellSet = 2 ** cells.length - 1

/** The cells from one to another, both included. */
export interface CellRange {
  from: number
  to: number
}

/** The cells that are a single identifier. */
export const singleCells: readonly number[] = [...cells.keys()].filter(
  (cell) => cells[cell]?.first === cells[cell]?.last,
)

const firstOf = ({ from }: CellRange) => (cells[from] as TokenRange).first
const lastOf = ({ to }: CellRange) => (cells[to] as TokenRange).last

/** The element of a request; a range of one identifier is that identifier. */
export function elementOf(range: CellRange): TokenElement {
  const [first, last] = [firstOf(range), lastOf(range)]
  return first === last ? (`${first}` as TokenId) : { first, last }
}

/** The text of the cells as responses contain it. */
export function textOf(range: CellRange): string {
  const [first, last] = [firstOf(range), lastOf(range)]
  if (first === 0n && last === largestTokenId) return '*'
  return first === last ? `${first}` : `${first}..${last}`
}

const cellFrom = new Map(cells.map(({ first }, cell) => [`${first}`, cell]))
const cellTo = new Map(cells.map(({ last }, cell) => [`${last}`, cell]))

/** The cells of a text of a response. */
export function cellsOfText(text: string): CellSet {
  if (text === '*') return everyCell
  const [first = '', last = first] = text.split('..')
  const [from, to] = [cellFrom.get(first), cellTo.get(last)]
  if (from === undefined || to === undefined) throw new Error(`"${text}" is a part of a cell`)
  return cellsOf({ from, to })
}

/** The cells of a range of numbers. */
export const cellsOfNumbers = ({ first, last }: TokenRange): CellSet =>
  cellsOfText(`${first}..${last}`)

export const cellsOf = ({ from, to }: CellRange): CellSet => 2 ** (to + 1) - 2 ** from

const has = (set: CellSet, cell: number): boolean => (set & (1 << cell)) !== 0

/** The cells of a set that have no other cell of the set between them, as ranges that do not touch. */
export function runsOf(set: CellSet): CellRange[] {
  const runs: CellRange[] = []
  for (let from = 0; from < cells.length; from += 1) {
    if (!has(set, from)) continue
    let to = from
    while (has(set, to + 1)) to += 1
    runs.push({ from, to })
    from = to
  }
  return runs
}

/** The number of cells of a set. */
export function countOf(set: CellSet): number {
  let count = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** The number of token identifiers in a set. */
export const numbersIn = (set: CellSet): bigint =>
  runsOf(set).reduce((sum, run) => sum + lastOf(run) - firstOf(run) + 1n, 0n)
