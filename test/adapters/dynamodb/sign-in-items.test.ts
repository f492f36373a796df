import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dynamoDeviceGrants } from '../../../lib/adapters/dynamodb/device-grants.ts'
import { dynamoForgottenPlayers } from '../../../lib/adapters/dynamodb/forgotten-players.ts'
import { usedNonceKey } from '../../../lib/adapters/dynamodb/keys/single-items.ts'
import { dynamoProductAccess } from '../../../lib/adapters/dynamodb/product-access.ts'
import { dynamoProducts } from '../../../lib/adapters/dynamodb/products.ts'
import { dynamoRefreshFamilies } from '../../../lib/adapters/dynamodb/refresh-families.ts'
import { dynamoSessions } from '../../../lib/adapters/dynamodb/sessions.ts'
import { dynamoSignInPermits } from '../../../lib/adapters/dynamodb/sign-in-permits.ts'
import { dynamoUsedNonces } from '../../../lib/adapters/dynamodb/used-nonces.ts'
import { hmacDeviceCodes } from '../../../lib/adapters/hmac/sign-in-texts.ts'
import type { ApiKey, ProductId } from '../../../lib/domain/product/product.ts'
import type { DeviceGrant } from '../../../lib/domain/sign-in/device-grant.ts'
import { permitOf } from '../../../lib/domain/sign-in/product-sign-in.ts'
import { renewFamily } from '../../../lib/domain/sign-in/refresh-families.ts'
import type { RefreshFamily } from '../../../lib/domain/sign-in/refresh-family.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { signInWorld } from '../../support/sign-in/sign-in-world.ts'
import { expectOneOf, newProductId, newUserId, startTable } from './stored-fixture.ts'

const { items, loseOnce, requestsOf, table } = await startTable()

const sessions = dynamoSessions(table)
const grants = dynamoDeviceGrants(table)
const families = dynamoRefreshFamilies(table)
const deviceCodes = hmacDeviceCodes('the secret of sign-in')

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

async function newGrant() {
  const userCode = deviceCodes.newUserCode()
  const deviceCode = await deviceCodes.newDeviceCode(userCode)
  const grant: DeviceGrant = {
    ...{ userCode, deviceCode, productId: newProductId() },
    ...{ familyId: randomUUID(), askedAt: now, askedFrom: '192.0.2.1' },
  }
  expect(await grants.add(grant, now)).toBe(true)
  const { deviceCode: _, ...stored } = grant
  return { grant, stored: { ...stored, polledAt: 0 } }
}

const approved = { kind: 'approved', userId: 7, wallet: addressOf(1), beganAt: 3 } as const

test('D101: a grant is decided once and used once, at the same time too', async () => {
  const { grant, stored } = await newGrant()
  const { userCode } = grant
  expect(await grants.get(userCode)).toEqual(stored)
  expect(await grants.use(userCode, now)).toBe(false)
  await expectOneOf(3, (userId) => grants.decide(userCode, { ...approved, userId }, now))
  expect(await grants.decide(userCode, { kind: 'denied' }, now)).toBe(false)
  await expectOneOf(3, (later) => grants.use(userCode, now + later))
  expect(await grants.get(userCode)).toMatchObject({
    decision: { kind: 'approved', wallet: addressOf(1), beganAt: 3 },
    usedAt: expect.any(Number),
  })
})

test('D101: a denied grant is not used, and one that has expired is not decided', async () => {
  const { grant } = await newGrant()
  expect(await grants.decide(grant.userCode, approved, now + 600_000)).toBe(false)
  expect(await grants.decide(grant.userCode, { kind: 'denied' }, now + 599_999)).toBe(true)
  expect(await grants.get(grant.userCode)).toMatchObject({ decision: { kind: 'denied' } })
  expect(await grants.use(grant.userCode, now)).toBe(false)
  expect(await grants.decide(deviceCodes.newUserCode(), approved, now)).toBe(false)
})

test('D129: a poll is read by one request, and noted by another, once at the same time', async () => {
  const { grant, stored } = await newGrant()
  const read = async () => expect(await grants.ofDevice(grant)).toEqual(stored)
  expect(await requestsOf(read)).toEqual(['GetItem'])
  let notes: boolean[] = []
  const requests = await requestsOf(async () => {
    notes = await Promise.all([1, 2, 3].map((later) => grants.notePoll(stored, now + later)))
  })
  expect(requests).toEqual(Array(3).fill('UpdateItem'))
  expect(notes.filter(Boolean)).toHaveLength(1)
  const polledAt = now + 1 + notes.indexOf(true)
  expect(await grants.ofDevice(grant)).toEqual({ ...stored, polledAt })
  expect(await grants.notePoll({ ...stored, polledAt }, now + 9)).toBe(true)
})

test('D101: of another device code, and of another user code, there is no grant', async () => {
  const { userCode, deviceCode } = (await newGrant()).grant
  const other = deviceCodes.newUserCode()
  expect(await grants.ofDevice({ userCode: other, deviceCode })).toBeUndefined()
  const another = await deviceCodes.newDeviceCode(userCode)
  expect(await grants.ofDevice({ userCode, deviceCode: another })).toBeUndefined()
  expect(await grants.notePoll({ ...(await newGrant()).stored, userCode: other }, now)).toBe(false)
})

test('D101: a user code is taken until it expires, and the table has neither code', async () => {
  const { grant } = await newGrant()
  const deviceCode = await deviceCodes.newDeviceCode(grant.userCode)
  const again = { ...grant, deviceCode, familyId: 'another', askedAt: now + 600_000 }
  expect(await grants.add(again, now + 599_999)).toBe(false)
  for (const text of [grant.userCode, grant.deviceCode.split('.')[1]])
    expect(await items.with(text)).toEqual([])
  expect(await items.with(grant.familyId)).toMatchObject([{ expiresAt: 1_800_000_001 + 1_200 }])
  expect(await grants.add(again, now + 600_000)).toBe(true)
  expect(await grants.get(grant.userCode)).toMatchObject({ familyId: 'another' })
})

const familyOf = (userId: number): RefreshFamily => ({
  userId,
  familyId: randomUUID(),
  counter: 0,
  productId: newProductId(),
  wallet: addressOf(1),
  beganAt: now,
  renewedAt: now,
})

test('D99: a family is stored, renewed from its counter alone, and ended', async () => {
  const userId = newUserId()
  const [family, other] = [familyOf(userId), familyOf(userId)]
  await families.add(family)
  await families.add(other)
  await families.add(familyOf(newUserId()))
  await expectOneOf(10, () => families.renew(family, now + 1))
  const renewed = { ...family, counter: 1, renewedAt: now + 1 }
  await families.add(family)
  expect(await families.get(userId, family.familyId)).toEqual(renewed)
  const all = await families.ofUser(userId)
  expect(all).toHaveLength(2)
  expect(all).toEqual(expect.arrayContaining([renewed, other]))
  await families.end(userId, family.familyId)
  await families.end(userId, family.familyId)
  expect(await families.renew(renewed, now)).toBe(false)
  expect(await families.ofUser(userId)).toEqual([other])
})

test('D144: a family is dated again, unless it has ended', async () => {
  const family = familyOf(newUserId())
  const { userId, familyId } = family
  const begun = { wallet: addressOf(2), beganAt: now - 5 }
  expect(await families.redate({ userId, familyId, ...begun })).toBe(false)
  await families.add(family)
  expect(await families.redate({ userId, familyId, ...begun })).toBe(true)
  expect(await families.ofUser(userId)).toEqual([{ ...family, ...begun }])
})

test('D99: a renewal whose response is lost gives the same token again', async () => {
  const family = familyOf(newUserId())
  await families.add(family)
  const lost = loseOnce('UpdateItem')
  const { ports } = signInWorld({ [family.userId]: [family.wallet] })
  const renewed = await renewFamily(family, family.productId, now, { ...ports(), families })
  expect(renewed).toMatchObject({ family: { counter: 1 } })
  expect(lost()).toBe(1)
})

test('D48, D99: a family is deleted by its TTL after 30 days, and with its user', async () => {
  const family = familyOf(newUserId())
  await families.add(family)
  const stored = await items.with(family.familyId)
  expect(stored).toMatchObject([{ expiresAt: 1_800_000_001 + 30 * 86_400 }])
  await dynamoForgottenPlayers(table).forget(family.userId)
  expect(await families.ofUser(family.userId)).toEqual([])
})
