import { expect, test } from 'vitest'
import { dynamoAllowedTokenIds } from '../../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../../lib/adapters/dynamodb/contracts.ts'
import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { everyTokenId, rangeOf } from '../../../lib/domain/allowlist/token-ranges.ts'
import { chainNames } from '../../../lib/domain/nft/chain.ts'
import {
  type Contract,
  type ContractWithRanges,
  compareContracts,
} from '../../../lib/domain/nft/nft.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { newProductId, startTable } from './stored-fixture.ts'

const { table, sentBy } = await startTable()
const contracts = dynamoContracts(table)
const allowedTokenIds = dynamoAllowedTokenIds(table)

const key = { chain: 'POLYGON', address: addressOf(1) } as const

test('D37: contracts have the latest description, until it is swept', async () => {
  const productId = newProductId()
  const made = (await contracts.connect(productId, key, [])) as ContractWithRanges
  const shown = async () =>
    await contracts.descriptions(await contracts.page(productId, { limit: 10 }))
  expect(await shown()).toEqual([''])
  await contracts.describe(made, 'kites')
  await contracts.describe(made, 'lanterns')
  expect(await shown()).toEqual(['lanterns'])
  await allowedTokenIds.add(made.bindingId, ['1' as TokenId])
  const swept = await allowedTokenIds.sweep(made.bindingId, Number.POSITIVE_INFINITY)
  expect(swept).toEqual({ isDone: true, deleted: 1 })
  expect(await shown()).toEqual([''])
})

test('D57: ranges are replaced only if they are as they were read', async () => {
  const productId = newProductId()
  const season = [{ first: 1n, last: 5_000n }]
  const all = [everyTokenId]
  const made = (await contracts.connect(productId, key, [])) as ContractWithRanges
  const withSeason = await contracts.replaceRanges(productId, made, season)
  expect(withSeason).toEqual({ ...made, ranges: season })
  expect(await contracts.replaceRanges(productId, made, all)).toBeUndefined()
  expect(await contracts.list(productId)).toEqual([withSeason])
  const withAll = await contracts.replaceRanges(productId, { ...made, ranges: season }, all)
  expect(await contracts.get(productId, key)).toEqual(withAll)
  const without = await contracts.replaceRanges(productId, { ...made, ranges: all }, [])
  expect(await contracts.get(productId, key)).toEqual(without)
  await contracts.disconnect(productId, made)
  const again = await contracts.connect(productId, key, all)
  expect(await contracts.replaceRanges(productId, { ...made, ranges: all }, [])).toBeUndefined()
  expect(await contracts.get(productId, key)).toEqual(again)
})

test('D17: of eight simultaneous connections one is created', async () => {
  const productId = newProductId()
  const tries = Array.from({ length: 8 }, (_, index) =>
    contracts.connect(productId, key, index === 0 ? [] : [rangeOf(`${index}` as TokenId)]),
  )
  const made = (await Promise.all(tries)).filter((contract) => contract !== undefined)
  expect(made).toHaveLength(1)
  expect(await contracts.list(productId)).toEqual(made)
})

test('D19: only the given connection is removed', async () => {
  const productId = newProductId()
  const old = (await contracts.connect(productId, key, [])) as Contract
  await contracts.disconnect(productId, old)
  const current = await contracts.connect(productId, key, [])
  expect(current?.bindingId).not.toBe(old.bindingId)
  await contracts.disconnect(productId, old)
  expect(await contracts.list(productId)).toEqual([current])
})

test('D18: contracts of all chains are listed in order, each with a consistent read', async () => {
  const productId = newProductId()
  const keys = Array.from({ length: 60 }, (_, index) => ({
    chain: chainNames[index % chainNames.length] as Contract['chain'],
    address: addressOf((index * 37) % 61),
  }))
  await Promise.all(keys.map((one) => contracts.connect(productId, one, [])))
  let listed: Contract[] = []
  const reads = await sentBy(async () => {
    listed = await contracts.list(productId)
    await contracts.get(productId, key)
    const [first] = await contracts.page(productId, { limit: 10 })
    await allowedTokenIds.sweep((first as Contract).bindingId, Number.POSITIVE_INFINITY)
  })
  expect(listed).toHaveLength(60)
  expect(listed).toEqual(listed.toSorted(compareContracts))
  expect(reads.every(({ body }) => body.ConsistentRead === true)).toBe(true)
})
