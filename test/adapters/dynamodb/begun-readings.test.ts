import { describe, expect, test } from 'vitest'
import { begunKey, latestKey } from '../../../lib/adapters/dynamodb/kept-reading-item.ts'
import type {
  BegunName,
  BegunReading,
  GatheredReading,
  ReadPages,
} from '../../../lib/domain/reading/kept-reading.ts'
import { readingAt, scope, startKeptParts, tenPages } from '../../support/aws/kept-parts.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

const { readings, keep, found, pagesFound, written, kindsWritten, failWrites, empty, get, put } =
  await startKeptParts()
const now = Date.now()

test('D91: all items of a reading expire 25 hours after its beginning', async () => {
  const readAt = now - 3_600_000
  const reading = readingAt(readAt, tenPages.slice(0, 4))
  const name = (await readings.keepBegun(scope, reading)) as BegunName
  const begun = (await readings.begun(scope, name)) as BegunReading
  await keep({ ...begun, pages: tenPages.slice(4) })
  const ends = written().map(({ expiresAt }) => Number(expiresAt.N))
  expect(ends).toHaveLength(12)
  expect(new Set(ends)).toEqual(new Set([Math.floor(readAt / 1_000) + 25 * 3_600]))
})

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
    kindsWritten()
    await keep(third as GatheredReading)
    expect(kindsWritten()).toEqual(['PART', 'LATEST'])
    expect(await pagesFound()).toEqual(tenPages)
  })

  test('is as none after a crash after each of its writes', async () => {
    for (let writes = 0; writes <= 12; writes += 1) {
      await empty()
      failWrites((write) => write >= writes)
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
    const other = written().findLast(({ sk }) => isOther(sk.S))
    const data = Buffer.from(other?.data.B ?? '', 'base64')
    await put(latestKey(scope), { readingId: reading.readingId, readAt: now, data })
    expect(await found()).toBeUndefined()
  })

  test('is not used of another wallet', async () => {
    const name = (await readings.keepBegun(scope, reading)) as BegunName
    const other = { ...scope, owner: addressOf(0xb) }
    const { data } = (await get(begunKey(scope, name))) ?? {}
    await put(begunKey(other, name), { data })
    expect(await readings.begun(other, name)).toBeUndefined()
  })
})
