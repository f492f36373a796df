import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dynamoForgottenPlayers } from '../../../lib/adapters/dynamodb/forgotten-players.ts'
import { usedNonceKey } from '../../../lib/adapters/dynamodb/keys/single-items.ts'
import { dynamoProductAccess } from '../../../lib/adapters/dynamodb/product-access.ts'
import { dynamoProducts } from '../../../lib/adapters/dynamodb/products.ts'
import { dynamoSessions } from '../../../lib/adapters/dynamodb/sessions.ts'
import { dynamoSignInPermits } from '../../../lib/adapters/dynamodb/sign-in-permits.ts'
import { dynamoUsedNonces } from '../../../lib/adapters/dynamodb/used-nonces.ts'
import type { ApiKey, ProductId } from '../../../lib/domain/product/product.ts'
import { permitOf } from '../../../lib/domain/sign-in/product-sign-in.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { expectOneOf, newProductId, newUserId, startTable } from './stored-fixture.ts'

const { items, loseOnce, table } = await startTable()

const sessions = dynamoSessions(table)

const now = 1_800_000_000_001

const [wallet, otherWallet] = [addressOf(1), addressOf(2)]

const newSession = (userId = newUserId()) => ({ userId, wallet, beganAt: now })

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
  const [userId, secret] = text.split('.')
  expect(await items.with(secret)).toEqual([])
  expect(await items.with(`PLAYER#${userId}`)).toMatchObject([{ expiresAt: 1_800_003_601 }])
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

const usedNonces = dynamoUsedNonces(table)

test('D97: of many uses of a nonce at the same time, one succeeds, and none later', async () => {
  const nonce = randomUUID()
  await expectOneOf(20, () => usedNonces.use(nonce, now))
  expect(await usedNonces.use(nonce, now + 1_000_000)).toBe(false)
  expect(await usedNonces.use(randomUUID(), now)).toBe(true)
  await usedNonces.release(nonce)
  expect(await usedNonces.use(nonce, now)).toBe(true)
})

test('D97: a used nonce is kept for 15 minutes', async () => {
  const nonce = randomUUID()
  await usedNonces.use(nonce, now)
  expect(await items.get(usedNonceKey(nonce))).toMatchObject({ expiresAt: 1_800_000_901 })
})

test('D97: a use whose response is lost succeeds, because its repetition is the same use', async () => {
  const lost = loseOnce('PutItem')
  expect(await usedNonces.use(randomUUID(), now)).toBe(true)
  expect(lost()).toBe(1)
})

const products = dynamoProducts(table)

const { permit, withdraw } = dynamoSignInPermits(table)

const permitIn = async (productId: ProductId) =>
  (await dynamoProductAccess(table).get(productId))?.signInPermit

const seen = { name: 'Ember', contactEmail: 'a@b', companyName: 'Kiln' }

test.each([
  ['name', { name: 'Other' }],
  ['company', { companyName: 'Other' }],
  ['hosts', { signInDomains: ['game.example'] }],
])(
  'D115: a change of the %s since the operator has looked is not permitted',
  async (_, changes) => {
    const { productId, store } = products.prepare(seen, randomUUID() as ApiKey)
    await store()
    await products.update(productId, changes)
    expect(await permit(productId, seen)).toBe(false)
    expect(await permitIn(productId)).toBeUndefined()
    const changed = { ...seen, ...changes }
    expect(await permit(productId, changed)).toBe(true)
    expect(await permit(productId, changed)).toBe(true)
    expect(await permitIn(productId)).toBe(permitOf(changed))
    expect(await withdraw(productId)).toBe(true)
    expect(await permitIn(productId)).toBeUndefined()
  },
)

test('D115: nothing is permitted of a product that does not exist', async () => {
  const productId = newProductId()
  expect([await permit(productId, seen), await withdraw(productId)]).toEqual([false, false])
  expect(await permitIn(productId)).toBeUndefined()
})
