import type { KeptList } from '../../../domain/ports/kept-contracts.ts'
import { recentlyUsed } from '../../recently-used.ts'
import { readItem } from '../item-reads.ts'
import { type ListKey, listDirectoryKey } from '../keys/kept-partitions.ts'
import { keyText } from '../keys/key.ts'
import type { Table } from '../table.ts'
import { directoryIn, headIn } from './kept-list-items.ts'
import { type FoundHead, listsWith, readWhole } from './kept-list-reads.ts'

/** How long a container uses a list that stands apart, in milliseconds: the pages of a wallet are read one after the other. */
const useMilliseconds = 10_000

/** The most lists that a container holds in memory: one of 10,000 NFTs has about 2 MB. */
const maxLists = 4

/**
 * Reads lists for players. Of a list that stands apart and that the container has just read, only the directory is read, and the rest if it has
 * changed: a large wallet has many pages, and its list is the same for most of them.
 */
export function recentLists(table: Table) {
  const known = recentlyUsed<string, { list: KeptList; digest: string; readAt: number }>(maxLists)

  async function readAll(heads: readonly FoundHead[]): Promise<[ListKey, KeptList][]> {
    const readAt = Date.now()
    const lists = await listsWith(table, heads, readWhole)
    return [...lists].map(([key, { stored, ...list }]) => {
      if (stored.form === 'apart') {
        const { name, directory } = stored
        known.set(keyText(listDirectoryKey(key, name)), { list, digest: directory.digest, readAt })
      }
      return [key, list]
    })
  }

  function recent(head: FoundHead) {
    const key = directoryKeyOf(head)
    const read = key && known.get(keyText(key))
    return read && Date.now() - read.readAt <= useMilliseconds ? [{ head, key, ...read }] : []
  }

  return async (heads: readonly FoundHead[]): Promise<[ListKey, KeptList][]> => {
    const again = heads.flatMap(recent)
    const others = heads.filter((head) => !again.some((each) => each.head === head))
    const isSame = async ({ key, digest }: (typeof again)[number]) =>
      directoryIn(await readItem(table, key))?.digest === digest
    const [read, same] = await Promise.all([readAll(others), Promise.all(again.map(isSame))])
    const unchanged = again.flatMap(({ head, list }, index): [ListKey, KeptList][] =>
      same[index] ? [[head.list, list]] : [],
    )
    const changed = again.filter((_, index) => !same[index]).map(({ head }) => head)
    return [...read, ...unchanged, ...(await readAll(changed))]
  }
}

function directoryKeyOf({ list, item }: FoundHead) {
  const head = headIn(item)
  return head && 'directory' in head ? listDirectoryKey(list, head.directory) : undefined
}
