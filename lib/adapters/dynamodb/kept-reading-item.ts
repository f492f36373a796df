import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type {
  BegunReading,
  GatheredReading,
  KeptPart,
  KeptReading,
  PartName,
  ReadingAge,
  ReadingId,
  ReadingOrigin,
  ReadingScope,
} from '../../domain/reading/kept-reading.ts'
import { written } from '../written.ts'
import { decodePart, digestOf, encodePart } from './kept-part-item.ts'
import type { Key } from './keys/key.ts'
import { keptPartKey, keptReadingsOf, latestReadingKey } from './keys/wallet-partition.ts'
import { packedText, unpackedText } from './packed-text.ts'

/** The attributes of the item of a reading for what need not unpack the reading. */
const label = v.object({
  readingId: written<ReadingId>(),
  readAt: v.number(),
  block: v.optional(v.object({ number: v.number(), at: v.number() })),
})

const packing = { hasChecksum: true }

/** The form of the content. Another release can have another form, whose readings count as not kept. */
const form = 4

/** What names the parts of a reading: all of them, or those of a reading that is not at its end. */
const content = v.object({
  form: v.literal(form),
  is: v.picklist(['complete', 'begun']),
  /** The digest of the scope. */
  of: v.string(),
  readingId: written<ReadingId>(),
  readAt: v.number(),
  block: v.nullable(v.tuple([v.number(), v.number()])),
  /** The blocks that the pages state: number, time and hash. */
  stated: v.nullable(v.array(v.tuple([v.number(), v.number(), v.string()]))),
  /** The digests of the parts, and the numbers of NFTs of their pages. */
  parts: v.array(v.tuple([v.string(), v.array(v.number())])),
})

type Content = v.InferOutput<typeof content>

/** The name of the contracts of a scope in keys. */
const runOf = ({ contracts }: ReadingScope): string =>
  createHash('sha256').update(contracts.join()).digest('base64url').slice(0, 22)

const readingsOf = (scope: ReadingScope) => keptReadingsOf(scope, runOf(scope))

/** What the content of an item has of its scope: short, because most items are small. */
function digestOfScope(scope: ReadingScope): string {
  const { pk, prefix } = readingsOf(scope)
  return digestOf(Buffer.from(`${pk} ${prefix}`))
}

/** The key of the latest reading of a scope. */
export const latestKey = (scope: ReadingScope): Key => latestReadingKey(scope, runOf(scope))

/** The key of a reading that is kept for cursors. */
export function readingKey(scope: ReadingScope, readingId: ReadingId): Key {
  const { pk, prefix } = readingsOf(scope)
  return { pk, sk: `${prefix}${readingId}` }
}

/** The key of a part of a reading. */
export const partKey = (scope: ReadingScope, part: { id: ReadingId; digest: string }): Key =>
  keptPartKey(scope, runOf(scope), 'PART', part)

/** The key of what is kept of a reading that is not at its end. */
export const begunKey = (scope: ReadingScope, begun: { id: ReadingId; digest: string }): Key =>
  keptPartKey(scope, runOf(scope), 'BEGUN', begun)

/** What the item of a reading says of it without being unpacked. */
export interface ReadingLabel extends ReadingAge {
  readingId: ReadingId
}

/** The attributes of the item of a reading. `part`: its only part, if it is kept in the same item. */
type Attributes = ReadingLabel & { data: Uint8Array; part?: Uint8Array }

/**
 * The most metadata of a reading that is one item, in UTF-16 units: a request unpacks all of it, whatever the number of
 * NFTs that it shows.
 */
const maxWholeMetadata = 2_000_000

/** The attributes of the item of a reading with all of its pages; `undefined` if they do not fit into an item. */
export async function encodeWhole(
  scope: ReadingScope,
  reading: GatheredReading,
): Promise<Attributes | undefined> {
  const nfts = reading.pages.flat()
  const size = nfts.reduce((sum, { metadata }) => sum + metadata.text.length, 0)
  const part = size > maxWholeMetadata ? undefined : await encodePart(scope, reading.pages)
  const attributes = part && (await encodeNames(scope, reading, [part], 'complete'))
  return attributes && { ...attributes, part: part.data }
}

/** The attributes of the item of a reading that names its parts; `undefined` if these are too many for an item. */
export async function encodeNames(
  scope: ReadingScope,
  { readingId, readAt, block, stated }: ReadingOrigin,
  parts: readonly PartName[],
  is: Content['is'],
): Promise<Attributes | undefined> {
  const plain: Content = {
    ...{ form, is, of: digestOfScope(scope), readingId, readAt },
    block: block ? [block.number, block.at] : null,
    stated: stated ? stated.map(({ number, at, hash }) => [number, at, hash]) : null,
    parts: parts.map(({ digest, sizes }) => [digest, [...sizes]]),
  }
  const data = await packedText(JSON.stringify(plain), packing)
  return data && { readingId, readAt, ...(block && { block }), data }
}

/**
 * Whether the blocks of a reading are part of the chain, as it is noted in its item. A note that is neither is one that
 * says no.
 */
export const isPartIn = ({ isPart }: Readonly<Record<string, unknown>>): boolean | undefined =>
  isPart === undefined ? undefined : isPart === true

/** The label of a reading in the attributes of its item; `undefined` if the item is damaged or of another release. */
export function readingLabel(item: Readonly<Record<string, unknown>>): ReadingLabel | undefined {
  const { success, output } = v.safeParse(label, item)
  return success ? output : undefined
}

/**
 * The reading of an item; `undefined` if it is damaged, of another release, or of another scope. The checksum of
 * gzip is over everything that decides about the use of the reading. `readPart` reads a part that is kept apart.
 */
export async function decodeReading(
  scope: ReadingScope,
  { data, part }: Readonly<Record<string, unknown>>,
  readPart: (readingId: ReadingId, name: PartName) => ReturnType<KeptPart['read']>,
): Promise<KeptReading | undefined> {
  const reading = await decodeNames(scope, data, 'complete')
  if (!reading) return undefined
  const read = (name: PartName) =>
    part === undefined ? readPart(reading.readingId, name) : decodePart(scope, name, part)
  const parts = reading.parts.map((name) => ({ sizes: name.sizes, read: () => read(name) }))
  return { ...reading, parts }
}

/** The begun reading of an item; `undefined` as of {@link decodeReading}. */
export const decodeBegun = (
  scope: ReadingScope,
  { data }: Readonly<Record<string, unknown>>,
): Promise<BegunReading | undefined> => decodeNames(scope, data, 'begun')

async function decodeNames(
  scope: ReadingScope,
  data: unknown,
  is: Content['is'],
): Promise<BegunReading | undefined> {
  const text = await unpackedText(data, packing)
  const { success, output } = v.safeParse(content, parsed(text))
  if (!success || output.is !== is || output.of !== digestOfScope(scope)) return undefined
  const { readingId, readAt, block, stated, parts } = output
  return {
    readingId,
    readAt,
    block: block ? { number: block[0], at: block[1] } : undefined,
    stated: stated?.map(([number, at, hash]) => ({ number, at, hash })),
    parts: parts.map(([digest, sizes]) => ({ digest, sizes })),
  }
}

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
