import { maxCountedNfts, type RangeLimits } from '../../../lib/domain/allowlist/allowlist-limits.ts'
import {
  type CellRange,
  type CellSet,
  cellsOf,
  countOf,
  everyCell,
  noCells,
  numbersIn,
  runsOf,
  textOf,
} from './token-cells.ts'

/** The allowlist of a contract as sets. */
export interface ContractSet {
  isConnected: boolean
  description: string
  /** What the ranges contain. */
  ranges: CellSet
  /** What is on the list by itself; it can also be in a range. */
  singles: CellSet
}

/** One call of a caller. `contract` is the place of the contract in the order of D18. */
export type Call =
  | { kind: 'allowlist'; contract: number; elements: CellRange[]; description?: string }
  | { kind: 'unbind' | 'unbindList'; contract: number; elements: CellRange[] }
  | { kind: 'disconnect'; contract: number }
  | { kind: 'sweep'; message: number }
  | { kind: 'list'; limit: number }
  | { kind: 'playerNfts'; pageSize: number }
  | { kind: 'contracts' }

/** The response to a call, in a form that is compared as a whole. */
export interface Reply {
  /** The code of the error. */
  problem?: string
  /** The entries of an allowlisting. */
  entries?: string[]
  removed?: number
  /** The ranges that an unbinding names. */
  ranges?: string[]
  /** The pages of a list, with the contract before each entry. */
  pages?: [contract: number, text: string][][]
  /** The cells of the player's NFTs of each contract. */
  held?: CellSet[]
  contracts?: { description: string; nftCount?: number; ranges?: string[] }[]
}

export const emptyContract: ContractSet = {
  isConnected: false,
  description: '',
  ranges: noCells,
  singles: noCells,
}

export const membersOf = ({ ranges, singles }: ContractSet): CellSet => ranges | singles

/** What elements contain: the ranges, and the single identifiers that are in none of them. */
export function partsOf(elements: readonly CellRange[]): { ranges: CellSet; singles: CellSet } {
  let [ranges, singles] = [noCells, noCells]
  for (const element of elements) {
    if (isRange(element)) ranges |= cellsOf(element)
    else singles |= cellsOf(element)
  }
  return { ranges, singles: singles & ~ranges }
}

const isRange = (element: CellRange) => /\*|\.\./.test(textOf(element))

/** The response to a call that runs alone, and the sets after it (D17 to D20, D57, D58). */
export function predict(
  all: readonly ContractSet[],
  call: Call,
  limits: RangeLimits,
): { reply: Reply; next: readonly ContractSet[] } {
  if (call.kind === 'sweep') return { reply: {}, next: all }
  if (call.kind === 'list') return { reply: { pages: pagesOf(all, call.limit) }, next: all }
  if (call.kind === 'playerNfts') return { reply: { held: all.map(membersOf) }, next: all }
  if (call.kind === 'contracts') return { reply: { contracts: summariesOf(all) }, next: all }
  const current = all[call.contract] as ContractSet
  const isRefused = (ranges: CellSet) => hasTooManyRanges(all, current, ranges, limits)
  const { reply, next = current } =
    call.kind === 'allowlist'
      ? afterAllowlisting(current, call, isRefused)
      : current.isConnected
        ? call.kind === 'disconnect'
          ? { reply: {}, next: emptyContract }
          : afterUnbinding(current, call.elements, isRefused, limits)
        : failure('contract_not_connected')
  return { reply, next: all.with(call.contract, next) }
}

interface Prediction {
  reply: Reply
  /** Absent: nothing has changed. */
  next?: ContractSet
}

function afterAllowlisting(
  current: ContractSet,
  { elements, description }: Extract<Call, { kind: 'allowlist' }>,
  isRefused: (ranges: CellSet) => boolean,
): Prediction {
  if (!current.isConnected && description === undefined) return failure('invalid_request')
  const added = partsOf(elements)
  const ranges = current.ranges | added.ranges
  if (isRefused(ranges)) return failure('too_many_ranges')
  const singles = current.singles | (added.singles & ~ranges)
  const next = { isConnected: true, description: description ?? current.description }
  return { reply: { entries: elements.map(textOf) }, next: { ...next, ranges, singles } }
}

function afterUnbinding(
  current: ContractSet,
  elements: readonly CellRange[],
  isRefused: (ranges: CellSet) => boolean,
  { rangesPerContract, tokenIdsInUnboundRanges }: RangeLimits,
): Prediction {
  const removals = partsOf(elements)
  const named = runsOf(removals.ranges)
  if (named.length > rangesPerContract) return failure('too_many_ranges')
  const covered = countOf(current.singles & removals.ranges)
  if (covered > tokenIdsInUnboundRanges) return failure('too_many_nfts')
  const kept = ~(removals.ranges | removals.singles)
  const [ranges, singles] = [current.ranges & kept, current.singles & kept]
  if (isRefused(ranges)) return failure('too_many_ranges')
  const removed = removedBy(current, removals)
  return { reply: { removed, ranges: named.map(textOf) }, next: { ...current, ranges, singles } }
}

const failure = (problem: string): Prediction => ({ reply: { problem } })

/** The number of removed identifiers: those that the request names, and those that are listed by themselves. */
function removedBy(current: ContractSet, removals: { ranges: CellSet; singles: CellSet }): number {
  const named = countOf(removals.singles & membersOf(current))
  const listed = entriesOf(current).filter((element) => !isRange(element))
  return named + listed.filter((element) => (cellsOf(element) & removals.ranges) !== 0).length
}

function hasTooManyRanges(
  all: readonly ContractSet[],
  { ranges: before }: ContractSet,
  ranges: CellSet,
  { rangesPerContract, rangesPerProduct }: RangeLimits,
): boolean {
  const count = runsOf(ranges).length
  const more = count - runsOf(before).length
  const total = all.reduce((sum, contract) => sum + runsOf(contract.ranges).length, 0)
  return more > 0 && (count > rangesPerContract || total + more > rangesPerProduct)
}

/** The entries of a contract in the list: merged ranges, and each single identifier outside them (D58). */
function entriesOf({ ranges, singles }: ContractSet): CellRange[] {
  const alone = singles & ~ranges
  const elements = runsOf(everyCell)
    .flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
    .filter((cell) => (alone & (1 << cell)) !== 0)
    .map((cell) => ({ from: cell, to: cell }))
  return [...elements, ...runsOf(ranges)].sort((a, b) => a.from - b.from)
}

function pagesOf(all: readonly ContractSet[], limit: number): [number, string][][] {
  const entries = all.flatMap((contract, index) =>
    entriesOf(contract).map((element): [number, string] => [index, textOf(element)]),
  )
  const pages = Math.max(1, Math.ceil(entries.length / limit))
  return Array.from({ length: pages }, (_, page) => entries.slice(page * limit, (page + 1) * limit))
}

const summariesOf = (all: readonly ContractSet[]) =>
  all
    .filter(({ isConnected }) => isConnected)
    .map((contract) => {
      const nftCount = numbersIn(membersOf(contract))
      const ranges = runsOf(contract.ranges).map(textOf)
      return {
        description: contract.description,
        ...(nftCount <= maxCountedNfts && { nftCount: Number(nftCount) }),
        ...(ranges.length > 0 && { ranges }),
      }
    })

/** A call that puts cells on the list of a contract, or takes them off it. */
export interface Write {
  cells: CellSet
  isAdded: boolean
  began: number
  /** Infinity while it runs. A call that has crashed has no effect afterwards. */
  ended: number
  /** False for a call that has crashed: it has taken effect for some of the cells, or for none. */
  isCompleted: boolean
}

/** What a call has seen of the list of a contract. */
export interface Read {
  inside: CellSet
  outside: CellSet
  began: number
  ended: number
}

/** Before the first call, nothing is on the list. */
const beginning: Write = {
  cells: everyCell,
  isAdded: false,
  began: -1,
  ended: -1,
  isCompleted: true,
}

/**
 * Throws if a read has seen what no call explains. A read sees, for each identifier, the effect of a call that
 * began before the read ended, unless another call has completed between that call and the read.
 */
export function expectExplained(reads: readonly Read[], writes: readonly Write[]): void {
  const all = [beginning, ...writes]
  for (const read of reads) {
    const explained = { inside: noCells, outside: noCells }
    for (const write of all) {
      if (write.began > read.ended) continue
      const visible = write.cells & ~replacedBetween(write.ended, read.began, all)
      if (write.isAdded) explained.inside |= visible
      else explained.outside |= visible
    }
    const wrong = (read.inside & ~explained.inside) | (read.outside & ~explained.outside)
    if (wrong !== 0) {
      const texts = runsOf(wrong).map(textOf)
      throw new Error(`${texts} at ${read.began} to ${read.ended}: ${JSON.stringify(all)}`)
    }
  }
}

function replacedBetween(from: number, until: number, writes: readonly Write[]): CellSet {
  let cells = noCells
  for (const write of writes) {
    if (write.isCompleted && write.began > from && write.ended < until) cells |= write.cells
  }
  return cells
}
