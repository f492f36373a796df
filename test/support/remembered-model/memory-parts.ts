import type { KeptReadings } from '../../../lib/domain/ports/kept-readings.ts'
import type {
  GatheredReading,
  KeptReading,
  PartName,
  ReadingId,
  ReadPages,
} from '../../../lib/domain/reading/kept-reading.ts'
import type { FollowedTable, KeptNames, Turn } from './followed-table.ts'

let digests = 0

/** In memory, a name need not follow from the content. */
function newDigest(): string {
  digests += 1
  return `${digests}`
}

/** The most NFTs of a reading that is one item. */
const mostOfWhole = 4

/** The parts of kept readings, in memory: each page that is kept apart is a part. */
export function memoryParts(
  table: FollowedTable,
  now: () => number,
  turn: Turn,
  keptMilliseconds: number,
) {
  const expiry = ({ readAt }: GatheredReading) => readAt + keptMilliseconds
  const partAt = (id: ReadingId, digest: string) => `${id} ${digest}`

  async function keep(reading: GatheredReading): Promise<PartName[]> {
    const names: PartName[] = []
    for (const page of reading.pages) {
      await turn('keepPart')
      const digest = newDigest()
      table.parts.set(partAt(reading.readingId, digest), { page, expiresAt: expiry(reading) })
      names.push({ digest, sizes: [page.length] })
    }
    return names
  }

  async function read(id: ReadingId, { digest }: PartName): Promise<ReadPages | undefined> {
    await turn('part')
    const part = table.parts.get(partAt(id, digest))
    return part && part.expiresAt > now() ? [part.page] : undefined
  }

  return {
    /** Keeps the pages of a reading that is at its end, apart if they are many. */
    async complete(reading: GatheredReading): Promise<KeptNames> {
      const { pages, parts, ...origin } = reading
      const isWhole = parts.length === 0 && pages.flat().length <= mostOfWhole
      return isWhole
        ? { ...origin, pages, parts }
        : { ...origin, parts: [...parts, ...(await keep(reading))] }
    },
    /** A reading as it is found. */
    found({ pages, parts, ...origin }: KeptNames): KeptReading {
      if (pages) {
        const sizes = pages.map(({ length }) => length)
        return { ...origin, parts: [{ sizes, read: async () => pages }] }
      }
      return {
        ...origin,
        parts: parts.map((name) => ({
          sizes: name.sizes,
          read: () => read(origin.readingId, name),
        })),
      }
    },
    keepBegun: (async (_, reading) => {
      const { pages: _pages, parts, ...origin } = reading
      const kept = { ...origin, parts: [...parts, ...(await keep(reading))] }
      await turn('keepBegun')
      const digest = newDigest()
      table.begun.set(partAt(reading.readingId, digest), {
        reading: kept,
        expiresAt: expiry(reading),
      })
      await turn('keptBegun')
      return { id: reading.readingId, digest }
    }) satisfies KeptReadings['keepBegun'],
    begun: (async (_, { id, digest }) => {
      await turn('begun')
      const kept = table.begun.get(partAt(id, digest))
      return kept && kept.expiresAt > now() ? kept.reading : undefined
    }) satisfies KeptReadings['begun'],
  }
}
