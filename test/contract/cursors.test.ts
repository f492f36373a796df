import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  readContractCursor,
  readEventCursor,
  readListCursor,
  writeContractCursor,
  writeEventCursor,
  writeListCursor,
} from '../../lib/contract/list-cursors.ts'
import { readWebhookCursor, writeWebhookCursor } from '../../lib/contract/webhook-cursor.ts'
import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import { toAddress } from '../../lib/domain/nft/address.ts'
import { type Chain, chainNames } from '../../lib/domain/nft/chain.ts'
import type { Nft } from '../../lib/domain/nft/nft.ts'
import type { ChainStart } from '../../lib/domain/nft-events/event-start.ts'
import { check } from '../support/vitest/seeded.ts'

const nft: fc.Arbitrary<Nft> = fc.record({
  chain: fc.constantFrom(...chainNames),
  address: fc.stringMatching(/^[0-9a-f]{40}$/).map((digits) => toAddress(`0x${digits}`)),
  tokenId: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => `${value}` as TokenId),
})

const encode = (text: string) => Buffer.from(text).toString('base64url')
const address = `0x${'a'.repeat(40)}`

describe('D18: the cursor of the allowlist', () => {
  test('D18: a cursor contains the NFT that it was made from, and is safe in a URL', () => {
    check(
      fc.property(nft, (at) => {
        expect(readListCursor(writeListCursor(at))).toEqual(at)
        expect(writeListCursor(at)).toMatch(/^[\w-]{1,200}$/)
      }),
    )
  })

  test('D18: a cursor with one character changed, added or removed never throws', () => {
    const changed = fc
      .tuple(nft, fc.nat(), fc.string({ maxLength: 2 }))
      .map(([at, where, text]) => {
        const cursor = writeListCursor(at)
        const index = where % cursor.length
        return cursor.slice(0, index) + text + cursor.slice(index + 1)
      })
    check(
      fc.property(changed, (cursor) => {
        const read = readListCursor(cursor)
        if (read) expect(writeListCursor(read)).toBe(cursor)
      }),
      500,
    )
  })

  test.each([
    ['nothing', ''],
    ['no base64url', '!!!'],
    ['an unknown chain', encode(`SOLANA/${address}/1`)],
    ['a name every object has', encode(`constructor/${address}/1`)],
    ['a part too few', encode(`BSC/${address}`)],
    ['a part too many', encode(`BSC/${address}/1/`)],
    ['no token identifier', encode(`BSC/${address}/`)],
    ['a token identifier that is not canonical', encode(`BSC/${address}/0x1`)],
    [
      'an address that is not canonical',
      encode(`BSC/${address.toUpperCase().replace('X', 'x')}/1`),
    ],
    ['an address that is none', encode('BSC/0x/1')],
    ['characters that decoding passes over', `${encode(`BSC/${address}/1`)}=`],
    ['a great length', 'A'.repeat(100_000)],
  ])('D18: a cursor of %s is not well formed', (_, cursor) => {
    expect(readListCursor(cursor)).toBeUndefined()
  })
})

describe('D37, D49: the cursors of the contracts and of the events', () => {
  const contract = { chain: 'BSC', address: toAddress(address) } as const
  const eventId = '019b789d-7640-7c1e-8a57-2f8d6f0b7c11'

  test('are read as they were written', () => {
    expect(readContractCursor(writeContractCursor(contract))).toEqual(contract)
    expect(readEventCursor(writeEventCursor({ eventId }))).toBe(eventId)
  })

  test.each([
    'nonsense',
    encode(`SOLANA/${address}`),
    encode(`BSC/${address.toUpperCase().replace('X', 'x')}`),
    encode(eventId.toUpperCase()),
    encode(eventId.replace('-7c', '-4c')),
    `${encode(`BSC/${address}`)}~`,
    `${encode(eventId)}~`,
  ])('%s is none of them', (cursor) => {
    expect([readContractCursor(cursor), readEventCursor(cursor)]).toEqual([undefined, undefined])
  })
})

test.each<ChainStart>([
  { since: 5 },
  { block: 7 },
  { block: 7, since: 5 },
  { block: 7, logIndex: 0, place: 0 },
  { block: 7, logIndex: 2, place: 3, since: 5 },
])('D119, D127: a cursor is read as it was written: %o', (start) => {
  const position = { since: 4, chains: new Map<Chain, ChainStart>([['POLYGON', start]]) }
  expect(readWebhookCursor(writeWebhookCursor(position))).toEqual(position)
})

test.each([
  ...[[['POLYGON']], [['POLYGON', 7, 0]], [['POLYGON', 7, 0, 0, 5, 5]], [['POLYGON', -1]]].map(
    (chains) => encode(JSON.stringify([4, chains])),
  ),
  encode('[4,[["NOWHERE",5]]]'),
  `${encode('[1,[]]')}~`,
])('D119: nothing else is a cursor: %s', (cursor) => {
  expect(readWebhookCursor(encode('[1,[]]'))).toBeDefined()
  expect(readWebhookCursor(cursor)).toBeUndefined()
})
