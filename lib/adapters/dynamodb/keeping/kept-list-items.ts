import * as v from 'valibot'
import { tokenIdOf } from '../../../domain/allowlist/token-id.ts'
import { maxListed } from '../../../domain/holdings/holdings.ts'
import type { SnapshotKey } from '../../../domain/ports/kept-contracts.ts'
import { listsExpireAt } from '../../../domain/snapshots/snapshot-attempt.ts'
import { type ListKey, listHeadKey } from '../keys/kept-partitions.ts'
import type { Key } from '../keys/key.ts'
import { digestOf } from './content-digest.ts'
import { type Tokens, tokensForm, tokensIn, tokensText } from './kept-list-tokens.ts'

// The items of what a wallet holds in a snapshot. A short list stands in its head. The head of a longer one names a directory, which
// names the parts: it is replaced as one, so that the list changes as one. Parts that no directory names are not read.

/** The largest head, in bytes with its key. A wallet can have many, because everybody can mint to it. */
const maxHeadBytes = 250

/** What a list may hold. One that holds more is too long until the next snapshot. */
const limits = { tokens: maxListed, bytes: 300 * 1_024 }

const tooLong = v.literal(true)

const headItem = v.union([
  v.object({ directory: v.string() }),
  v.object({ settledUpTo: v.number(), isTooLong: tooLong, digest: v.string() }),
  v.object({ settledUpTo: v.number(), tokens: tokensForm, digest: v.string() }),
])

const tokenId = v.pipe(
  v.string(),
  v.regex(/^\d+$/),
  v.transform((digits) => BigInt(digits)),
)

const partTuple = v.pipe(
  v.strictTuple([v.number(), tokenId, v.string(), v.number(), v.number()]),
  v.transform(
    ([slot, first, digest, count, bytes]): ListPart => ({ slot, first, digest, count, bytes }),
  ),
)

const directoryItem = v.object({
  /** Greater by 1 with each change. A part has the version of the directory that it was written for. */
  version: v.number(),
  settledUpTo: v.number(),
  parts: v.array(partTuple),
  isTooLong: v.exactOptional(tooLong),
  /** Of everything else. */
  digest: v.string(),
})

const partItem = v.object({ version: v.number(), tokens: tokensForm })

/** The head of a list. `directory`: the name of its directory, if the list stands apart. */
export type Head = v.InferOutput<typeof headItem>

/** The place of a part of a list, and what it must contain. */
export interface ListPart {
  slot: number
  /** The first token identifier that belongs to it. The first part begins at 0. */
  first: bigint
  /** Of its version and content. */
  digest: string
  count: number
  bytes: number
}

/** What a list that stands apart consists of. */
export type Directory = v.InferOutput<typeof directoryItem>

/** The head of a list that stands in it, or that is too long. */
export function headOf(settledUpTo: number, tokens: Tokens | 'too long') {
  if (tokens === 'too long') {
    const digest = digestOf(`${settledUpTo} too long`)
    return { settledUpTo, isTooLong: true, digest } as const
  }
  const text = tokensText(tokens)
  return { settledUpTo, tokens: text, digest: digestOf(`${settledUpTo} ${text}`) }
}

/** The head in an item; `undefined` if it is damaged. */
export function headIn(item: unknown): Head | undefined {
  const { success, output } = v.safeParse(headItem, item)
  if (!success) return undefined
  if (!('tokens' in output)) return output
  const { settledUpTo, tokens, digest } = output
  return digest === digestOf(`${settledUpTo} ${tokens}`) ? output : undefined
}

/** When all items of a snapshot expire that are not deleted before: an attribute of each. */
export const expiresAt = ({ id }: Pick<SnapshotKey, 'id'>) => ({
  expiresAt: listsExpireAt(id, Date.now()),
})

export const headItemOf = (
  list: ListKey,
  head: Head,
): Key & Record<string, string | number | true> => ({
  ...listHeadKey(list),
  ...head,
  ...expiresAt(list.snapshot),
})

/** Whether a head with its key is as small as heads must be. */
export const fitsHead = (list: ListKey, head: Head): boolean =>
  Object.entries(headItemOf(list, head)).reduce(
    (sum, [name, value]) => sum + name.length + bytesOf(value),
    0,
  ) <= maxHeadBytes

/** The size of a value as DynamoDB counts it: a byte for each two digits of a number, and one more. All texts are ASCII. */
function bytesOf(value: string | number | boolean): number {
  if (typeof value === 'string') return value.length
  return typeof value === 'number' ? Math.ceil(`${value}`.length / 2) + 1 : 1
}

/** Whether parts are a list that is not too long. */
export const fitsList = (parts: readonly Pick<ListPart, 'count' | 'bytes'>[]): boolean =>
  parts.reduce((sum, { count }) => sum + count, 0) <= limits.tokens &&
  parts.reduce((sum, { bytes }) => sum + bytes, 0) <= limits.bytes

export const directoryOf = (content: Omit<Directory, 'digest'>): Directory => ({
  ...content,
  digest: digestOf(JSON.stringify(attributesOf(content))),
})

export const attributesOf = <Content extends Omit<Directory, 'digest'>>(content: Content) => ({
  ...content,
  parts: content.parts.map(({ slot, first, digest, count, bytes }) => [
    slot,
    tokenIdOf(first),
    digest,
    count,
    bytes,
  ]),
})

/** The directory in an item; `undefined` if it is damaged. */
export function directoryIn(item: unknown): Directory | undefined {
  const { success, output } = v.safeParse(directoryItem, item)
  if (!success) return undefined
  const { digest, ...content } = output
  const directory = directoryOf(content)
  return directory.digest === digest ? directory : undefined
}

/** The attributes of a part of a directory of a version. */
export const partOf = (version: number, tokens: string) => ({
  version,
  tokens,
  digest: digestOf(`${version} ${tokens}`),
})

/** The tokens in the item of a part; `undefined` if the digest is not of it. */
export function tokensInPart(item: unknown, digest: string): Tokens | undefined {
  const { success, output } = v.safeParse(partItem, item)
  if (!success || partOf(output.version, output.tokens).digest !== digest) return undefined
  return tokensIn(output.tokens)
}
