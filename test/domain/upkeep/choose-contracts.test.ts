import { describe, expect, test } from 'vitest'
import { type KeptContract, newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { ContractKey } from '../../../lib/domain/nft/nft.ts'
import { chooseContracts } from '../../../lib/domain/upkeep/choose-contracts.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import {
  contractOf,
  day,
  first,
  hour,
  second,
  start,
  startChoice,
  third,
  wait,
} from './choice-fixture.ts'

const { aws, ports, keptContracts, choose, wanted, read, change, kept, actionsOf } =
  await startChoice()
const onOtherChain: ContractKey = { chain: 'BSC', address: addressOf(1) }

const used: Partial<KeptContract> = {
  ...{ settledUpTo: 9, readUpTo: 12, lacksSince: start },
  changed: [],
  events: [{ block: 11, hash: 'ab', index: 0, from: null, to: addressOf(2), moved: [] }],
  log: { standard: 'ERC721', since: { number: 5, at: start } },
  snapshot: { id: 'a', standard: 'ERC721', step: 1, since: 8, at: start },
  prepared: { id: 'b', standard: 'ERC721', step: 2, since: 9, at: start },
}

describe('D153: a wanted contract', () => {
  test('D153: begins to be kept, and is wanted no more', async () => {
    await read([first, onOtherChain])
    expect(await choose()).toEqual([first, onOtherChain])
    expect(await keptContracts.contract(first)).toEqual({
      ...newKeptContract(first.address),
      version: 1,
    })
    expect(await wanted()).toEqual([])
    expect(await choose()).toEqual([])
  })

  test('D153: that is kept already stays as it is', async () => {
    await change(first, used)
    await read([first])
    expect(await choose()).toEqual([])
    expect((await keptContracts.contract(first))?.version).toBe(1)
    expect(await wanted()).toEqual([])
  })

  test('D153: that was let go goes on, and keeps its version', async () => {
    await change(first, { ended: { reason: 'letGo', at: start } })
    await read([first])
    expect(await choose()).toEqual([first])
    const contract = await keptContracts.contract(first)
    expect(contract?.version).toBe(2)
    expect(contract?.ended).toBeUndefined()
  })

  test('D153: costs two reads, and as many chains more, when nothing is to be done', async () => {
    await choose()
    expect(await actionsOf(choose)).toEqual(['GetItem', 'Query', 'Query'])
  })

  test('D153: begins once with two workers', async () => {
    await read([first, second])
    await Promise.all([choose(), choose()])
    for (const each of [first, second]) {
      expect((await keptContracts.contract(each))?.version).toBe(1)
    }
  })

  test('D153: that another worker has begun meanwhile stays as it is', async () => {
    await change(first, { ended: { reason: 'audit', at: start } })
    await read([first])
    const before = { ...keptContracts, contracts: async () => [] }
    expect(await chooseContracts(['POLYGON'], { ...ports, keptContracts: before })).toEqual([])
    expect(await keptContracts.contract(first)).toMatchObject({ version: 1, ended: { at: start } })
  })
})

describe('D153: a contract that nobody reads', () => {
  /** Begins to keep contracts, which the follower then uses. */
  async function begin(...contracts: ContractKey[]) {
    await read(contracts)
    await choose()
    for (const each of contracts) await change(each, used)
  }

  test('D153: is let go after seven days, without what its snapshot needs, and removed an hour later', async () => {
    await begin(first, second)
    wait(7 * day - hour)
    await read([second], { isUnknown: false })
    await choose()
    expect(await kept()).toEqual([first, second])
    wait(hour + 1)
    await choose()
    const { version, settledUpTo, readUpTo, changed } = {
      ...newKeptContract(first.address),
      ...used,
      version: 3,
    }
    expect(await keptContracts.contract(first)).toEqual({
      ...newKeptContract(first.address),
      ...{ version, settledUpTo, readUpTo, changed },
      ended: { reason: 'letGo', at: Date.now() },
    })
    wait(hour)
    await choose()
    expect(await keptContracts.contract(first)).toBeUndefined()
    expect(await kept()).toEqual([second])
  })

  test('D153: is looked for once an hour, for all chains and by one of several workers', async () => {
    await begin(first, onOtherChain)
    wait(hour - 1)
    expect(await actionsOf(choose)).toHaveLength(3)
    wait(1)
    const before = aws.proxy.requests.length
    await Promise.all([choose(), choose()])
    const looks = aws.proxy.requests.slice(before).filter(({ action, body }) => {
      return action === 'Query' && JSON.stringify(body).includes('KEPTUSE#')
    })
    expect(looks).toHaveLength(2)
  })

  test('D153: is let go although the follower writes its item at the same time', async () => {
    await begin(first)
    wait(7 * day + 1)
    let isChanged = false
    const racing = {
      ...keptContracts,
      write: async (...[chain, contract]: Parameters<typeof keptContracts.write>) => {
        if (!isChanged) await change(first, {})
        isChanged = true
        return await keptContracts.write(chain, contract)
      },
    }
    await chooseContracts(['POLYGON'], { ...ports, keptContracts: racing })
    expect(await kept()).toEqual([])
  })
})

describe('D153: with as many contracts as can be kept', () => {
  /** Keeps two contracts, and wants a third one. */
  async function fillUp() {
    await read([first], { times: 5 })
    await read([second], { times: 3 })
    await choose(2)
    await read([third], { times: 4 })
    await choose(2)
  }

  test('D153: the one that is read more takes the place of the least read one, once others could be wanted, too', async () => {
    await fillUp()
    wait(2 * hour - 1)
    await choose(2)
    expect(await kept()).toEqual([first, second])
    wait(1)
    expect(await choose(2)).toEqual([third])
    expect(await kept()).toEqual([first, third])
    expect(await wanted()).toEqual([])
  })

  test('D153: one that is not read more does not', async () => {
    await fillUp()
    await read([second], { isUnknown: false })
    wait(2 * hour)
    await choose(2)
    expect(await kept()).toEqual([first, second])
    expect(await wanted()).toEqual([])
  })

  test('D153: at most one does in a day, also with two workers', async () => {
    await fillUp()
    await read([contractOf(4)], { times: 100 })
    await read([contractOf(5)], { times: 90 })
    wait(2 * hour)
    const chosen = await Promise.all([choose(2), choose(2)])
    expect(chosen.flat()).toEqual([contractOf(4)])
    for (let time = 0; time < 23; time += 1) {
      await read([contractOf(5), third], { times: 1 })
      await choose(2)
      wait(hour)
    }
    expect(await kept()).toEqual([first, contractOf(4)])
    wait(hour)
    await choose(2)
    expect(await kept()).toEqual([contractOf(4), contractOf(5)])
  })

  test('D153: those that are wanted wait only if one of them can soon take a place', async () => {
    await fillUp()
    wait(2 * hour)
    await choose(2)
    await read([contractOf(4)])
    expect(await actionsOf(() => choose(2))).toEqual(['DeleteItem', 'GetItem', 'Query', 'Query'])
    wait(22 * hour)
    await choose(2)
    await read([contractOf(4)])
    expect(await actionsOf(() => choose(2))).toEqual(['GetItem', 'Query', 'Query'])
  })

  test('D153: one begins to be kept again within an hour after another one was let go', async () => {
    await fillUp()
    wait(7 * day + 1)
    await read([first], { isUnknown: false })
    await choose(2)
    await read([third])
    await choose(2)
    expect(await kept()).toEqual([first, third])
  })

  test('D153: one begins to be kept at once when there is room again, also in the day after a swap', async () => {
    await fillUp()
    wait(2 * hour)
    await choose(2)
    await change(first, { ended: { reason: 'letGo', at: Date.now() } })
    wait(hour)
    await choose(2)
    await read([second])
    await choose(2)
    expect(await kept()).toEqual([second, third])
  })

  test("D153: a stranger's 500 contracts take what is free, and no place of a contract that is read more", async () => {
    const games = Array.from({ length: 10 }, (_, index) => contractOf(index + 1))
    const late = contractOf(11)
    const strangers = Array.from({ length: 500 }, (_, index) => contractOf(index + 1_001))
    await read(games, { times: 50 })
    await choose(20)
    await read(strangers, { times: 20 })
    await choose(20)
    expect(await kept()).toHaveLength(20)
    for (const hours of [2, 24]) {
      wait(hours * hour)
      await read([late], { times: 30 })
      await read(strangers.slice(0, 100))
      await choose(20)
    }
    const keptNow = await kept()
    expect(keptNow).toHaveLength(20)
    expect(keptNow).toEqual(expect.arrayContaining([...games, late]))
  })
})
