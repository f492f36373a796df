import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type OperationId, routes } from '../../../functions/operations.ts'
import type { Route } from '../../../lib/contract/route.ts'
import { chainNames } from '../../../lib/domain/nft/chain.ts'
import { acceptedRequest, callName } from '../accepted-requests.ts'
import { newAddress, type Service } from '../services/service.ts'
import { anyText } from '../vitest/seeded.ts'
import { allowlist } from './allowlists.ts'
import type { Sent } from './client.ts'

/** The longest path parameters and cursors, in characters. */
const maxLength = 8_192

const all = Object.entries(routes) as [OperationId, Route][]

/** The schema of the cursor that an operation takes, without its being optional. */
export function cursorSchemaOf(id: OperationId): unknown {
  const { query }: Route = routes[id]
  const schema = query?.entries['cursor']
  return schema && 'wrapped' in schema ? schema.wrapped : schema
}

/** The operations that take a cursor. */
export const withCursor = all.map(([id]) => id).filter(cursorSchemaOf)

/** The operations with parameters in their path. */
export const withPathParameters = all.flatMap(([id, { pathParameters }]) =>
  pathParameters ? [id] : [],
)

/** A request that an operation accepts, for its first page of one entry, and the cursor of that page. */
export async function firstPage(
  service: Service,
  id: OperationId,
): Promise<{ sent: Sent; cursor: string }> {
  const { query, ...accepted } = await acceptedRequest(service, id)
  const { apiKey = '' } = accepted
  await allowlist(service.call, apiKey, { contractAddress: newAddress(), tokens: ['1', '2..5'] })
  const sent = { ...accepted, query: { ...query, limit: '1' } }
  const { text, json } = await service.call(callName(id), sent)
  // What has no end has its cursor in each answer.
  const cursor = json.nextCursor ?? json.data?.cursor
  if (!cursor) throw new Error(`The first page of ${id} has no cursor: ${text}`)
  return { sent, cursor }
}

const encoded = (content: string) => Buffer.from(content).toString('base64url')

const tokenIds = ['0', '1', '01', '-1', `${2n ** 256n - 1n}`, `${2n ** 256n}`, '9'.repeat(300)]
const addresses = [`0x${'0'.repeat(40)}`, `0x${'f'.repeat(40)}`, `0x${'F'.repeat(40)}`, '0x', '']

/** The content of a position in any order: of an event, of a contract, of an NFT, and almost. */
const positions = fc.oneof(
  fc.integer({ min: 0, max: 2 ** 48 - 1 }).map((time) => {
    const digits = time.toString(16).padStart(12, '0')
    return `${digits.slice(0, 8)}-${digits.slice(8)}-7c1e-8a57-2f8d6f0b7c11`
  }),
  fc.constantFrom(
    '00000000-0000-7000-8000-000000000000',
    'ffffffff-ffff-7fff-bfff-ffffffffffff',
    randomUUID(),
  ),
  fc
    .tuple(
      fc.constantFrom(...chainNames, 'SOLANA', 'constructor', ''),
      fc.constantFrom(...addresses),
      fc.option(fc.constantFrom(...tokenIds), { nil: undefined }),
    )
    .map((parts) => parts.filter((part) => part !== undefined).join('/')),
)

/** Texts for a path parameter or a cursor: given ones, parts of them, forms of other cursors, and of any length. */
export function identities(given: readonly string[]): fc.Arbitrary<string> {
  const one = fc.constantFrom(...given)
  const at = fc.double({ min: 0, max: 1, noNaN: true })
  const changed = fc.tuple(one, at, at, anyText(3)).map(([text, from, to, inserted]) => {
    const [start, end] = [from, to]
      .map((part) => Math.floor(part * text.length))
      .sort((a, b) => a - b)
    return text.slice(0, start) + inserted + text.slice(end)
  })
  const repeated = fc
    .tuple(fc.oneof(one, anyText(3)), fc.integer({ min: 1, max: maxLength }))
    .map(([text, length]) =>
      text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length),
    )
  const texts = fc.oneof(one, changed, repeated, positions, anyText())
  return fc.oneof(
    texts,
    texts.map(encoded),
    fc.tuple(texts, texts).map(([a, b]) => encoded(`${a}/${b}`)),
  )
}
