import type { ListKey } from '../keys/kept-partitions.ts'
import type { Table } from '../table.ts'
import { type PartContents, partContents } from './kept-list-reads.ts'
import { joinedTokens, maxPartBytes, tokensIn } from './kept-list-tokens.ts'
import { bytesOf, type PlannedPart } from './kept-list-writes.ts'

/** The parts of a list above which small ones are joined: a directory of more would be large, and is written with each change. */
const maxParts = 200

const smallBytes = 2 * 1_024

/**
 * The parts of a list, of which small ones are joined with their neighbours if there are many. `undefined`: a part is not as the directory
 * says any more.
 */
export async function joinedParts(
  table: Table,
  list: ListKey,
  planned: readonly PlannedPart[],
  contents: PartContents,
): Promise<PlannedPart[] | undefined> {
  if (planned.length <= maxParts) return [...planned]
  const groups = neighbours(planned)
  const joined = groups.filter((group) => group.length > 1).flat()
  const unread = joined.flatMap((part) =>
    'text' in part || contents.has(part) ? [] : [{ list, part }],
  )
  const read = new Map([...contents, ...(await partContents(table, unread))])
  if (!unread.every(({ part }) => read.has(part))) return undefined
  const tokensOf = (part: PlannedPart) =>
    'text' in part ? tokensIn(part.text) : (read.get(part) ?? [])
  return groups.flatMap((group) => {
    const [first] = group
    return first && group.length > 1 ? [joinedTokens(first.first, group.map(tokensOf))] : group
  })
}

/** Runs of parts that are joined: of two neighbours, one is small, and all together are no larger than a part. */
function neighbours(planned: readonly PlannedPart[]): PlannedPart[][] {
  const groups: { bytes: number; parts: PlannedPart[] }[] = []
  for (const part of planned) {
    const last = groups.at(-1)
    const bytes = bytesOf(part)
    const isSmall = bytes < smallBytes || (last !== undefined && last.bytes < smallBytes)
    // A space joins two texts. The distance to the part before is not longer than the identifier.
    if (last && isSmall && last.bytes + 1 + bytes <= maxPartBytes) {
      last.bytes += 1 + bytes
      last.parts.push(part)
    } else groups.push({ bytes, parts: [part] })
  }
  return groups.map(({ parts }) => parts)
}
