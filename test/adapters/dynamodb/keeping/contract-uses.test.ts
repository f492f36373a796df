import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dynamoContractUses } from '../../../../lib/adapters/dynamodb/keeping/contract-uses.ts'
import {
  contractChoiceKey,
  contractUseKey,
  wantedContractKey,
} from '../../../../lib/adapters/dynamodb/keys/kept-use-partitions.ts'
import { openTable } from '../../../../lib/adapters/dynamodb/table.ts'
import { dayOf } from '../../../../lib/domain/usage/usage.ts'
import { storedItems } from '../../../support/aws/stored-items.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'
import { addressOf } from '../../../support/memory/owned-nfts.ts'

const aws = await startTestAws()
const table = openTable()
const items = storedItems(table)
const uses = dynamoContractUses(table)
const contract = { chain: 'POLYGON', address: addressOf(0xc1) } as const
const now = 1_800_000_000_000
const day = 86_400_000

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  await items.empty()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Stores reads that were last written at a moment. */
const used = (readAt: number, attributes: object = {}, key: typeof contract = contract) =>
  items.put(contractUseKey(key, dayOf(readAt)), {
    ...{ readAt, reads: 1, productId: 'one', wallet3: addressOf(1), ...attributes },
  })

describe('D153: the use of a contract', () => {
  test('D153: is that of all its days in the last seven, with the wallets and the product of the latest', async () => {
    await used(now - 7 * day, { reads: 5, productId: 'two', wallet0: addressOf(2) })
    await used(now - day, { reads: 7, productId: 'three', wallet24: addressOf(3) })
    await used(now, {}, { ...contract, address: addressOf(0xc2) } as never)
    expect(await uses.of(contract)).toEqual({
      ...{ readAt: now - day, reads: 12, productId: 'three' },
      wallets: [addressOf(1), addressOf(3), addressOf(2)],
    })
    expect(aws.proxy.requests.at(-1)?.body.ConsistentRead).toBe(true)
  })

  test('D153: is none if nothing was written in the last seven days', async () => {
    expect(await uses.of(contract)).toBeUndefined()
    await used(now - 7 * day - 1)
    expect(await uses.of(contract)).toBeUndefined()
    await used(now - 7 * day)
    expect(await uses.of(contract)).toMatchObject({ reads: 1 })
  })

  test('D153: is without a day whose item is damaged', async () => {
    await used(now, { reads: 'many' })
    await used(now - day, { reads: 2 })
    expect(await uses.of(contract)).toMatchObject({ readAt: now - day, reads: 2 })
  })
})

describe('D153: what the worker knows', () => {
  test('D153: a contract is wanted until this is settled', async () => {
    await items.put(wantedContractKey(contract), {})
    expect(await uses.wanted('POLYGON')).toEqual([contract.address])
    expect(aws.proxy.requests.at(-1)?.body.ConsistentRead).toBe(true)
    await uses.settleWanted(contract)
    expect(await uses.wanted('POLYGON')).toEqual([])
  })

  test('D153: its choice changes only from what was read', async () => {
    const none = await uses.choice()
    expect(none).toEqual({ lookFrom: 0, isFull: false, swapFrom: 0 })
    const looked = { ...none, lookFrom: now }
    expect(await uses.noteChoice(looked, none)).toBe(true)
    expect(await uses.noteChoice({ ...none, swapFrom: now }, none)).toBe(false)
    const swapped = { ...looked, isFull: true, swapFrom: now }
    expect(await uses.noteChoice(swapped, looked)).toBe(true)
    expect(await uses.noteChoice({ ...swapped, swapFrom: now + 1 }, looked)).toBe(false)
    expect(await uses.choice()).toEqual(swapped)
    await items.put(contractChoiceKey, { lookFrom: 'x' })
    expect(await uses.choice()).toEqual(none)
  })
})
