import { describe, expect, test } from 'vitest'
import { type KeptContract, newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { ContractKey } from '../../../lib/domain/nft/nft.ts'
import { chooseContracts } from '../../../lib/domain/upkeep/choose-contracts.ts'
import { addressOf } from '../../support/memory/owned-nfts.ts'
import { day, first, hour, second, start, startChoice, wait } from './choice-fixture.ts'

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
    expect((await choose()).begun).toEqual([first, onOtherChain])
    expect(await keptContracts.contract(first)).toEqual({
      ...newKeptContract(first.address),
      version: 1,
    })
    expect(await wanted()).toEqual([])
    expect(await choose()).toEqual({ begun: [], letGo: [], removed: [] })
  })

  test('D153: that is kept already stays as it is', async () => {
    await change(first, used)
    await read([first])
    expect((await choose()).begun).toEqual([])
    expect((await keptContracts.contract(first))?.version).toBe(1)
    expect(await wanted()).toEqual([])
  })

  test('D153: that was let go goes on, and keeps its version', async () => {
    await change(first, { ended: { reason: 'letGo', at: start } })
    await read([first])
    expect((await choose()).begun).toEqual([first])
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
    const { begun } = await chooseContracts(['POLYGON'], { ...ports, keptContracts: before })
    expect(begun).toEqual([])
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
    expect((await choose()).letGo).toEqual([])
    wait(hour + 1)
    expect((await choose()).letGo).toEqual([first])
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
    expect((await choose()).removed).toEqual([first])
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
    const { letGo } = await chooseContracts(['POLYGON'], { ...ports, keptContracts: racing })
    expect(letGo).toEqual([first])
  })
})
