import { createHash } from 'node:crypto'
import * as v from 'valibot'
import type { TokenId } from '../../domain/allowlist/token-id.ts'
import { branded } from '../../domain/branded.ts'
import type { Address } from '../../domain/nft/address.ts'
import type { OwnedNft } from '../../domain/nft/owned-nft.ts'
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
import { packedText, unpackedText } from './packed-text.ts'
import { type Key, keptPartKey, keptReadingsOf, latestReadingKey } from './table.ts'

/** The attributes of the item of a reading for what need not unpack the reading. */
const label = v.object({
  readingId: written<ReadingId>(),
  readAt: v.number(),
  block: v.optional(v.object({ number: v.number(), at: v.number() })),
})

const fault = v.picklist(['not_available', 'not_an_object', 'too_large'])

/** The contract by its place in the run, token identifier, balance, link, text of the metadata and its fault. */
const nft = v.tuple([
  v.number(),
  written<TokenId>(),
  v.string(),
  v.string(),
  v.string(),
  v.nullable(fault),
])

const origin = {
  /** The partition of the scope, and the beginning of the sort keys of its readings. */
  of: v.tuple([v.string(), v.string()]),
  readingId: written<ReadingId>(),
  readAt: v.number(),
  block: v.nullable(v.tuple([v.number(), v.number()])),
  /** The blocks that the pages state: number, time and hash. */
  stated: v.nullable(v.array(v.tuple([v.number(), v.number(), v.string()]))),
}

/**
 * The content of a reading in one item. Another release can have another form, whose readings count as not kept; a form
 * has another number.
 */
const whole = v.object({ form: v.literal(3), ...origin, pages: v.array(v.array(nft)) })

/** The content of a reading that names its parts by their digests and the numbers of NFTs of their pages. */
const names = {
  form: v.literal(4),
  ...origin,
  parts: v.array(v.tuple([v.string(), v.array(v.number())])),
}

/** All parts of a reading, and what is kept of a reading that is not at its end: only the first is a reading. */
const inParts = v.object({ ...names, is: v.literal('complete') })
const begun = v.object({ ...names, is: v.literal('begun') })

type Origin = Pick<v.InferOutput<typeof whole>, keyof typeof origin>

/** The name of the contracts of a scope in keys. */
const runOf = ({ contracts }: ReadingScope): string =>
  createHash('sha256').update(contracts.join()).digest('base64url').slice(0, 22)

const readingsOf = (scope: ReadingScope) => keptReadingsOf(scope, runOf(scope))

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

type Attributes = ReadingLabel & { data: Buffer }

/**
 * The most metadata of a reading that is one item, in UTF-16 units: a request unpacks all of it, whatever the number of
 * NFTs that it shows.
 */
const maxWholeMetadata = 2_000_000

/** The attributes of the item of a reading with its pages; `undefined` if it does not fit into an item. */
export async function encodeReading(
  scope: ReadingScope,
  reading: GatheredReading,
): Promise<Attributes | undefined> {
  const nfts = reading.pages.flat()
  const size = nfts.reduce((sum, { metadata }) => sum + metadata.text.length, 0)
  if (size > maxWholeMetadata) return undefined
  const places = new Map(scope.contracts.map((address, place) => [address, place]))
  const plain: v.InferOutput<typeof whole> = {
    form: 3,
    ...originOf(scope, reading),
    pages: reading.pages.map((page) =>
      page.map(({ address, tokenId, balance, metadataLink, metadata }) => [
        places.get(address) ?? -1,
        tokenId,
        balance,
        metadataLink,
        metadata.text,
        metadata.fault ?? null,
      ]),
    ),
  }
  return await attributesOf(reading, plain)
}

/** The attributes of the item of a reading that names its parts: all of them, or those of a begun reading. */
export async function encodeNames(
  scope: ReadingScope,
  reading: ReadingOrigin,
  parts: readonly PartName[],
  is: 'complete' | 'begun',
): Promise<Attributes | undefined> {
  const plain: v.InferOutput<typeof inParts | typeof begun> = {
    form: 4,
    is,
    ...originOf(scope, reading),
    parts: parts.map(({ digest, sizes }) => [digest, [...sizes]]),
  }
  return await attributesOf(reading, plain)
}

function originOf(
  scope: ReadingScope,
  { readingId, readAt, block, stated }: ReadingOrigin,
): Origin {
  const { pk, prefix } = readingsOf(scope)
  return {
    of: [pk, prefix],
    readingId,
    readAt,
    block: block ? [block.number, block.at] : null,
    stated: stated ? stated.map(({ number, at, hash }) => [number, at, hash]) : null,
  }
}

async function attributesOf(
  { readingId, readAt, block }: ReadingOrigin,
  plain: object,
): Promise<Attributes | undefined> {
  const data = await packedText(JSON.stringify(plain))
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
 * gzip is over everything that decides about the use of the reading.
 */
export async function decodeReading(
  scope: ReadingScope,
  { data }: Readonly<Record<string, unknown>>,
  readPart: (readingId: ReadingId, name: PartName) => ReturnType<KeptPart['read']>,
): Promise<KeptReading | undefined> {
  const plain = await contentOf(scope, v.union([whole, inParts]), data)
  if (!plain) return undefined
  const described = describedBy(plain)
  if ('parts' in plain) {
    const parts = namesIn(plain).map((name) => ({
      sizes: name.sizes,
      read: () => readPart(described.readingId, name),
    }))
    return { ...described, parts }
  }
  const pages = plain.pages.map((page) => page.map((each) => nftOf(scope, each)))
  const part = { sizes: pages.map(({ length }) => length), read: async () => pages }
  return { ...described, parts: [part] }
}

/** The begun reading of an item; `undefined` as of {@link decodeReading}. */
export async function decodeBegun(
  scope: ReadingScope,
  { data }: Readonly<Record<string, unknown>>,
): Promise<BegunReading | undefined> {
  const plain = await contentOf(scope, begun, data)
  return plain && { ...describedBy(plain), parts: namesIn(plain) }
}

/** The content of an item; `undefined` if it is damaged, of another form, or of another scope. */
async function contentOf<Content extends { of: [string, string] }>(
  scope: ReadingScope,
  schema: v.GenericSchema<unknown, Content>,
  data: unknown,
): Promise<Content | undefined> {
  const text = await unpackedText(data)
  const plain = text === undefined ? undefined : parsed(text)
  const { success, output } = v.safeParse(schema, plain)
  const { pk, prefix } = readingsOf(scope)
  return success && output.of[0] === pk && output.of[1] === prefix ? output : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const describedBy = ({ readingId, readAt, block, stated }: Origin): ReadingOrigin => ({
  readingId,
  readAt,
  block: block ? { number: block[0], at: block[1] } : undefined,
  stated: stated?.map(([number, at, hash]) => ({ number, at, hash })),
})

const namesIn = ({ parts }: { parts: readonly [string, number[]][] }): PartName[] =>
  parts.map(([digest, sizes]) => ({ digest, sizes }))

function nftOf(
  { chain, owner, contracts }: ReadingScope,
  [place, tokenId, balance, metadataLink, text, fault]: v.InferOutput<typeof nft>,
): OwnedNft {
  return {
    chain,
    // A place that is none belongs to no contract, so the allowlist does not select the NFT.
    address: contracts[place] ?? branded<Address>(''),
    tokenId,
    owner,
    balance,
    metadataLink,
    metadata: fault === null ? { text } : { text, fault },
  }
}
