import { type CellSet, everyCell, noCells, runsOf, textOf } from './token-cells.ts'

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
