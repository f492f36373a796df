import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import * as v from 'valibot'
import type { TokenId } from '../../domain/allowlist/token-id.ts'
import { branded } from '../../domain/branded.ts'
import type { Address } from '../../domain/nft/address.ts'
import type { OwnedNft } from '../../domain/nft/owned-nft.ts'
import type {
  KeptReading,
  ReadingAge,
  ReadingId,
  ReadingScope,
} from '../../domain/reading/kept-reading.ts'
import { written } from '../written.ts'
import { type Key, keptReadingsOf, latestReadingKey } from './table.ts'

/** The largest reading that fits into an item, compressed: DynamoDB's limit is 409,600 bytes with the key. */
const maxBytes = 400_000

/** The largest reading before compression, in bytes. */
const maxPlainBytes = 32 * 1_048_576

/** The largest content, in bytes, that a thread of its own would not compress or unpack sooner: compressed, plain. */
const atOnce = { compressed: 16_384, plain: 65_536 }

/** The attributes of the item of a reading for what need not unpack the reading. */
const label = v.object({
  readingId: written<ReadingId>(),
  readAt: v.number(),
  block: v.optional(v.object({ number: v.number(), at: v.number() })),
})

/** The form of the content. Another release can have another form, whose readings count as not kept. */
const form = 3

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

const content = v.object({
  form: v.literal(form),
  /** The partition of the scope, and the beginning of the sort keys of its readings. */
  of: v.tuple([v.string(), v.string()]),
  readingId: written<ReadingId>(),
  readAt: v.number(),
  block: v.nullable(v.tuple([v.number(), v.number()])),
  /** The blocks that the pages state: number, time and hash. */
  stated: v.nullable(v.array(v.tuple([v.number(), v.number(), v.string()]))),
  pages: v.array(v.array(nft)),
})

type Content = v.InferOutput<typeof content>

const gzipInThread = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gzip)
const gunzipInThread = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip)

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

/** What the item of a reading says of it without being unpacked. */
export interface ReadingLabel extends ReadingAge {
  readingId: ReadingId
}

/** The attributes of the item of a reading; `undefined` if it does not fit into an item. */
export async function encodeReading(
  scope: ReadingScope,
  { readingId, readAt, block, stated, pages }: KeptReading,
): Promise<(ReadingLabel & { data: Buffer }) | undefined> {
  const { pk, prefix } = readingsOf(scope)
  const places = new Map(scope.contracts.map((address, place) => [address, place]))
  const plain: Content = {
    form,
    of: [pk, prefix],
    readingId,
    readAt,
    block: block ? [block.number, block.at] : null,
    stated: stated ? stated.map(({ number, at, hash }) => [number, at, hash]) : null,
    pages: pages.map((page) =>
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
  const bytes = Buffer.from(JSON.stringify(plain))
  if (bytes.length > maxPlainBytes) return undefined
  const options = { level: zlib.constants.Z_BEST_SPEED }
  const isSmall = bytes.length <= atOnce.plain
  const data = isSmall ? zlib.gzipSync(bytes, options) : await gzipInThread(bytes, options)
  return data.length > maxBytes ? undefined : { readingId, readAt, ...(block && { block }), data }
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
): Promise<KeptReading | undefined> {
  if (!(data instanceof Uint8Array)) return undefined
  const { pk, prefix } = readingsOf(scope)
  const plain = await parsed(data)
  if (plain?.of[0] !== pk || plain.of[1] !== prefix) return undefined
  const { readingId, readAt, block, stated, pages } = plain
  return {
    readingId,
    readAt,
    block: block ? { number: block[0], at: block[1] } : undefined,
    stated: stated?.map(([number, at, hash]) => ({ number, at, hash })),
    pages: pages.map((page) => page.map((each) => nftOf(scope, each))),
  }
}

async function parsed(data: Uint8Array): Promise<Content | undefined> {
  try {
    const options = { maxOutputLength: maxPlainBytes }
    const isSmall = data.length <= atOnce.compressed
    const bytes = isSmall
      ? zlib.gunzipSync(data, options)
      : await gunzipInThread(Buffer.from(data), options)
    const { success, output } = v.safeParse(content, JSON.parse(bytes.toString()))
    return success ? output : undefined
  } catch {
    return undefined
  }
}

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
