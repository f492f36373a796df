import { expect, test } from 'vitest'
import { readWebhookCursor, writeWebhookCursor } from '../../lib/contract/webhook-cursor.ts'
import type { Chain } from '../../lib/domain/nft/chain.ts'
import type { ChainStart } from '../../lib/domain/nft-events/event-start.ts'

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
  [[4, [['POLYGON']]]],
  [[4, [['POLYGON', 7, 0]]]],
  [[4, [['POLYGON', 7, 0, 0, 5, 5]]]],
  [[4, [['POLYGON', -1]]]],
  [[4, [['NOWHERE', 5]]]],
])('D119: no other numbers are a cursor: %j', (numbers) => {
  const cursor = Buffer.from(JSON.stringify(numbers)).toString('base64url')
  expect(readWebhookCursor(cursor)).toBeUndefined()
})
