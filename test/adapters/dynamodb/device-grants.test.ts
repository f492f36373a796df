import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dynamoDeviceGrants } from '../../../lib/adapters/dynamodb/device-grants.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import { hmacDeviceCodes } from '../../../lib/adapters/hmac/device-codes.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import type { DeviceGrant } from '../../../lib/domain/sign-in/device-grant.ts'
import { ScanCommand } from '../../support/aws/stored-items.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'

const aws = await startTestAws()
const table = openTable()
const grants = dynamoDeviceGrants(table)
const deviceCodes = hmacDeviceCodes(async () => 'the secret of sign-in')
const now = 1_800_000_000_001

/** A stored grant. */
async function newGrant() {
  const userCode = deviceCodes.newUserCode()
  const deviceCode = await deviceCodes.newDeviceCode(userCode)
  const productId = randomUUID() as ProductId
  const grant: DeviceGrant = {
    ...{ userCode, deviceCode, productId },
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
  const decisions = await Promise.all(
    [7, 8, 9].map((userId) => grants.decide(userCode, { ...approved, userId }, now)),
  )
  expect(decisions.filter((isDone) => isDone)).toHaveLength(1)
  expect(await grants.decide(userCode, { kind: 'denied' }, now)).toBe(false)
  const uses = await Promise.all([1, 2, 3].map((later) => grants.use(userCode, now + later)))
  expect(uses.filter((isDone) => isDone)).toHaveLength(1)
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
  const requests = aws.proxy.requests.length
  expect(await grants.ofDevice(grant)).toEqual(stored)
  const notes = await Promise.all([1, 2, 3].map((later) => grants.notePoll(stored, now + later)))
  expect(notes.filter((isDone) => isDone)).toHaveLength(1)
  expect(aws.proxy.requests.slice(requests).map(({ action }) => action)).toEqual([
    ...['GetItem', 'UpdateItem', 'UpdateItem', 'UpdateItem'],
  ])
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
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }))
  const text = JSON.stringify(Items)
  expect(text).not.toContain(grant.userCode)
  expect(text).not.toContain(grant.deviceCode.split('.')[1])
  const [item] = Items.filter(({ familyId }) => familyId === grant.familyId)
  expect(item).toMatchObject({ expiresAt: 1_800_000_001 + 1_200 })
  expect(await grants.add(again, now + 600_000)).toBe(true)
  expect(await grants.get(grant.userCode)).toMatchObject({ familyId: 'another' })
})
