import { createHash } from 'node:crypto'
import type { TokenId } from '../../domain/allowlist/token-id.ts'
import { branded } from '../../domain/branded.ts'
import type { Address } from '../../domain/nft/address.ts'
import type { MetadataFault, OwnedNft } from '../../domain/nft/owned-nft.ts'
import type { PartName, ReadingScope, ReadPages } from '../../domain/reading/kept-reading.ts'
import { packedText, unpackedText } from './packed-text.ts'

/**
 * The metadata of a part, in UTF-16 units: some hundred NFTs. Smaller parts take more requests, and of larger ones a
 * request unpacks more than it needs.
 */
const partMetadata = 500_000

/** The digest that names a part is its checksum. */
const packing = { hasChecksum: false }

/** A part and its content. */
export interface EncodedPart extends PartName {
  data: Uint8Array
}

/** A contract by its place in the run, token identifier, balance, link, text of the metadata and its fault. */
type PartNft = [number, TokenId, string, string, number | string, MetadataFault | null]

/** The pages as one part, of any size; `undefined` if it does not fit into an item. */
export async function encodePart(
  scope: ReadingScope,
  pages: ReadPages,
): Promise<EncodedPart | undefined> {
  const data = await packedText(plainOf(scope, pages), packing)
  return data && { digest: digestOf(data), sizes: pages.map(({ length }) => length), data }
}

/**
 * Divides pages into parts, and pages that are larger than a part into several pages; `undefined` if an NFT alone does
 * not fit into an item.
 */
export async function encodeParts(
  scope: ReadingScope,
  pages: ReadPages,
): Promise<EncodedPart[] | undefined> {
  const groups = groupsOf(pages.flatMap(divided))
  const encoded = await Promise.all(groups.map((group) => encodeGroup(scope, group)))
  return encoded.every((parts) => parts !== undefined) ? encoded.flat() : undefined
}

/** The digest of the content of a part: its name among the parts of its reading. */
export const digestOf = (data: Uint8Array): string =>
  createHash('sha256').update(data).digest('base64url').slice(0, 16)

/**
 * The pages in the content of a part; `undefined` if it is none, or not the one that the digest is of. What names a part is
 * protected against damage itself, so the digest says that the content is what was written.
 */
export async function decodePart(
  { chain, owner, contracts }: ReadingScope,
  { digest }: PartName,
  data: unknown,
): Promise<ReadPages | undefined> {
  if (!(data instanceof Uint8Array) || digestOf(data) !== digest) return undefined
  const plain = await unpackedText(data, packing)
  if (plain === undefined) return undefined
  const end = plain.indexOf('\n')
  const pages: PartNft[][] = JSON.parse(plain.slice(0, end))
  let place = end + 1
  const textOf = (text: number | string): string => {
    if (typeof text === 'string') return text
    place += text
    return plain.slice(place - text, place)
  }
  return pages.map((page) =>
    page.map(([contract, tokenId, balance, metadataLink, stored, fault]) => {
      const text = textOf(stored)
      const metadata = fault === null ? { text } : { text, fault }
      // A place that is none belongs to no contract, so the allowlist does not select the NFT.
      const address = contracts[contract] ?? branded<Address>('')
      return { chain, address, tokenId, owner, balance, metadataLink, metadata }
    }),
  )
}

const sizeOf = (nfts: readonly OwnedNft[]): number =>
  nfts.reduce((size, { metadata }) => size + metadata.text.length, 0)

/** A page in pieces that are not larger than a part, unless it is one NFT. */
function divided(page: readonly OwnedNft[]): ReadPages {
  if (page.length <= 1 || sizeOf(page) <= partMetadata) return [page]
  return halvesOf(page).flatMap(divided)
}

function halvesOf<Item>(items: readonly Item[]): [Item[], Item[]] {
  const middle = items.length >> 1
  return [items.slice(0, middle), items.slice(middle)]
}

/** Pages that follow each other, together as far as they fit into a part. */
function groupsOf(pages: ReadPages): ReadPages[] {
  const groups: (readonly OwnedNft[])[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const page of pages) {
    size += sizeOf(page)
    if (size > partMetadata) {
      groups.push([])
      size = sizeOf(page)
    }
    groups.at(-1)?.push(page)
  }
  return groups
}

/** The parts of a group: one, or more if its metadata is hard to compress. */
async function encodeGroup(
  scope: ReadingScope,
  group: ReadPages,
): Promise<EncodedPart[] | undefined> {
  const part = await encodePart(scope, group)
  if (part) return [part]
  const [only = [], ...others] = group
  if (others.length === 0 && only.length <= 1) return undefined
  const halves = others.length > 0 ? halvesOf(group) : halvesOf(only).map((half) => [half])
  const encoded = await Promise.all(halves.map((half) => encodeGroup(scope, half)))
  return encoded.every((parts) => parts !== undefined) ? encoded.flat() : undefined
}

/** A line of JSON, and the texts of the metadata, whose lengths it has: so they are not parsed to be unpacked. */
function plainOf({ contracts }: ReadingScope, group: ReadPages): string {
  const places = new Map(contracts.map((address, place) => [address, place]))
  const texts: string[] = []
  const stored = (text: string): number | string => {
    // UTF-8 has no half of a surrogate pair, but JSON has.
    if (!text.isWellFormed()) return text
    texts.push(text)
    return text.length
  }
  const pages = group.map((page) =>
    page.map(
      ({ address, tokenId, balance, metadataLink, metadata: { text, fault } }): PartNft => [
        ...([places.get(address) ?? -1, tokenId, balance, metadataLink] as const),
        stored(text),
        fault ?? null,
      ],
    ),
  )
  return `${JSON.stringify(pages)}\n${texts.join('')}`
}
