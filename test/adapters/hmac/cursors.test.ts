import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hmacCursors } from '../../../lib/adapters/hmac/cursors.ts'
import { CursorExpired } from '../../../lib/domain/failures.ts'
import type { CursorContext } from '../../../lib/domain/ports/cursors.ts'
import { type PageMark, pageMark } from '../../../lib/domain/reading/reading-position.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

const cursors = hmacCursors(async () => 'secret')
const context: CursorContext = {
  scope: ['getRawMetadata', 'product', 'user 42'],
  basis: ['0xa', 'binding'],
}
const soon = () => Date.now() + 540_000
const position = {
  source: 3,
  pageKey: 'page/key+of=the indexer',
  returned: ['AAAAAAAA', '-_-_-_-_'] as PageMark[],
  progress: { pages: 5, emptyPages: 1, nfts: 400, announced: 900, anchor: 'AbCdEfGh' as PageMark },
}
const mark = fc.string().map(pageMark)
const sealed = () => cursors.seal({ ...position, expiresAt: soon() }, context)

afterEach(() => {
  vi.useRealTimers()
})

describe('D25: the cursor of a player’s NFTs', () => {
  test('D25: returns the sealed position and its time of expiry', async () => {
    const anyPosition = fc.record({
      source: fc.nat(1_000),
      pageKey: fc.oneof(fc.string(), fc.constantFrom('é', '💥', '\u0000')),
      returned: fc.array(mark, { maxLength: 100 }),
      progress: fc.record({
        pages: fc.maxSafeNat(),
        emptyPages: fc.nat(8),
        nfts: fc.maxSafeNat(),
        announced: fc.maxSafeNat(),
        anchor: fc.oneof(mark, fc.constant('' as PageMark)),
      }),
      kept: fc.constantFrom('1', '01', '10011'),
      isStale: fc.constant(true),
    })
    await checkAsync(
      fc.asyncProperty(anyPosition, async (given) => {
        const expiresAt = soon()
        const cursor = await cursors.seal({ ...given, expiresAt }, context)
        expect(cursor).toMatch(/^[\w-]+$/)
        expect(await cursors.open(cursor, context)).toEqual({ ...given, expiresAt })
      }),
    )
  })

  test('D25: the first page of a source has no page key and does not expire', async () => {
    const cursor = await cursors.seal({ source: 3, returned: [], expiresAt: soon() }, context)
    expect(await cursors.open(cursor, context)).toEqual({ source: 3, returned: [] })
  })

  test('D25: functions with the same secret accept it, others do not', async () => {
    const again = hmacCursors(async () => 'secret')
    const other = hmacCursors(async () => 'Secret')
    expect(await again.open(await sealed(), context)).toMatchObject(position)
    expect(await other.open(await sealed(), context)).toBeUndefined()
  })

  test('D25: it is rejected with any changed byte', async () => {
    const bytes = Buffer.from(await sealed(), 'base64url')
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] as number) ^ 1
      expect(await cursors.open(changed.toString('base64url'), context)).toBeUndefined()
    }
  })

  test('D25: it is rejected if it is shortened, extended or invented', async () => {
    const cursor = await sealed()
    const texts = ['', 'A', 'AAAA', '!', '💥', 'A'.repeat(22), 'A'.repeat(4096), `${cursor}AAAA`]
    for (let length = 0; length < cursor.length - 1; length += 1)
      texts.push(cursor.slice(0, length))
    for (const text of texts) expect(await cursors.open(text, context)).toBeUndefined()
  })

  test.each([
    ['operation', ['getStructuredMetadata', 'product', '42']],
    ['product', ['getRawMetadata', 'other', '42']],
    ['player', ['getRawMetadata', 'product', '43']],
    ['filter', ['getRawMetadata', 'product', '42', 'BSC']],
    ['split of the same words', ['getRawMetadata', 'product42']],
  ])('D25: it is rejected with another %s', async (_, scope) => {
    expect(await cursors.open(await sealed(), { ...context, scope })).toBeUndefined()
  })

  test.each([
    ['another contract', ['0xa', 'other']],
    ['one contract more', ['0xa', 'binding', 'more']],
    ['no contract', ['0xa']],
    ['another order', ['binding', '0xa']],
  ])('D25: it has expired with %s', async (_, basis) => {
    await expect(cursors.open(await sealed(), { ...context, basis })).rejects.toThrow(CursorExpired)
  })

  test('D25: it is valid until its last millisecond', async () => {
    const expiresAt = soon()
    const cursor = await cursors.seal({ ...position, expiresAt }, context)
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAt - 1 })
    expect(await cursors.open(cursor, context)).toMatchObject(position)
    vi.setSystemTime(expiresAt)
    await expect(cursors.open(cursor, context)).rejects.toThrow(CursorExpired)
  })

  describe('D39: of another release, authenticated with the same key', () => {
    /** Authenticates any content, like a release with another form of cursors. */
    const sealedContent = (content: string): string => {
      const key = hkdfSync('sha256', 'secret', '', 'player NFTs cursor v1', 32)
      const mac = createHmac('sha256', Buffer.from(key))
      mac.update(JSON.stringify(context.scope)).update('\0').update(content)
      const tag = mac.digest().subarray(0, 16)
      return Buffer.concat([tag, Buffer.from(content)]).toString('base64url')
    }
    const contentOf = async () =>
      JSON.parse(
        Buffer.from(await sealed(), 'base64url')
          .subarray(16)
          .toString(),
      )

    test('additional members are ignored', async () => {
      const content = { ...(await contentOf()), z: 1 }
      const opened = await cursors.open(sealedContent(JSON.stringify(content)), context)
      expect(opened).toMatchObject(position)
    })

    test('any other text is rejected without a defect', async () => {
      const texts = fc.oneof(fc.string(), fc.json(), fc.constantFrom('', 'null', '[]', '{"s":0'))
      await checkAsync(
        fc.asyncProperty(texts, async (text) => {
          expect(await cursors.open(sealedContent(text), context)).toBeUndefined()
        }),
      )
    })

    test('any other value of a member is rejected without a defect', async () => {
      const content = await contentOf()
      const strange = fc.oneof(
        fc.constantFrom(undefined, null, -1, 1.5, 2 ** 53, '', 'AAAA', [], {}, [1, 2, 3, 4]),
        fc.jsonValue(),
      )
      const member = fc.constantFrom(...Object.keys(content))
      await checkAsync(
        fc.asyncProperty(member, strange, async (name, value) => {
          const cursor = sealedContent(JSON.stringify({ ...content, [name]: value }))
          const opened = await cursors.open(cursor, context).catch((error) => error)
          if (opened instanceof CursorExpired || opened === undefined) return
          // Another value of the right form.
          expect(opened.source).toBeGreaterThanOrEqual(0)
          expect(opened.returned.join('')).toBe(name === 'a' ? value : content.a)
        }),
      )
    })
  })

  test('it contains neither the secret nor the values that authenticate it', async () => {
    const text = Buffer.from(await sealed(), 'base64url').toString('latin1')
    for (const word of ['secret', ...context.scope, ...context.basis])
      expect(text).not.toContain(word)
  })
})
