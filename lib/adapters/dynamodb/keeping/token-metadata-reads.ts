import type { Nft } from '../../../domain/nft/nft.ts'
import type { KeptMetadata } from '../../../domain/ports/token-metadata.ts'
import { batchesOf } from '../../../domain/some-at-once.ts'
import { inParallel, readBatch, readsPerBatch } from '../batches.ts'
import { keyText } from '../keys/key.ts'
import { metadataKey } from '../keys/metadata-partitions.ts'
import type { Table } from '../table.ts'
import { storedMetadata, unpackedMetadata } from './token-metadata-item.ts'

/** The most requests that one read of metadata has in progress: each returns up to 16 MB, whatever was found before. */
const batchesAtOnce = 4

/** The time for which a container keeps what it has shown, in milliseconds, and the most that it keeps. */
const shownMilliseconds = 1_000
const maxShown = { entries: 2_000, bytes: 8 * 1_048_576 }

/** Metadata that a read has found, with the bytes of its text. */
interface Found {
  size: number
  metadata(): Promise<KeptMetadata | undefined>
}

/**
 * Reads the metadata of NFTs in their order, until the texts reach the bytes: one batch first, and then more at once the more are needed,
 * without a pause if all of them are expected to have room.
 * The reads are not consistent: metadata of a moment ago can be shown, too, and what is missed is asked for.
 */
export async function readMetadata(
  table: Table,
  nfts: readonly Nft[],
  maxBytes: number,
  shown: ShownMetadata,
): Promise<(KeptMetadata | undefined)[]> {
  const now = Date.now()
  const keys = nfts.map(metadataKey)
  const reading = readingOf(keys.map(keyText), maxBytes, (name) => shown.get(name, now))
  const found = (name: string, item: unknown) => reading.add(name, foundIn(item, name, now, shown))
  const more = (count: number) =>
    reading.needsAll() ? keys.length : Math.min(2 * count, batchesAtOnce)
  for (let count = 1; !reading.isEnough(); count = more(count)) {
    const missing = new Map(keys.map((key) => [keyText(key), key]))
    for (const name of missing.keys()) if (!reading.isMissing(name)) missing.delete(name)
    const batches = batchesOf([...missing.values()], readsPerBatch).slice(0, count)
    await inParallel(batches, batchesAtOnce, async (batch) => {
      if (reading.isEnough()) return
      await readBatch(table, batch, { found, isAskedAgain: () => !reading.isEnough() })
    })
  }
  return await Promise.all(reading.found().map((each) => each?.metadata()))
}

/** How far the names of keys are read, in their order. `known`: what is found without a read. */
function readingOf(
  names: readonly string[],
  maxBytes: number,
  known: (name: string) => Found | undefined,
) {
  const found = new Map<string, Found | undefined>()
  for (const name of names) {
    const each = known(name)
    if (each) found.set(name, each)
  }
  let [end, bytes] = [0, 0]
  return {
    add: (name: string, each: Found | undefined) => void found.set(name, each),
    isMissing: (name: string) => !found.has(name),
    /** Whether all names are read up to the one with which the texts reach the bytes: the first one at least. */
    isEnough(): boolean {
      while (end === 0 || bytes < maxBytes) {
        const name = names[end]
        if (name === undefined) return true
        if (!found.has(name)) return false
        bytes += found.get(name)?.size ?? 0
        end += 1
      }
      return true
    },
    /** Whether texts as large as those that were found let all of the names be read. */
    needsAll(): boolean {
      const sizes = [...found.values()].map((each) => each?.size ?? 0)
      return sizes.reduce((sum, size) => sum + size, 0) * names.length < maxBytes * sizes.length
    },
    found: () => names.slice(0, end).map((name) => found.get(name)),
  }
}

/** Metadata in an item, which is unpacked once, if at all, and then counts as shown since the read began. */
function foundIn(
  item: unknown,
  name: string,
  now: number,
  shown: ShownMetadata,
): Found | undefined {
  const stored = storedMetadata(item)
  if (!stored) return undefined
  const { size } = stored
  let unpacked: Promise<KeptMetadata | undefined> | undefined
  const unpack = async () => {
    const metadata = await unpackedMetadata(stored)
    if (metadata) shown.set(name, { size, metadata }, now)
    return metadata
  }
  return {
    size,
    metadata() {
      unpacked ??= unpack()
      return unpacked
    },
  }
}

type ShownMetadata = ReturnType<typeof shownMetadata>

/** What a container has shown a moment ago, by the names of its keys: nothing yet. */
export function shownMetadata() {
  /** In the order in which they end. */
  const entries = new Map<string, Found & { bytes: number; until: number }>()
  let sum = 0
  const drop = (name: string) => {
    sum -= entries.get(name)?.bytes ?? 0
    entries.delete(name)
  }
  return {
    get(name: string, now: number): Found | undefined {
      const entry = entries.get(name)
      return entry && entry.until > now ? entry : undefined
    },
    set(
      name: string,
      { size, metadata }: { size: number; metadata: KeptMetadata },
      now: number,
    ): void {
      drop(name)
      // A link can be a document of its own.
      const bytes = size + metadata.metadataLink.length
      const until = now + shownMilliseconds
      sum += bytes
      entries.set(name, { size, metadata: async () => metadata, bytes, until })
      for (const [oldest, entry] of entries) {
        const isTooMuch = sum > maxShown.bytes || entries.size > maxShown.entries
        if (!isTooMuch && entry.until > now) break
        drop(oldest)
      }
    },
    delete: drop,
  }
}
