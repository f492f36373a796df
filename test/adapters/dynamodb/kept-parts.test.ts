import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { begunKey, latestKey } from '../../../lib/adapters/dynamodb/kept-reading-item.ts'
import { dynamoKeptReadings } from '../../../lib/adapters/dynamodb/kept-readings.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { OwnedNft } from '../../../lib/domain/nft/owned-nft.ts'
import {
  type BegunName,
  type GatheredReading,
  newReadingId,
  type ReadPages,
} from '../../../lib/domain/reading/kept-reading.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { storedItems } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { addressOf, nft, owned, productId } from '../../support/memory/owned-nfts.ts'

const aws = await startTestAws()
const table = openTable()
const { get, put, empty } = storedItems(table)
const readings = dynamoKeptReadings(table, { rememberSeconds: 3_600, followedChains: [] })
const owner = addressOf(0xa)
const scope = { productId, chain: 'POLYGON', owner, contracts: [addressOf(1)] } as const
const now = Date.now()

/** Text that no compression makes smaller than three quarters. */
const dense = (length: number) => randomBytes(length).toString('base64').slice(0, length)

/** An NFT with metadata of a length, which compresses well unless a text is given. */
const nftOf = (tokenId: number, text = `{"a":"${'-'.repeat(200_000)}"}`): OwnedNft => ({
  ...owned(nft(tokenId), owner),
  metadata: { text },
})

/** A reading that began at a moment, at its end. */
const readingAt = (readAt: number, pages: ReadPages): GatheredReading => ({
  ...{ readingId: newReadingId(readAt), readAt, block: { number: 7, at: readAt }, stated: [] },
  ...{ parts: [], pages },
})

/** Keeps a reading, and returns what is counted. */
const keep = (reading: GatheredReading) =>
  downstreamCalls.during(async () => {
    readings.keep(scope, Promise.resolve(reading))
    await downstreamCalls.besideDone()
    return downstreamCalls.counts()
  })

const found = async () => {
  const { reading } = await readings.find(scope, await readings.positions())
  return await reading?.unpack()
}

/** The pages of the reading that is found, each part after the other; `undefined` for a part that is not there. */
const pagesFound = async (): Promise<(readonly OwnedNft[] | undefined)[]> => {
  const read = (await found())?.parts.map((part) => part.read()) ?? []
  const parts = await Promise.all(read)
  return parts.flatMap<readonly OwnedNft[] | undefined>((pages) => pages ?? [undefined])
}

/** The sort keys that were written since the last call of this function. */
let seen = 0
function written(): string[] {
  const requests = aws.proxy.requests.slice(seen)
  seen = aws.proxy.requests.length
  return requests
    .filter(({ action }) => action === 'PutItem')
    .map(({ body }) => body.Item.sk.S.split('#')[1])
}

const tenPages = Array.from({ length: 10 }, (_, page) => [nftOf(2 * page), nftOf(2 * page + 1)])

beforeEach(async () => {
  await empty()
  written()
})
afterEach(() => aws.interfere({}))

describe('D91: a reading that one request has read', () => {
  test('is one item if it is small', async () => {
    const pages = [[nftOf(1, '{}')], [nftOf(2, '{}'), nftOf(3, '{}')]]
    expect(await keep(readingAt(now, pages))).toMatchObject({ readingsKept: 1 })
    expect(written()).toEqual(['LATEST'])
    expect(await pagesFound()).toEqual(pages)
  })

  test('is kept in parts if it has much metadata, and the reading is written after all parts', async () => {
    expect(await keep(readingAt(now, tenPages))).toMatchObject({ readingsKept: 1 })
    expect(written()).toEqual([...Array.from({ length: 10 }, () => 'PART'), 'LATEST'])
    expect(await pagesFound()).toEqual(tenPages)
  })

  test('is kept in parts if it is hard to compress, with a page divided that does not fit into an item', async () => {
    const nfts = Array.from({ length: 9 }, (_, id) => nftOf(id, `{"a":"${dense(100_000)}"}`))
    await keep(readingAt(now, [nfts]))
    expect(written().length).toBeGreaterThan(2)
    const pages = await pagesFound()
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flat()).toEqual(nfts)
  })

  test('is not kept if an NFT alone does not fit into an item, and is counted', async () => {
    const nfts = [nftOf(1), nftOf(2, `{"a":"${dense(700_000)}"}`), nftOf(3)]
    const counts = await keep(readingAt(now, [nfts]))
    expect(counts).toMatchObject({ readingsTooLarge: 1 })
    expect(counts).not.toHaveProperty('readingsKept')
    expect(written()).toEqual([])
  })

  test('is the same to the byte', async () => {
    const texts = [
      '{"\ud800":1}',
      '{"é":"\u{1f5e1}\n"}',
      '{}',
      `{"a":"${'\ufeff€'.repeat(400_000)}"}`,
    ]
    const nfts = texts.map((text, id) => ({ ...nftOf(id, text), metadataLink: `a\ud800\n${id}` }))
    const faulty = { ...nftOf(9), metadata: { text: '{}', fault: 'too_large' as const } }
    const elsewhere = { ...nftOf(10), address: addressOf(2) }
    await keep(readingAt(now, [nfts, tenPages.flat(), [faulty, elsewhere], []]))
    const pages = (await pagesFound()).flatMap((page) => page ?? [])
    expect(pages.slice(0, texts.length)).toEqual(nfts)
    // Nothing of a contract that the reading is not about is shown.
    expect(pages.slice(-2)).toEqual([faulty, { ...elsewhere, address: '' }])
  })

  test('never replaces one that began later', async () => {
    const [earlier, later] = [readingAt(now - 2, tenPages), readingAt(now - 1, tenPages.slice(1))]
    expect(await keep(later)).toMatchObject({ readingsKept: 1 })
    expect(await keep(earlier)).not.toHaveProperty('readingsKept')
    expect((await found())?.readingId).toBe(later.readingId)
    expect(await pagesFound()).toEqual(later.pages)
  })

  test('is as none after a crash after each of its writes', async () => {
    const reading = readingAt(now, tenPages)
    for (let writes = 0; writes <= 10; writes += 1) {
      await empty()
      failAfter(writes)
      await keep(reading)
      expect(await found(), `${writes} writes`).toBeUndefined()
    }
    failAfter(11)
    await keep(reading)
    expect(await pagesFound()).toEqual(tenPages)
  })
})

test.each(Array.from({ length: 11 }, (_, write) => write))(
  'D91: a reading is as none if one of its writes fails: %i',
  async (failed) => {
    let write = -1
    aws.interfere({
      onRequest({ action }) {
        if (action !== 'PutItem') return undefined
        write += 1
        return write === failed ? { status: 500 } : undefined
      },
    })
    await keep(readingAt(now, tenPages))
    expect(await found()).toBeUndefined()
  },
)

describe('D91: a reading that several requests read', () => {
  const reading = readingAt(now, tenPages.slice(0, 4))

  /** Keeps what a request has read, and goes on with other pages. */
  async function goOn(
    from: GatheredReading,
    pages: ReadPages,
  ): Promise<GatheredReading | undefined> {
    const name = await readings.keepBegun(scope, from)
    const begun = name && (await readings.begun(scope, name))
    return begun && { ...begun, pages }
  }

  test('is found when it is at its end', async () => {
    const second = await goOn(reading, tenPages.slice(4, 9))
    const third = second && (await goOn(second, tenPages.slice(9)))
    expect(third).toMatchObject({ readAt: now, block: { number: 7, at: now }, stated: [] })
    expect(await found()).toBeUndefined()
    written()
    await keep(third as GatheredReading)
    expect(written()).toEqual(['PART', 'LATEST'])
    expect(await pagesFound()).toEqual(tenPages)
  })

  test('is as none after a crash after each of its writes', async () => {
    for (let writes = 0; writes <= 12; writes += 1) {
      await empty()
      failAfter(writes)
      const second = await goOn(reading, tenPages.slice(4))
      expect(second !== undefined, `${writes} writes`).toBe(writes >= 5)
      if (second) await keep(second)
      expect((await found()) !== undefined, `${writes} writes`).toBe(writes >= 12)
    }
  })

  test('goes on in both, if a request is repeated', async () => {
    const [one, other] = [await goOn(reading, tenPages), await goOn(reading, [])]
    await keep({ ...(one as GatheredReading), pages: tenPages.slice(4, 6) })
    expect(await pagesFound()).toEqual(tenPages.slice(0, 6))
    const name = await readings.keepBegun(scope, { ...(other as GatheredReading), pages: [[]] })
    expect((await readings.begun(scope, name as BegunName))?.parts).toHaveLength(5)
    expect(await pagesFound()).toEqual(tenPages.slice(0, 6))
  })

  test.each([
    ['damaged', { data: Buffer.from('other') }],
    ['a reading at its end', { data: undefined }],
  ])('is as none if what is kept of it is %s', async (_, damage) => {
    const name = (await readings.keepBegun(scope, reading)) as BegunName
    const key = begunKey(scope, name)
    await keep(reading)
    const { data } = (await get(latestKey(scope))) ?? {}
    await put(key, { ...(await get(key)), data: damage.data ?? data })
    expect(await readings.begun(scope, name)).toBeUndefined()
  })

  test.each([
    ['a begun reading', (sk: string) => sk.includes('#BEGUN#')],
    ['a part', (sk: string) => sk.includes('#PART#')],
  ])('is not what is kept of %s', async (_, isOther) => {
    await readings.keepBegun(scope, reading)
    const other = aws.proxy.requests.findLast(
      ({ action, body }) => action === 'PutItem' && isOther(body.Item.sk.S),
    )
    const data = Buffer.from(other?.body.Item.data.B ?? '', 'base64')
    await put(latestKey(scope), { readingId: reading.readingId, readAt: now, data })
    expect(await found()).toBeUndefined()
  })

  test('is not used of another wallet', async () => {
    const name = (await readings.keepBegun(scope, reading)) as BegunName
    const other = { ...scope, owner: addressOf(0xb) }
    await put(begunKey(other, name), (await get(begunKey(scope, name))) ?? {})
    expect(await readings.begun(other, name)).toBeUndefined()
  })
})

/** Lets a number of writes pass. From then on, every write fails. */
function failAfter(writes: number): void {
  let left = writes
  aws.interfere({
    onRequest({ action }) {
      if (action !== 'PutItem') return undefined
      left -= 1
      return left < 0 ? { status: 500 } : undefined
    },
  })
}
