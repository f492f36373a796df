import type { AttributeValue } from '@aws-sdk/client-dynamodb'
import { firstWith } from '../binary-search.ts'

/** An item in DynamoDB's JSON. */
export type Item = Record<string, AttributeValue>

interface Partition {
  /** The sort keys in order. */
  sks: string[]
  items: Map<string, Item>
}

/** A range of sort keys. */
export interface Range {
  /** The exclusive lower bound. */
  after?: string
  prefix?: string
}

/** A table in memory with the keys `pk` and `sk`. */
export type MemoryTable = ReturnType<typeof memoryTable>

export function memoryTable() {
  const partitions = new Map<string, Partition>()
  const partitionOf = (pk: string): Partition => {
    const partition = partitions.get(pk) ?? { sks: [], items: new Map() }
    partitions.set(pk, partition)
    return partition
  }
  return {
    get(pk: string, sk: string): Item | undefined {
      return partitions.get(pk)?.items.get(sk)
    },
    put(item: Item) {
      const { pk, sk } = keyOf(item)
      const { sks, items } = partitionOf(pk)
      const at = firstFrom(sks, sk)
      if (sks[at] !== sk) sks.splice(at, 0, sk)
      items.set(sk, item)
    },
    delete(pk: string, sk: string) {
      const { sks, items } = partitionOf(pk)
      const at = firstFrom(sks, sk)
      if (sks[at] === sk) sks.splice(at, 1)
      items.delete(sk)
    },
    /** The items of a partition in the order of their sort keys. */
    *range(pk: string, { after, prefix = '' }: Range) {
      const partition = partitions.get(pk)
      if (!partition) return
      const { sks, items } = partition
      for (let at = firstFrom(sks, after ?? prefix); at < sks.length; at += 1) {
        const sk = sks[at] as string
        if (!sk.startsWith(prefix)) return
        if (sk !== after) yield items.get(sk) as Item
      }
    },
    /** Replaces a partition by many items at once, which are in the order of their sort keys. */
    fill(pk: string, items: readonly Item[]) {
      const entries = items.map((item) => [keyOf(item).sk, item] as const)
      partitions.set(pk, { sks: entries.map(([sk]) => sk), items: new Map(entries) })
    },
  }
}

export const keyOf = ({ pk, sk }: Item): { pk: string; sk: string } => ({
  pk: pk?.S ?? '',
  sk: sk?.S ?? '',
})

/** The index of the first sort key that is not less than the given key. */
const firstFrom = (sks: readonly string[], sk: string): number =>
  firstWith(sks.length, (index) => (sks[index] as string) >= sk)
