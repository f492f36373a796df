import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  followedContractKey,
  followKey,
} from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { movementKey } from '../../../lib/adapters/dynamodb/keys/wallet-partition.ts'
import { openTable } from '../../../lib/adapters/dynamodb/table.ts'
import type { SettlingPosition } from '../../../lib/domain/holdings/kept-contract.ts'
import type { ChainEvents } from '../../../lib/domain/ports/chain-events.ts'
import { startTestAws } from '../../support/aws/test-aws.ts'
import { alice, beforeEachCall, contract, other } from '../../support/follower/followed.ts'
import { addressOf, memoryChain } from '../../support/follower/memory-chain.ts'
import { day, followedTable, position, sleep, start } from '../../support/follower/stored-notes.ts'

const aws = await startTestAws()
const { ask, empty, follow, get, notes, put } = followedTable(openTable())
const chain = 'POLYGON'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  await empty()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('D66: the lease of a chain', () => {
  test('belongs to one follower, until it ends or is released, and says who had it before', async () => {
    expect(await notes.lease(chain, 'one', 40_000)).toEqual({})
    expect(await notes.lease(chain, 'two', 40_000)).toBeUndefined()
    expect(await notes.lease('BSC', 'two', 40_000)).toEqual({})
    await sleep(39_000)
    expect(await notes.lease(chain, 'one', 40_000)).toEqual({ before: 'one' })
    await sleep(39_000)
    expect(await notes.lease(chain, 'two', 40_000)).toBeUndefined()
    await sleep(1_000)
    expect(await notes.lease(chain, 'two', 40_000)).toEqual({ before: 'one' })
    // It is not released by the follower that has lost it.
    await notes.release(chain, 'one')
    expect(await notes.lease(chain, 'one', 40_000)).toBeUndefined()
    await notes.release(chain, 'two')
    expect(await notes.lease(chain, 'one', 40_000)).toEqual({})
  })

  test('is taken by one of eight followers at once', async () => {
    const holders = Array.from({ length: 8 }, (_, index) => `follower ${index}`)
    const leased = await Promise.all(holders.map((each) => notes.lease(chain, each, 40_000)))
    expect(leased.filter(Boolean)).toHaveLength(1)
  })
})

describe('D66: the position', () => {
  test('is read as it was written, beside the lease', async () => {
    expect(await notes.position(chain)).toBeUndefined()
    await notes.lease(chain, 'one', 40_000)
    expect(await notes.position(chain)).toBeUndefined()
    expect(await notes.moveTo(chain, 'one', position(), undefined)).toBe(true)
    expect(await notes.position(chain)).toEqual(position())
    expect(await notes.lease(chain, 'two', 40_000)).toBeUndefined()
  })

  test('has how far events may settle, unless a release that keeps nothing has written it since', async () => {
    const [declaredBefore, declared] = [3, 5].map((number) => ({ number, at: start, hash: '0xa' }))
    const answer = { readUpTo: 9, answeredAt: start, events: { [contract]: [[8, 'b.0']] } } as const
    const settling = { declared, declaredBefore, answer } as SettlingPosition
    await notes.lease(chain, 'one', 40_000)
    await notes.moveTo(chain, 'one', { ...position(), settling }, undefined)
    expect(await notes.position(chain)).toMatchObject({ settling })
    await put(followKey(chain), { ...(await get(followKey(chain))), step: 99 })
    expect(await notes.position(chain)).not.toHaveProperty('settling')
    await notes.moveTo(chain, 'one', position({ step: 100 }), undefined)
    expect(await get(followKey(chain))).not.toHaveProperty('settling')
  })

  test('is written in place of the one that was read, by the holder of the lease', async () => {
    await notes.lease(chain, 'one', 40_000)
    await notes.moveTo(chain, 'one', position(), undefined)
    const next = position({ step: 8 })
    expect(await notes.moveTo(chain, 'two', next, position())).toBe(false)
    expect(await notes.moveTo(chain, 'two', next, undefined)).toBe(false)
    expect(await notes.moveTo(chain, 'one', next, position({ step: 6 }))).toBe(false)
    expect(await notes.position(chain)).toEqual(position())
    const tries = Array.from({ length: 8 }, () => notes.moveTo(chain, 'one', next, position()))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
    expect(await notes.position(chain)).toEqual(next)
  })

  test('of a chain without a lease is not written', async () => {
    expect(await notes.moveTo(chain, 'one', position(), undefined)).toBe(false)
    expect(await get(followKey(chain))).toBeUndefined()
  })
})

describe('D66: notes', () => {
  test('have the latest time, in whatever order they are written, and end after two days', async () => {
    const noted = { wallet: alice, contract }
    const note = (block: number, at: number) =>
      notes.noteMovements(chain, [{ ...noted, block, at }])
    await note(100, start)
    await note(98, start - 4_000)
    const key = movementKey(alice, { chain, address: contract })
    expect(await get(key)).toMatchObject({
      block: 100,
      at: start,
      expiresAt: start / 1_000 + 172_800,
    })
    await note(101, start + 2_000)
    expect(await get(key)).toMatchObject({ block: 101, at: start + 2_000 })
  })

  test('of new metadata have the latest time, and make no item', async () => {
    await ask(contract)
    const note = (at: number) =>
      notes.noteMetadata(chain, [
        { contract, at },
        { contract: other, at },
      ])
    await note(start)
    await note(start - 4_000)
    expect(await get(followedContractKey({ chain, address: contract }))).toMatchObject({
      ...{ leasedUntil: start + day, metadataChangedAt: start },
    })
    expect(await get(followedContractKey({ chain, address: other }))).toBeUndefined()
  })

  test('of contracts are written if the contract is as it was read', async () => {
    await ask(contract)
    await ask(other)
    const [one, two] = await notes.contracts(chain)
    if (!one || !two) throw new Error('the contracts are not there')
    // A read renews the lease of one of them.
    await ask(other, { leasedUntil: start + day + 1 })
    const since = { number: 60, at: start - 82_000 }
    const changes = [one, two].map((from) => ({ from, since }))
    expect(await notes.noteContracts(chain, changes)).toBe(false)
    expect(await notes.contracts(chain)).toEqual([
      { address: contract, leasedUntil: start + day, since },
      { address: other, leasedUntil: start + day + 1 },
    ])
    const suspendedUntil = start + 3_600_000
    const [followed] = await notes.contracts(chain)
    if (!followed) throw new Error('the contract is not there')
    expect(await notes.noteContracts(chain, [{ from: followed, suspendedUntil }])).toBe(true)
    expect(await notes.noteContracts(chain, [{ from: followed, since }])).toBe(false)
    expect(await notes.contracts(chain)).toMatchObject([
      { address: contract, suspendedUntil, since: undefined },
      { address: other },
    ])
  })

  test('of all contracts are read, page by page', async () => {
    const before = aws.proxy.count('Query')
    const addresses = Array.from({ length: 8 }, (_, index) => addressOf(index))
    for (const address of addresses) await ask(address, { filling: 'x'.repeat(300_000) })
    expect((await notes.contracts(chain)).map(({ address }) => address)).toEqual(addresses)
    expect(aws.proxy.count('Query') - before).toBeGreaterThan(1)
  })
})

describe('D66: a follower whose place another one has taken ends quietly', () => {
  test('without a call to the source, while the other one has the lease', async () => {
    await ask(contract)
    await notes.lease(chain, 'another', 40_000)
    const source = memoryChain(Date.now)
    let calls = 0
    const counted = beforeEachCall(source, async () => {
      calls += 1
    })
    expect(await follow(counted, 30)).toEqual({ steps: 0, failures: 0, busy: 0, refused: 0 })
    expect(calls).toBe(0)
    expect(await follow(counted, 30)).toMatchObject({ failures: 0, readUpTo: expect.any(Number) })
  })

  test('without a note of the position, when it notices that it has lost the lease', async () => {
    await ask(contract)
    await follow(memoryChain(Date.now))
    const before = await notes.position(chain)
    await sleep(5_000)
    const source = memoryChain(Date.now)
    source.emit({ contract, wallets: [alice] })
    await sleep(4_000)
    const events: ChainEvents['events'] = async (...query) => {
      await put(followKey(chain), { ...before, holder: 'another', leasedUntil: Date.now() + day })
      return source.events(...query)
    }
    expect(await follow({ ...source, events })).toEqual({
      steps: 0,
      failures: 0,
      busy: 0,
      refused: 0,
    })
    expect(await notes.position(chain)).toEqual(before)
    expect(await get(followKey(chain))).toMatchObject({ holder: 'another' })
    // The note of a movement is right, whoever writes it.
    expect(await get(movementKey(alice, { chain, address: contract }))).toBeDefined()
  })
})
