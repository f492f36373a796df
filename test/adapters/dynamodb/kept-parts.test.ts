import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { nftOf, readingAt, startKeptParts, tenPages } from '../../support/aws/kept-parts.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

const { keep, found, pagesFound, written, kindsWritten, failWrites, empty, get, put, pk } =
  await startKeptParts()
const now = Date.now()

/** Text that no compression makes smaller than three quarters. */
const dense = (length: number) => randomBytes(length).toString('base64').slice(0, length)

describe('D91: a reading that one request has read', () => {
  test('is one item if it is small', async () => {
    const pages = [[nftOf(1, '{}')], [nftOf(2, '{}'), nftOf(3, '{}')]]
    expect(await keep(readingAt(now, pages))).toMatchObject({ readingsKept: 1 })
    expect(kindsWritten()).toEqual(['LATEST'])
    expect(await pagesFound()).toEqual(pages)
  })

  test('is kept in parts if it has much metadata, and the reading is written after all parts', async () => {
    expect(await keep(readingAt(now, tenPages))).toMatchObject({ readingsKept: 1 })
    expect(kindsWritten()).toEqual([...Array.from({ length: 10 }, () => 'PART'), 'LATEST'])
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
    expect(kindsWritten()).toEqual([])
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
      failWrites((write) => write >= writes)
      await keep(reading)
      expect(await found(), `${writes} writes`).toBeUndefined()
    }
    failWrites((write) => write >= 11)
    await keep(reading)
    expect(await pagesFound()).toEqual(tenPages)
  })
})

test.each(Array.from({ length: 11 }, (_, write) => write))(
  'D91: a reading is as none if one of its writes fails: %i',
  async (failed) => {
    failWrites((write) => write === failed)
    await keep(readingAt(now, tenPages))
    expect(await found()).toBeUndefined()
  },
)

test.each([
  ['that is damaged', (data: Uint8Array) => Buffer.concat([data.subarray(1), data.subarray(0, 1)])],
  ['of another reading', () => otherPart],
  ['that is missing', () => undefined],
])('D91: a part %s is not there, and the others are', async (_, damage) => {
  await keep(readingAt(now - 1, tenPages.toReversed()))
  const [other = ''] = partKeys()
  otherPart = (await get({ pk, sk: other }))?.['data'] as Uint8Array
  await keep(readingAt(now, tenPages))
  const [, second = ''] = partKeys()
  const key = { pk, sk: second }
  const { data, ...part } = (await get(key)) ?? {}
  await put(key, { ...part, data: damage(data as Uint8Array) })
  const pages = await pagesFound()
  expect(pages.filter((page) => page === undefined)).toHaveLength(1)
  expect(pages).toHaveLength(10)
})
let otherPart: Uint8Array | undefined

/** The sort keys of the parts that were written since the last call of {@link written}. */
const partKeys = () =>
  written().flatMap(({ sk }) => (sk.S.startsWith('READING#PART#') ? [sk.S] : []))
