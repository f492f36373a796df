import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import * as v from 'valibot'
import { branded } from '../../domain/branded.ts'
import { CursorExpired } from '../../domain/failures.ts'
import type { CursorContext, Cursors } from '../../domain/ports/cursors.ts'
import {
  type PageMark,
  pageMarkLength,
  type ReadingPosition,
  type ReadingProgress,
} from '../../domain/reading/reading-position.ts'
import { brandedText } from '../branded-text.ts'

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const markForm = new RegExp(`^([\\w-]{${pageMarkLength}})*$`)
const marks = v.pipe(v.string(), v.regex(markForm))

const oneMark = new RegExp(`.{${pageMarkLength}}`, 'g')

/** The content of a cursor. The names are short because cursors travel in URLs. */
const sealed = v.object({
  /** The source, the page key in it, and the joined marks of the entries that were returned from that page. */
  s: count,
  k: v.exactOptional(v.string()),
  a: marks,
  /** The progress of the reading: pages, empty pages, NFTs, announced NFTs, and the anchor. */
  p: v.exactOptional(
    v.strictTuple([count, count, count, count, v.pipe(brandedText<PageMark>(), v.regex(markForm))]),
  ),
  /** For each contract, 1 if it is kept. */
  c: v.exactOptional(v.pipe(v.string(), v.regex(/^[01]+$/))),
  /** 1 if what is kept is used because the indexer was down. */
  o: v.exactOptional(v.literal(1)),
  /** The end of validity, in milliseconds since 1970. */
  e: v.number(),
  b: v.string(),
})

const tagBytes = 16

/**
 * Cursors that are authenticated with HMAC-SHA-256 (RFC 2104). The key is derived with HKDF (RFC 5869)
 * from a secret that all containers share (D25).
 */
export function hmacCursors(secret: () => Promise<string>): Cursors {
  const tagOf = async (payload: Buffer, context: CursorContext): Promise<Buffer> => {
    const key = hkdfSync('sha256', await secret(), '', 'player NFTs cursor v1', 32)
    const mac = createHmac('sha256', Buffer.from(key))
    mac.update(JSON.stringify(context.scope)).update('\0').update(payload)
    return mac.digest().subarray(0, tagBytes)
  }

  return {
    async seal({ source, pageKey, returned, progress, kept, isStale, expiresAt }, context) {
      const content: v.InferInput<typeof sealed> = {
        s: source,
        ...(pageKey !== undefined && { k: pageKey }),
        a: returned.join(''),
        ...(progress && { p: tupleOf(progress) }),
        ...(kept !== undefined && { c: kept }),
        ...(isStale && { o: 1 }),
        e: expiresAt,
        b: basisDigest(context),
      }
      const payload = Buffer.from(JSON.stringify(content))
      return Buffer.concat([await tagOf(payload, context), payload]).toString('base64url')
    },

    async open(cursor, context) {
      const bytes = Buffer.from(cursor, 'base64url')
      const [tag, payload] = [bytes.subarray(0, tagBytes), bytes.subarray(tagBytes)]
      if (tag.length < tagBytes || !timingSafeEqual(tag, await tagOf(payload, context)))
        return undefined
      const content = contentOf(payload)
      if (!content) return undefined
      if (content.e <= Date.now() || content.b !== basisDigest(context)) throw new CursorExpired()
      return positionIn(content)
    },
  }
}

type Content = v.InferOutput<typeof sealed>

const positionIn = ({ s, k, a, p, c, o, e }: Content): ReadingPosition => ({
  source: s,
  pageKey: k,
  returned: (a.match(oneMark) ?? []).map((mark) => branded<PageMark>(mark)),
  ...(p && { progress: progressOf(p) }),
  ...(c !== undefined && { kept: c }),
  ...(o && { isStale: true }),
  expiresAt: k === undefined ? undefined : e,
})

/** The content of a cursor; `undefined` for the form of another release, whose key can be the same. */
function contentOf(payload: Buffer): Content | undefined {
  try {
    const { output, success } = v.safeParse(sealed, JSON.parse(payload.toString()))
    return success ? output : undefined
  } catch {
    return undefined
  }
}

const tupleOf = ({ pages, emptyPages, nfts, announced, anchor }: ReadingProgress) =>
  [pages, emptyPages, nfts, announced, anchor] satisfies Content['p']

const progressOf = ([pages, emptyPages, nfts, announced, anchor]: NonNullable<
  Content['p']
>): ReadingProgress => ({ pages, emptyPages, nfts, announced, anchor })

const basisDigest = ({ basis }: CursorContext): string =>
  createHash('sha256').update(JSON.stringify(basis)).digest('base64url').slice(0, 22)
