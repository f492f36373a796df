import { largestTokenId } from '../../../domain/allowlist/token-id.ts'
import { ServiceUnavailable } from '../../../domain/failures.ts'
import type { KeptList, TokenIds } from '../../../domain/ports/kept-contracts.ts'
import { inParallel, itemsByKey } from '../batches.ts'
import {
  type ListKey,
  listDirectoryKey,
  listItemsOf,
  listPartKey,
} from '../keys/kept-partitions.ts'
import { type Key, keyText } from '../keys/key.ts'
import { itemsUnder } from '../prefix-reads.ts'
import type { Table } from '../table.ts'
import {
  type Directory,
  directoryIn,
  headIn,
  type ListPart,
  tokensInPart,
} from './kept-list-items.ts'
import { type Tokens, tokensIn, wantedBetween, wantedHoldings } from './kept-list-tokens.ts'

const maxReads = 5

/** What a change of a list must know of what it replaces. */
export type StoredList =
  | { form: 'inHead'; settledUpTo: number; digest: string; tokens: Tokens }
  | { form: 'apart'; name: string; directory: Directory; contents: PartContents }
  | { form: 'tooLong' }

export type PartContents = ReadonlyMap<ListPart, Tokens>

/** A list as it was read, with what the next change of it replaces. */
export interface ReadList extends KeptList {
  stored: StoredList
}

export interface FoundHead {
  list: ListKey
  item: Record<string, unknown>
  wanted: readonly TokenIds[]
}

/** A list that stands apart. `before`: the digest of its directory when its parts were read last. */
interface ApartList extends FoundHead {
  name: string
  before?: string
}

type Items = ReadonlyMap<string, Record<string, unknown>>

/** Reads the items of lists that stand apart: as many as one request can have of each, at least its directory. */
type ReadItems = (table: Table, apart: readonly ApartList[]) => Promise<Items>

const readDirectories: ReadItems = (table, apart) =>
  itemsByKey(
    table,
    apart.map(({ list, name }) => listDirectoryKey(list, name)),
  )

/** Reads all items of each list at once, because a read by a player waits for it. */
export const readWhole: ReadItems = async (table, apart) => {
  const items = new Map<string, Record<string, unknown>>()
  await inParallel([...apart], table.requestsAtOnce, async ({ list }) => {
    for (const item of await itemsUnder(table, listItemsOf(list))) items.set(keyText(item), item)
  })
  return items
}

/** The lists with these heads. A damaged list is too long. Throws ServiceUnavailable if one changes over and over. */
export async function listsWith(
  table: Table,
  heads: readonly FoundHead[],
  readItems: ReadItems = readDirectories,
): Promise<Map<ListKey, ReadList>> {
  const lists = new Map<ListKey, ReadList>()
  let apart: ApartList[] = []
  for (const found of heads) {
    const head = headIn(found.item)
    if (head && 'directory' in head) apart.push({ ...found, name: head.directory })
    else if (!head || 'isTooLong' in head) lists.set(found.list, tooLong(head?.settledUpTo))
    else {
      const tokens = tokensIn(head.tokens)
      const { settledUpTo, digest } = head
      const stored = { form: 'inHead', settledUpTo, digest, tokens } as const
      lists.set(found.list, { settledUpTo, tokens: wantedHoldings(tokens, found.wanted), stored })
    }
  }
  for (let reads = 0; apart.length > 0; reads += 1) {
    if (reads === maxReads) throw new ServiceUnavailable('DynamoDB: a list changed over and over')
    apart = await readApart(table, apart, lists, readItems)
  }
  return lists
}

const tooLong = (settledUpTo = 0): ReadList => ({
  settledUpTo,
  tokens: new Map(),
  isTooLong: true,
  stored: { form: 'tooLong' },
})

/** Reads lists that stand apart into a map. Returns those that have changed between two reads. */
async function readApart(
  table: Table,
  apart: readonly ApartList[],
  lists: Map<ListKey, ReadList>,
  readItems: ReadItems,
): Promise<ApartList[]> {
  const keys = apart.map(({ list, name }) => listDirectoryKey(list, name))
  const items = await readItems(table, apart)
  const reads: { apartList: ApartList; directory: Directory; parts: readonly ListPart[] }[] = []
  for (const [index, apartList] of apart.entries()) {
    const directory = directoryIn(items.get(keyText(keys[index] as Key)))
    // Without a change of the directory, other parts than it names are damaged.
    const isDamaged = directory === undefined || directory.digest === apartList.before
    if (isDamaged || directory.isTooLong) lists.set(apartList.list, tooLong(directory?.settledUpTo))
    else reads.push({ apartList, directory, parts: wantedParts(directory, apartList.wanted) })
  }
  const wanted = reads.flatMap(({ apartList: { list }, parts }) =>
    parts.map((part) => ({ list, part })),
  )
  const contents = await partContents(table, wanted, items)
  const changed: ApartList[] = []
  for (const { apartList, directory, parts } of reads) {
    if (parts.every((part) => contents.has(part))) {
      const held = new Map(parts.map((part) => [part, contents.get(part) ?? []]))
      const stored = { form: 'apart', name: apartList.name, directory, contents: held } as const
      const tokens = wantedHoldings([...held.values()].flat(), apartList.wanted)
      lists.set(apartList.list, { settledUpTo: directory.settledUpTo, tokens, stored })
    } else changed.push({ ...apartList, before: directory.digest })
  }
  return changed
}

function wantedParts({ parts }: Directory, wanted: readonly TokenIds[]): ListPart[] {
  const isWanted = wantedBetween(wanted)
  return parts.filter(({ first }, index) => {
    const next = parts[index + 1]?.first
    return isWanted(first, next === undefined ? largestTokenId : next - 1n)
  })
}

/** The contents of parts; those that are not what their directory names are left out. `known`: items that were read before. */
export async function partContents(
  table: Table,
  wanted: readonly { list: ListKey; part: ListPart }[],
  known: Items = new Map(),
): Promise<PartContents> {
  const keys = wanted.map(({ list, part }) => listPartKey(list, part.slot))
  // What is known of a slot can be older than the directory.
  const isKnown = (key: Key, { part }: (typeof wanted)[number]) =>
    tokensInPart(known.get(keyText(key)), part.digest) !== undefined
  const unread = keys.filter(
    (key, index) => !isKnown(key, wanted[index] as (typeof wanted)[number]),
  )
  const items = new Map([...known, ...(await itemsByKey(table, unread))])
  const contents = new Map<ListPart, Tokens>()
  for (const [index, { part }] of wanted.entries()) {
    const tokens = tokensInPart(items.get(keyText(keys[index] as Key)), part.digest)
    if (tokens) contents.set(part, tokens)
  }
  return contents
}
