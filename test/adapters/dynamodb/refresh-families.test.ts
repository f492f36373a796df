import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { dynamoForgottenPlayers } from '../../../lib/adapters/dynamodb/forgotten-players.ts'
import { dynamoRefreshFamilies } from '../../../lib/adapters/dynamodb/refresh-families.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { renewFamily } from '../../../lib/domain/sign-in/refresh-families.ts'
import type { RefreshFamily } from '../../../lib/domain/sign-in/refresh-family.ts'
import { ScanCommand } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'
import { usersWith, walletPorts } from '../../support/sign-in/memory-wallets.ts'

const aws = await startTestAws()
const table = openTable()
const families = dynamoRefreshFamilies(table)
const now = 1_800_000_000_001
const productId = randomUUID() as ProductId

afterEach(() => {
  aws.interfere({})
})

const newUserId = () => 2 ** 31 + randomBytes(4).readUInt32BE()
const familyOf = (userId: number): RefreshFamily => ({
  userId,
  familyId: randomUUID(),
  counter: 0,
  productId,
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
  const renewals = await Promise.all(
    Array.from({ length: 10 }, () => families.renew(family, now + 1)),
  )
  expect(renewals.filter((isDone) => isDone)).toHaveLength(1)
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
  let isLost = false
  aws.interfere({
    onResponse({ action }) {
      if (action !== 'UpdateItem' || isLost) return undefined
      isLost = true
      return 'drop'
    },
  })
  const ports = { families, ...walletPorts(usersWith({ [family.userId]: [family.wallet] })) }
  const renewed = await renewFamily(family, productId, now, ports, async () => 'token')
  expect(renewed).toMatchObject({ family: { counter: 1 } })
  expect(isLost).toBe(true)
})

test('D48, D99: a family is deleted by its TTL after 30 days, and with its user', async () => {
  const family = familyOf(newUserId())
  await families.add(family)
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }))
  const [item] = Items.filter((each) => each['familyId'] === family.familyId)
  expect(item).toMatchObject({ expiresAt: 1_800_000_001 + 30 * 86_400 })
  await dynamoForgottenPlayers(table).forget(family.userId)
  expect(await families.ofUser(family.userId)).toEqual([])
})
