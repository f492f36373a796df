import { describe, expect, test } from 'vitest'
import { dynamoContractCares } from '../../../../lib/adapters/dynamodb/keeping/contract-care.ts'
import { careKey } from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { noCare } from '../../../../lib/domain/ports/contract-care.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import { startStored } from '../stored-fixture.ts'

const { items, table } = await startStored()
const cares = dynamoContractCares(table)

const contract = { chain: 'POLYGON', address: addressOf(1) } as const
const { chain } = contract
const notes = {
  ...{ attempts: [5, 6], handedOver: [7], isBegun: true, doubtedAt: 9 },
  audited: { id: '7', at: 8, nftsPageKey: 'next' },
}

describe('what the worker knows of its work for a contract', () => {
  test('is nothing before it was noted, and then what was noted, whatever else is', async () => {
    expect(await cares.contract(contract)).toEqual(noCare)
    await cares.note(contract, notes)
    expect(await cares.contract(contract)).toEqual({ ...noCare, ...notes })
    const audited = { id: '8', at: 10 }
    await cares.note(contract, { audited })
    expect(await cares.contract(contract)).toEqual({ ...noCare, ...notes, audited })
    expect(await cares.contract({ ...contract, chain: 'BSC' })).toEqual(noCare)
  })

  test('is read with that of the chain and its other contracts', async () => {
    const other = { chain, address: addressOf(2) }
    expect(await cares.chain(chain)).toEqual({ contracts: new Map(), metadataFrom: 0, looks: 0 })
    await cares.note(contract, notes)
    await cares.reserve(other, 'lists', { before: 0, until: 5 })
    await cares.reserve({ chain }, 'metadata', { before: 0, until: 6 })
    await cares.moveLook(chain, { upTo: 1, at: 2 }, 0)
    expect(await cares.chain(chain)).toEqual({
      contracts: new Map([
        [contract.address, { ...noCare, ...notes }],
        [other.address, { ...noCare, listsFrom: 5 }],
      ]),
      ...{ metadataFrom: 6, looks: 1, look: { upTo: 1, at: 2 } },
    })
  })

  test('is absent where it is damaged', async () => {
    const damaged = {
      snapshotFrom: 'x',
      attempts: 5,
      isBegun: 1,
      audited: { id: 7 },
      doubtedAt: [],
    }
    await items.put(careKey(contract), { ...damaged, handedOver: [7] })
    const look = { metadataFrom: {}, looks: 3, look: { upTo: 'x' } }
    await items.put(careKey({ chain }), look)
    expect(await cares.contract(contract)).toEqual({ ...noCare, handedOver: [7] })
    expect(await cares.chain(chain)).toMatchObject({ metadataFrom: 0, looks: 3 })
    expect(await cares.moveLook(chain, { upTo: 1, at: 2 }, 3)).toBe(true)
    expect((await cares.chain(chain)).look).toEqual({ upTo: 1, at: 2 })
  })
})

describe('work is reserved', () => {
  test('by one of several processes, and each work by itself', async () => {
    const reserve = (before: number, until: number) =>
      cares.reserve(contract, 'snapshot', { before, until }, { isBegun: true })
    const first = await Promise.all([reserve(0, 5), reserve(0, 6), reserve(0, 7)])
    expect(first.filter(Boolean)).toHaveLength(1)
    const { snapshotFrom: before } = await cares.contract(contract)
    const second = await Promise.all([reserve(before, 8), reserve(before, 9), reserve(0, 10)])
    expect(second.filter(Boolean)).toHaveLength(1)
    expect(await cares.reserve(contract, 'audit', { before: 0, until: 5 })).toBe(true)
  })

  test('with what is noted, or not at all', async () => {
    const moment = { before: 4, until: 5 }
    expect(await cares.reserve(contract, 'snapshot', moment, { attempts: [1] })).toBe(false)
    expect(await cares.contract(contract)).toEqual(noCare)
    await cares.reserve(contract, 'snapshot', { before: 0, until: 4 })
    expect(await cares.reserve(contract, 'snapshot', moment, { attempts: [1] })).toBe(true)
    expect(await cares.contract(contract)).toEqual({ ...noCare, snapshotFrom: 5, attempts: [1] })
  })
})

test('how far events were read again is written by one of several processes', async () => {
  const mark = { number: 9, at: 8 }
  const move = (upTo: number, looks: number) => cares.moveLook(chain, { upTo, at: 5, mark }, looks)
  const first = await Promise.all([move(1, 0), move(2, 0)])
  expect(first.filter(Boolean)).toHaveLength(1)
  expect(await move(3, 1)).toBe(true)
  expect(await move(4, 1)).toBe(false)
  expect(await cares.chain(chain)).toMatchObject({ looks: 2, look: { upTo: 3, at: 5, mark } })
  await cares.moveLook(chain, { upTo: 4, at: 6 }, 2)
  expect((await cares.chain(chain)).look).toEqual({ upTo: 4, at: 6 })
})
