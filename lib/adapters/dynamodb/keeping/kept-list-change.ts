import type { ListChange } from '../../../domain/ports/kept-contracts.ts'
import type { ListKey } from '../keys/kept-partitions.ts'
import type { Table } from '../table.ts'
import {
  type Directory,
  directoryOf,
  fitsHead,
  fitsList,
  headOf,
  type ListPart,
} from './kept-list-items.ts'
import { partContents, type ReadList, type StoredList } from './kept-list-reads.ts'
import {
  balancesOf,
  changedTokens,
  dividedTokens,
  type Tokens,
  tokensText,
} from './kept-list-tokens.ts'
import {
  bytesOf,
  type PlannedPart,
  writeDirectory,
  writeHead,
  writeParts,
} from './kept-list-writes.ts'

/** The most parts of a list: a directory of more would be large, and is written with each change. */
const maxParts = 200

/**
 * Changes a list from what was read; `undefined`: there was none. `false`: it is not as it was read any more. Throws a RangeError for a
 * change up to an earlier block than that of the list.
 */
export async function changeList(
  table: Table,
  list: ListKey,
  from: ReadList | undefined,
  change: ListChange,
): Promise<boolean> {
  if (from && change.settledUpTo < from.settledUpTo) throw new RangeError('a list never goes back')
  if (from?.stored.form === 'apart') return await changeApart(table, list, from.stored, change)
  // It is too long whatever changes.
  if (from?.stored.form === 'tooLong') return true
  return await changeInHead(table, list, from?.stored, change)
}

/** Changes a list that stands in its head. It stands apart from then on if the head would become too large. */
async function changeInHead(
  table: Table,
  list: ListKey,
  before: Extract<StoredList, { form: 'inHead' }> | undefined,
  change: ListChange,
): Promise<boolean> {
  const { settledUpTo } = change
  const tokens = changedTokens(before?.tokens ?? [], balancesOf(change))
  const planned = dividedTokens(tokens)
  if (isTooLong(planned, change))
    return await writeHead(table, list, before, headOf(settledUpTo, 'too long'))
  const head = headOf(settledUpTo, tokens)
  if (fitsHead(list, head)) return await writeHead(table, list, before, head)
  const directory = await writeParts(table, list, { version: 0, parts: [] }, planned, settledUpTo)
  // Another attempt to set the list apart has another name, so that only the head decides between them.
  const name = directory.digest
  return (
    (await writeDirectory(table, list, name, undefined, directory)) &&
    (await writeHead(table, list, before, { directory: name }))
  )
}

/** Changes a list that stands apart: the directory is all that replaces what was there. */
async function changeApart(
  table: Table,
  list: ListKey,
  { name, directory, contents }: Extract<StoredList, { form: 'apart' }>,
  change: ListChange,
): Promise<boolean> {
  const changes = changesByPart(directory, change)
  const unread = [...changes.keys()].flatMap((part) =>
    part && !contents.has(part) ? [{ list, part }] : [],
  )
  const read = new Map([...contents, ...(await partContents(table, unread))])
  // The list has changed.
  if (!unread.every(({ part }) => read.has(part))) return false
  const parts = plannedParts(directory, changes, read)
  const planned = parts.length > maxParts ? await partsAnew(table, list, directory, change) : parts
  if (!planned) return false
  const { settledUpTo } = change
  const after = isTooLong(planned, change)
    ? directoryOf({ version: directory.version + 1, settledUpTo, parts: [], isTooLong: true })
    : await writeParts(table, list, directory, planned, settledUpTo)
  return await writeDirectory(table, list, name, directory, after)
}

/** The whole list after a change in as few parts as a new one has; `undefined`: a part is not as the directory says any more. */
async function partsAnew(
  table: Table,
  list: ListKey,
  { parts }: Directory,
  change: ListChange,
): Promise<PlannedPart[] | undefined> {
  const contents = await partContents(
    table,
    parts.map((part) => ({ list, part })),
  )
  if (contents.size < parts.length) return undefined
  const tokens = parts.flatMap((part) => contents.get(part) ?? [])
  return dividedTokens(changedTokens(tokens, balancesOf(change)))
}

const isTooLong = (planned: readonly PlannedPart[], change: ListChange): boolean =>
  change.isTooLong === true ||
  !fitsList(planned.map((part) => ({ count: part.count, bytes: bytesOf(part) })))

/** The changed balances of each part; `undefined` is the part of a list that has none. */
type PartChanges = Map<ListPart | undefined, [bigint, bigint][]>

function changesByPart({ parts }: Directory, change: ListChange): PartChanges {
  const changes: PartChanges = new Map()
  for (const balance of balancesOf(change)) {
    const part = parts.findLast(({ first }) => first <= balance[0])
    const others = changes.get(part)
    if (others) others.push(balance)
    else changes.set(part, [balance])
  }
  return changes
}

/** The parts after a change: those that it does not concern, and the others as they become. */
function plannedParts(
  { parts }: Directory,
  changes: PartChanges,
  contents: ReadonlyMap<ListPart | undefined, Tokens>,
): PlannedPart[] {
  return (parts.length > 0 ? parts : [undefined]).flatMap((part): PlannedPart[] => {
    const changed = changes.get(part)
    if (!changed) return part ? [part] : []
    const before = contents.get(part) ?? []
    const tokens = changedTokens(before, changed)
    if (part && tokensText(tokens) === tokensText(before)) return [part]
    const [first, ...others] = dividedTokens(tokens)
    return first ? [{ ...first, first: part?.first ?? 0n }, ...others] : []
  })
}
