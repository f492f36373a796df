import { expect, test } from 'vitest'
import { readHoldings } from '../../../lib/domain/holdings/read-holdings.ts'
import { alice, bob, contract, other } from '../../support/follower/followed.ts'
import { memoryKeptHoldings } from '../../support/kept-model/kept-table.ts'
import { followerOfTwo } from '../keeping/kept-follower.ts'

test('a read reads a position, each contract and the lists of each wallet once, and one in the next second only the lists', async () => {
  const { table, kept, now, sleep } = await followerOfTwo()
  const calls: string[] = []
  const turn = async (call: string) => {
    calls.push(call)
  }
  const holdings = memoryKeptHoldings({ followed: table, kept }, now, turn)
  const query = { chain: 'POLYGON', wallets: [alice, bob], contracts: [contract, other] } as const
  const callsOfRead = async () => {
    calls.length = 0
    const { contracts } = await readHoldings(query, holdings, now)
    expect([...contracts.keys()]).toEqual([contract, other])
    return calls.join(', ')
  }
  expect(await callsOfRead()).toBe('position, item, item, lists, lists')
  expect(await callsOfRead()).toBe('lists, lists')
  await sleep(1_000)
  expect(await callsOfRead()).toBe('lists, lists')
  await sleep(1)
  expect(await callsOfRead()).toBe('position, item, item, lists, lists')
})
