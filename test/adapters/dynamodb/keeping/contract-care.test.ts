import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, test } from 'vitest'
import { dynamoContractCares } from '../../../../lib/adapters/dynamodb/keeping/contract-care.ts'
import { careKey } from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { openTable } from '../../../../lib/adapters/dynamodb/table.ts'
import type { Chain } from '../../../../lib/domain/nft/chain.ts'
import { noCare } from '../../../../lib/domain/ports/contract-care.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'
import { addressOf } from '../../../support/memory/owned-nfts.ts'

const aws = await startTestAws()
const table = openTable()
const cares = dynamoContractCares(table)
const document = DynamoDBDocumentClient.from(new DynamoDBClient(aws.access))
afterAll(() => document.destroy())

const contractOn = (chain: Chain) => ({ chain, address: addressOf(1) })
const notes = {
  ...{ attempts: [5, 6], handedOver: [7], isBegun: true, doubtedAt: 9 },
  audited: { id: '7', at: 8, nftsPageKey: 'next' },
}

describe('what the worker knows of its work for a contract', () => {
  test('is nothing before it was noted, and then what was noted, whatever else is', async () => {
    const contract = contractOn('POLYGON')
    expect(await cares.contract(contract)).toEqual(noCare)
    await cares.note(contract, notes)
    expect(await cares.contract(contract)).toEqual({ ...noCare, ...notes })
    const audited = { id: '8', at: 10 }
    await cares.note(contract, { audited })
    expect(await cares.contract(contract)).toEqual({ ...noCare, ...notes, audited })
    expect(await cares.contract(contractOn('BSC'))).toEqual(noCare)
  })

  test('is read with that of the chain and its other contracts', async () => {
    const [one, other] = [contractOn('BASE'), { ...contractOn('BASE'), address: addressOf(2) }]
    expect(await cares.chain('BASE')).toEqual({ contracts: new Map(), metadataFrom: 0, looks: 0 })
    await cares.note(one, notes)
    await cares.reserve(other, 'lists', { before: 0, until: 5 })
    await cares.reserve({ chain: 'BASE' }, 'metadata', { before: 0, until: 6 })
    await cares.moveLook('BASE', { upTo: 1, at: 2 }, 0)
    expect(await cares.chain('BASE')).toEqual({
      contracts: new Map([
        [one.address, { ...noCare, ...notes }],
        [other.address, { ...noCare, listsFrom: 5 }],
      ]),
      ...{ metadataFrom: 6, looks: 1, look: { upTo: 1, at: 2 } },
    })
  })

  test('is absent where it is damaged', async () => {
    const contract = contractOn('ETHEREUM')
    const damaged = {
      snapshotFrom: 'x',
      attempts: 5,
      isBegun: 1,
      audited: { id: 7 },
      doubtedAt: [],
    }
    const Item = { ...careKey(contract), ...damaged, handedOver: [7] }
    await document.send(new PutCommand({ TableName: table.name, Item }))
    const look = {
      ...careKey({ chain: 'ETHEREUM' }),
      metadataFrom: {},
      looks: 3,
      look: { upTo: 'x' },
    }
    await document.send(new PutCommand({ TableName: table.name, Item: look }))
    expect(await cares.contract(contract)).toEqual({ ...noCare, handedOver: [7] })
    expect(await cares.chain('ETHEREUM')).toMatchObject({ metadataFrom: 0, looks: 3 })
    expect(await cares.moveLook('ETHEREUM', { upTo: 1, at: 2 }, 3)).toBe(true)
    expect((await cares.chain('ETHEREUM')).look).toEqual({ upTo: 1, at: 2 })
  })
})

describe('work is reserved', () => {
  test('by one of several processes, and each work by itself', async () => {
    const contract = contractOn('ARBITRUM')
    const reserve = (before: number, until: number) =>
      cares.reserve(contract, 'snapshot', { before, until }, { isBegun: true })
    const first = await Promise.all([reserve(0, 5), reserve(0, 6), reserve(0, 7)])
    expect(first.filter((isReserved) => isReserved)).toHaveLength(1)
    const { snapshotFrom: before } = await cares.contract(contract)
    const second = await Promise.all([reserve(before, 8), reserve(before, 9), reserve(0, 10)])
    expect(second.filter((isReserved) => isReserved)).toHaveLength(1)
    expect(await cares.reserve(contract, 'audit', { before: 0, until: 5 })).toBe(true)
  })

  test('with what is noted, or not at all', async () => {
    const contract = contractOn('OPTIMISM')
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
  const move = (upTo: number, looks: number) =>
    cares.moveLook('RONIN', { upTo, at: 5, mark }, looks)
  const first = await Promise.all([move(1, 0), move(2, 0)])
  expect(first.filter((isMoved) => isMoved)).toHaveLength(1)
  expect(await move(3, 1)).toBe(true)
  expect(await move(4, 1)).toBe(false)
  expect(await cares.chain('RONIN')).toMatchObject({ looks: 2, look: { upTo: 3, at: 5, mark } })
  await cares.moveLook('RONIN', { upTo: 4, at: 6 }, 2)
  expect((await cares.chain('RONIN')).look).toEqual({ upTo: 4, at: 6 })
})
