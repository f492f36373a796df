import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dynamoKeptHoldings } from '../../../../lib/adapters/dynamodb/keeping/kept-holdings.ts'
import type { KeptHoldings } from '../../../../lib/domain/ports/kept-contracts.ts'
import { alice, balances, longIds, snapshot, startKeptLists } from './kept-list-fixture.ts'

const { aws, table, changeNow, items, directory } = await startKeptLists()
const { chain, address, id } = snapshot
const now = 1_800_000_000_000
let holdings: KeptHoldings

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  holdings = dynamoKeptHoldings(table)
  await changeNow({ settledUpTo: 50, balances: balances(longIds(300)) })
})

afterEach(() => {
  vi.useRealTimers()
})

/** The list as players read it, and the requests of this. */
async function read() {
  const before = aws.proxy.requests.length
  const lists = await holdings.lists(chain, alice, Promise.resolve(new Map([[address, id]])))
  const requests = aws.proxy.requests.slice(before)
  return { list: lists.get(address), actions: requests.map(({ action }) => action), requests }
}

test('of a long list that was just read, only the directory is read again, consistently', async () => {
  const first = await read()
  expect(first.actions).toEqual(['Query', 'Query'])
  vi.setSystemTime(now + 10_000)
  const { list, actions, requests } = await read()
  expect(actions).toEqual(['Query', 'GetItem'])
  expect(requests.at(-1)?.body.ConsistentRead).toBe(true)
  expect(list).toEqual(first.list)
  expect(list?.tokens).toEqual(balances(longIds(300)))
  vi.setSystemTime(now + 10_001)
  expect(await read()).toMatchObject({ list, actions: ['Query', 'Query'] })
})

test('a list that has changed since is read whole', async () => {
  await read()
  await changeNow({ settledUpTo: 51, balances: balances([7]) })
  const { list, actions } = await read()
  expect(actions).toEqual(['Query', 'GetItem', 'Query'])
  expect(list).toMatchObject({ settledUpTo: 51, tokens: balances([7, ...longIds(300)]) })
  expect(await read()).toMatchObject({ list, actions: ['Query', 'GetItem'] })
})

test('a list whose directory is damaged since is too long', async () => {
  await read()
  await items.put((await directory()).key, {})
  expect((await read()).list).toMatchObject({ isTooLong: true })
})
