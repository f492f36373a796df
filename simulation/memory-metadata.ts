import { sortableTokenId } from '../lib/domain/allowlist/token-id.ts'
import type { Nft } from '../lib/domain/nft/nft.ts'
import type { DescribedNft, Metadata } from '../lib/domain/nft/owned-nft.ts'
import type { Indexer } from '../lib/domain/ports/indexer.ts'
import type { DueNote, KeptNft, TokenMetadata } from '../lib/domain/ports/token-metadata.ts'
import { compareTexts } from '../lib/domain/text.ts'
import type { Turn } from './followed-table.ts'

/** The items of the table that keep metadata, by NFT. */
export const emptyMetadataTable = () => ({
  items: new Map<string, KeptNft>(),
  notes: new Map<string, DueNote>(),
})

/** The NFT as a text, in the order of the keys of notes. */
export const metadataAt = ({ chain, address, tokenId }: Nft): string =>
  `${chain} ${address} ${sortableTokenId(tokenId)}`

const changeOf = ({ changedAt = 0 }: DueNote): number => changedAt

/** Metadata in memory. A process can be killed at each `turn`. What is beside a request ends with it. */
export function memoryTokenMetadata(
  { items, notes }: ReturnType<typeof emptyMetadataTable>,
  turn: Turn = async () => undefined,
): TokenMetadata {
  async function put(nfts: readonly KeptNft[]): Promise<void> {
    for (const nft of nfts) {
      await turn('put')
      const before = items.get(metadataAt(nft))
      if (!before || before.readAt <= nft.readAt) items.set(metadataAt(nft), { ...nft })
    }
  }

  async function writeNotes(due: readonly DueNote[]): Promise<void> {
    for (const note of due) {
      await turn('note')
      const at = metadataAt(note)
      const before = notes.get(at)
      const stays = before && before.notedAt >= note.readAt && changeOf(before) >= changeOf(note)
      if (!stays) notes.set(at, { ...note, askFrom: before?.askFrom ?? note.askFrom })
    }
  }

  /** Whether a note is as it was read. */
  function isUnchanged(note: DueNote): boolean {
    const { askFrom, notedAt } = notes.get(metadataAt(note)) ?? {}
    return askFrom === note.askFrom && notedAt === note.notedAt
  }

  return {
    async get(nfts, maxBytes) {
      await turn('get')
      let bytes = 0
      const upTo = nfts.findIndex((nft) => {
        bytes += Buffer.byteLength(items.get(metadataAt(nft))?.metadata.text ?? '')
        return bytes >= maxBytes
      })
      const read = upTo === -1 ? nfts : nfts.slice(0, upTo + 1)
      return read.map((nft) => items.get(metadataAt(nft)))
    },
    put,
    keep: (nfts) => void put(nfts).catch(() => undefined),
    noteDue: (due) => void writeNotes(due).catch(() => undefined),
    async *due(chain, at) {
      await turn('due')
      const found = [...notes].sort(([a], [b]) => compareTexts(a, b))
      for (const [, note] of found) {
        if (note.chain === chain && note.askFrom <= at) yield { ...note }
      }
    },
    async readTimes(nfts) {
      await turn('readTimes')
      return nfts.map((nft) => items.get(metadataAt(nft))?.readAt)
    },
    async postponeDue(due, askFrom) {
      const taken: DueNote[] = []
      for (const note of due) {
        await turn('postponeDue')
        if (!isUnchanged(note)) continue
        notes.set(metadataAt(note), { ...note, askFrom })
        taken.push({ ...note, askFrom })
      }
      return taken
    },
    async settleDue(due) {
      for (const note of due) {
        await turn('settleDue')
        if (isUnchanged(note)) notes.delete(metadataAt(note))
      }
    },
  }
}

type MetadataCall = Parameters<Indexer['metadata']>[0]

/** An indexer that describes NFTs, and counts its calls. `describe` can throw, in place of a call's answer. */
export function metadataIndexer(describe: (nft: Nft) => Metadata) {
  const indexer = {
    calls: [] as MetadataCall[],
    /** The most calls that were in progress at one moment. */
    mostAtOnce: 0,
    async metadata(query: MetadataCall): Promise<DescribedNft[]> {
      indexer.calls.push(query)
      atOnce += 1
      indexer.mostAtOnce = Math.max(indexer.mostAtOnce, atOnce)
      await new Promise((resolve) => setImmediate(resolve))
      atOnce -= 1
      return query.tokenIds.map((tokenId) => {
        const nft = { ...query.contract, tokenId }
        return { ...nft, metadataLink: linkOf(nft), metadata: describe(nft) }
      })
    },
  }
  let atOnce = 0
  return indexer
}

/** The link that the indexer gives of an NFT. */
export const linkOf = ({ tokenId }: Nft): string => `ipfs://${tokenId}`
