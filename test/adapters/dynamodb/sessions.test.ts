import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { dynamoForgottenPlayers } from '../../../lib/adapters/dynamodb/forgotten-players.ts'
import { dynamoSessions } from '../../../lib/adapters/dynamodb/sessions.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { ScanCommand } from '../../support/aws/scan-command.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

await startTestAws()
const table = openTable()
const sessions = dynamoSessions(table)
const now = 1_800_000_000_001
const [wallet, otherWallet] = [addressOf(1), addressOf(2)]

const newSession = (userId = 2 ** 31 + randomBytes(4).readUInt32BE()) => ({
  userId,
  wallet,
  beganAt: now,
})

test('D100: a session is valid for an hour', async () => {
  const session = newSession()
  const text = await sessions.begin(session)
  expect(await sessions.get(text, now)).toEqual(session)
  expect(await sessions.get(text, now + 3_599_999)).toEqual(session)
  expect(await sessions.get(text, now + 3_600_000)).toBeUndefined()
  expect(await sessions.begin(session)).not.toBe(text)
})

test('D100: any other text is no session', async () => {
  const { userId } = newSession()
  const text = await sessions.begin(newSession(userId))
  const [, secret = ''] = text.split('.')
  const last = secret.endsWith('A') ? 'B' : 'A'
  const others = [
    '',
    secret,
    `${userId + 1}.${secret}`,
    `0${text}`,
    `${text}A`,
    `${text}\n`,
    text.slice(0, -1) + last,
    `${userId}.${'%'.repeat(43)}`,
  ]
  for (const other of others) expect(await sessions.get(other, now), other).toBeUndefined()
})

test('D100: the table has no text of a session, and deletes it by its TTL', async () => {
  const text = await sessions.begin(newSession())
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }))
  expect(JSON.stringify(Items)).not.toContain(text.split('.')[1])
  const items = Items.filter(({ pk }) => pk === `PLAYER#${text.split('.')[0]}`)
  expect(items).toMatchObject([{ expiresAt: 1_800_003_601 }])
})

test('D48, D100: all sessions of a user end, or those of a wallet, and nobody else’s', async () => {
  const session = newSession()
  const own = await sessions.begin(session)
  const linked = await sessions.begin({ ...session, wallet: otherWallet })
  const strangers = await sessions.begin(newSession())
  await sessions.endAll(session.userId, wallet)
  expect(await sessions.get(own, now)).toBeUndefined()
  expect(await sessions.get(linked, now)).toBeDefined()
  const another = await sessions.begin(session)
  await sessions.endAll(session.userId)
  for (const text of [linked, another]) expect(await sessions.get(text, now)).toBeUndefined()
  const last = await sessions.begin(session)
  await dynamoForgottenPlayers(table).forget(session.userId)
  expect(await sessions.get(last, now)).toBeUndefined()
  expect(await sessions.get(strangers, now)).toBeDefined()
})
