import { inParallel } from '../batches.ts'
import { type FieldCondition, putItem } from '../item-writes.ts'
import { type ListKey, listDirectoryKey, listPartKey } from '../keys/kept-partitions.ts'
import type { Table } from '../table.ts'
import {
  attributesOf,
  type Directory,
  directoryOf,
  expiresAt,
  type Head,
  headItemOf,
  type ListPart,
  partOf,
} from './kept-list-items.ts'
import type { TokenGroup } from './kept-list-tokens.ts'

// The writes of a change of a list, in their order. Each returns whether its condition was met.

/** A part that a list has, or one that is not written yet. */
export type PlannedPart = ListPart | TokenGroup

/** The size of the text of a part, in bytes. */
export const bytesOf = (part: PlannedPart): number =>
  'text' in part ? part.text.length : part.bytes

/**
 * Writes the parts of the next version of a directory that are not written yet, and returns it. A part is written into a slot that the
 * directory does not use, nor another attempt: what that has written can be in use meanwhile.
 */
export async function writeParts(
  table: Table,
  list: ListKey,
  before: Pick<Directory, 'version' | 'parts'>,
  planned: readonly PlannedPart[],
  settledUpTo: number,
): Promise<Directory> {
  const version = before.version + 1
  const nextSlot = unusedSlots(before)
  const stored = new Map<PlannedPart, ListPart>()
  let left = planned.filter((part) => 'text' in part)
  while (left.length > 0) {
    // A repetition takes the same slots, whichever write ends first.
    const tries = left.map((part) => ({ part, slot: nextSlot() }))
    await inParallel(tries, table.requestsAtOnce, async ({ part, slot }) => {
      const content = partOf(version, part.text)
      const item = { ...listPartKey(list, slot), ...content, ...expiresAt(list.snapshot) }
      const isWritten = await putItem(table, item, {
        conditions: [['version', 'absent or <=', before.version]],
        or: ['digest', '=', content.digest],
      })
      if (!isWritten) return
      const { first, count, text } = part
      stored.set(part, { slot, first, digest: content.digest, count, bytes: text.length })
    })
    left = left.filter((part) => !stored.has(part))
  }
  const parts = planned.map((part) => ('text' in part ? (stored.get(part) as ListPart) : part))
  return directoryOf({
    ...{ version, settledUpTo },
    parts: parts.map((part, index) => (index === 0 ? { ...part, first: 0n } : part)),
  })
}

/** Returns a function that returns the slots that a directory does not use, one after the other. */
function unusedSlots({ parts }: Pick<Directory, 'parts'>): () => number {
  const used = new Set(parts.map(({ slot }) => slot))
  let slot = -1
  return () => {
    do slot += 1
    while (used.has(slot))
    return slot
  }
}

/** Writes a directory in place of the one that was read; `undefined`: its name is new. */
export const writeDirectory = (
  table: Table,
  list: ListKey,
  name: string,
  before: Directory | undefined,
  directory: Directory,
): Promise<boolean> =>
  putItem(
    table,
    {
      ...listDirectoryKey(list, name),
      ...attributesOf(directory),
      ...expiresAt(list.snapshot),
    },
    { conditions: isStill('version', before), or: ['digest', '=', directory.digest] },
  )

/** Writes a head in place of the one that was read; `undefined`: there was none. */
export const writeHead = (
  table: Table,
  list: ListKey,
  before: { settledUpTo: number; digest: string } | undefined,
  head: Head,
): Promise<boolean> =>
  putItem(table, headItemOf(list, head), {
    conditions: isStill('settledUpTo', before),
    or: 'directory' in head ? ['directory', '=', head.directory] : ['digest', '=', head.digest],
  })

/** The conditions that an item is as it was read; `undefined`: that there is none. */
const isStill = <Name extends string>(
  name: Name,
  before: ({ digest: string } & Record<Name, number>) | undefined,
): FieldCondition[] =>
  before
    ? [
        [name, '=', before[name]],
        ['digest', '=', before.digest],
      ]
    : [['pk', 'absent']]
