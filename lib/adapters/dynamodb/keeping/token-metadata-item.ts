import * as v from 'valibot'
import type { Chain } from '../../../domain/nft/chain.ts'
import type { MetadataFault } from '../../../domain/nft/owned-nft.ts'
import type { DueNote, KeptMetadata, KeptNft } from '../../../domain/ports/token-metadata.ts'
import { maxClockDifference } from '../../../domain/time-budget.ts'
import type { FieldUpdate } from '../item-writes.ts'
import { dueNftFromKey, metadataKey } from '../keys/metadata-partitions.ts'
import { packedText, unpackedText } from '../packed-text.ts'

/** The time after its last write for which an item is kept, in seconds: one that is read is written each week. */
const retentionSeconds = 60 * 86_400

const expiryAt = (now: number): number => Math.ceil(now / 1_000) + retentionSeconds

/** The link, the fault, and the text if it does not follow this line. */
type Header = [string, MetadataFault | null, string?]

/** The item of a token that is written at a moment. Metadata that does not fit into an item is left out of it. */
export async function metadataItem(nft: KeptNft, now: number) {
  const { metadataLink, metadata, readAt, retries, changedAt } = nft
  const { text, fault = null } = metadata
  // UTF-8 has no half of a surrogate pair, but JSON has.
  const isApart = text.isWellFormed()
  const header: Header = isApart ? [metadataLink, fault] : [metadataLink, fault, text]
  const data = await packedText(`${JSON.stringify(header)}\n${isApart ? text : ''}`)
  const content = data ? { data, size: Buffer.byteLength(text) } : { isTooLarge: true }
  return {
    ...{ ...metadataKey(nft), readAt, retries, changedAt, ...content },
    expiresAt: expiryAt(now),
  }
}

const ageForm = { retries: v.number(), changedAt: v.optional(v.number()) }

/** A time in the future would make metadata look fresh for long. */
const timeForm = v.pipe(
  v.number(),
  v.check((readAt) => readAt <= Date.now() + maxClockDifference),
)

const storedForm = v.object({
  ...ageForm,
  data: v.instance(Uint8Array),
  size: v.number(),
  readAt: timeForm,
})

/** Metadata in an item. `size`: the bytes of its text. */
export type StoredMetadata = v.InferOutput<typeof storedForm>

/** The metadata in an item; `undefined` if it has none, or is damaged. */
export function storedMetadata(item: unknown): StoredMetadata | undefined {
  const { success, output } = v.safeParse(storedForm, item)
  return success ? output : undefined
}

/** The metadata as it was kept; `undefined` if it is damaged. */
export async function unpackedMetadata({
  data,
  readAt,
  retries,
  changedAt,
}: StoredMetadata): Promise<KeptMetadata | undefined> {
  const plain = await unpackedText(data)
  if (plain === undefined) return undefined
  const end = plain.indexOf('\n')
  // The checksum says that it is what was packed.
  const [metadataLink, fault, text = plain.slice(end + 1)]: Header = JSON.parse(plain.slice(0, end))
  const metadata = fault === null ? { text } : { text, fault }
  return { metadataLink, metadata, readAt, retries, ...(changedAt !== undefined && { changedAt }) }
}

/** When the metadata in an item was read; `undefined` if it is damaged. */
export function readTimeIn(item: unknown): number | undefined {
  const { success, output } = v.safeParse(v.object({ readAt: timeForm }), item)
  return success ? output.readAt : undefined
}

/** Writes a note at a moment, if there is none, or one that the note takes the place of. */
export const notingDue = (
  { notedAt, readAt, askFrom, retries, changedAt = 0 }: DueNote,
  now: number,
): FieldUpdate => ({
  set: { notedAt, readAt, retries, changedAt, expiresAt: expiryAt(now) },
  // Somebody can be asking for the token, and has said when it may be asked for again.
  setIfAbsent: { askFrom },
  conditions: [['notedAt', 'absent or <', readAt]],
  or: ['changedAt', '<', changedAt],
  isSentOnce: true,
})

const noteForm = v.object({
  ...ageForm,
  sk: v.pipe(v.string(), v.regex(/^0x[0-9a-f]{40}#\d{78}$/)),
  notedAt: v.number(),
  readAt: v.number(),
  askFrom: v.number(),
})

/** The note in an item; `undefined` if it is damaged: what is due is noted again when it is shown, once the item has expired. */
export function dueNoteIn(chain: Chain, item: unknown): DueNote | undefined {
  const { success, output } = v.safeParse(noteForm, item)
  if (!success) return undefined
  const { sk, changedAt, ...note } = output
  return { ...dueNftFromKey(chain, sk), ...note, ...(changedAt && { changedAt }) }
}
