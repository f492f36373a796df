import { describe, expect, test } from 'vitest'
import {
  followedContractKey,
  followKey,
  readersKey,
} from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import type { SettlingPosition } from '../../../lib/domain/holdings/kept-contract.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { contract, other } from '../../support/follower/followed.ts'
import { day, followedTable, position, sleep, start } from '../../support/follower/stored-notes.ts'
import { expectOneOf, startStored } from './stored-fixture.ts'

const { requestsOf, table } = await startStored()
const { get, notes, put, watch } = followedTable(table)
const chain = 'POLYGON'

describe('D152: the lease of a chain', () => {
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
    await expectOneOf(8, (index) => notes.lease(chain, `follower ${index}`, 40_000))
  })
})

describe('D152: the position', () => {
  test('is read as it was written, beside the lease', async () => {
    expect(await notes.position(chain)).toBeUndefined()
    await notes.lease(chain, 'one', 40_000)
    expect(await notes.position(chain)).toBeUndefined()
    expect(await notes.moveTo(chain, 'one', position(), undefined)).toBe(true)
    expect(await notes.position(chain)).toEqual(position())
    expect(await notes.lease(chain, 'two', 40_000)).toBeUndefined()
  })

  test('has how far events may settle, as the latest write says', async () => {
    const [declaredBefore, declared] = [3, 5].map((number) => ({ number, at: start, hash: '0xa' }))
    const answer = { readUpTo: 9, answeredAt: start, events: { [contract]: [[8, 'b.0']] } } as const
    const settling = { declared, declaredBefore, answer } as SettlingPosition
    await notes.lease(chain, 'one', 40_000)
    await notes.moveTo(chain, 'one', { ...position(), settling }, undefined)
    expect(await notes.position(chain)).toMatchObject({ settling })
    await notes.moveTo(chain, 'one', position({ step: 8 }), position())
    expect(await notes.position(chain)).not.toHaveProperty('settling')
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
    await expectOneOf(8, () => notes.moveTo(chain, 'one', next, position()))
    expect(await notes.position(chain)).toEqual(next)
  })

  test('of a chain without a lease is not written', async () => {
    expect(await notes.moveTo(chain, 'one', position(), undefined)).toBe(false)
    expect(await get(followKey(chain))).toBeUndefined()
  })
})

describe('D152: what readers of kept contracts see', () => {
  test('is the latest position, for a day, with when they have read last', async () => {
    const show = (step: number, confirmedUpTo: number) =>
      notes.showReaders(chain, { step, confirmedUpTo })
    expect(await show(7, start)).toEqual({})
    await put(readersKey(chain), { ...(await get(readersKey(chain))), askedAt: start + 1 })
    expect(await show(8, start)).toEqual({ askedAt: start + 1 })
    expect(await show(8, start)).toBeUndefined()
    expect(await show(7, start)).toBeUndefined()
    const expiresAt = start / 1_000 + 86_400
    expect(await get(readersKey(chain))).toMatchObject({
      ...{ step: 8, confirmedUpTo: start, askedAt: start + 1, expiresAt },
    })
  })

  test('is one of a lower step that confirms more, after the position was lost', async () => {
    await notes.showReaders(chain, { step: 9_000, confirmedUpTo: start })
    expect(await notes.showReaders(chain, { step: 1, confirmedUpTo: start - 1 })).toBeUndefined()
    expect(await notes.showReaders(chain, { step: 2, confirmedUpTo: start + 1 })).toEqual({})
    expect(await get(readersKey(chain))).toMatchObject({ step: 2, confirmedUpTo: start + 1 })
  })
})

describe('D152: notes', () => {
  test('of contracts are written if the contract is as it was read', async () => {
    await watch(contract)
    await watch(other)
    const [one, two] = await notes.contracts(chain)
    if (!one || !two) throw new Error('the contracts are not there')
    // Another follower suspends one of them.
    const suspendedUntil = start + 3_600_000
    await watch(other, { suspendedUntil })
    const changes = [one, two].map((from) => ({ from, isLogged: true }) as const)
    expect(await notes.noteContracts(chain, changes)).toBe(false)
    const watchedUntil = start + day
    expect(await notes.contracts(chain)).toEqual([
      { address: contract, watchedUntil, isLogged: true },
      { address: other, watchedUntil, suspendedUntil },
    ])
    const [logged] = await notes.contracts(chain)
    if (!logged) throw new Error('the contract is not there')
    const refusedUntil = suspendedUntil
    expect(await notes.noteContracts(chain, [{ from: logged, suspendedUntil, refusedUntil }])).toBe(
      true,
    )
    expect(await notes.noteContracts(chain, [{ from: logged, isLogged: true }])).toBe(false)
    expect((await notes.contracts(chain))[0]).toEqual({
      ...{ address: contract, watchedUntil, suspendedUntil, refusedUntil },
    })
  })

  test('of a contract that was deleted meanwhile make no item', async () => {
    const from = { address: contract, watchedUntil: start }
    expect(await notes.noteContracts(chain, [{ from, isLogged: true }])).toBe(false)
    expect(await get(followedContractKey({ chain, address: contract }))).toBeUndefined()
  })

  test('of all contracts are read, page by page', async () => {
    const addresses = Array.from({ length: 8 }, (_, index) => addressOf(index))
    for (const address of addresses) await watch(address, { filling: 'x'.repeat(300_000) })
    const requests = await requestsOf(async () => {
      expect((await notes.contracts(chain)).map(({ address }) => address)).toEqual(addresses)
    })
    expect(requests.length).toBeGreaterThan(1)
  })
})

const { head } = position()

/** Positions that are damaged, or of another form. */
const damagedPositions: [string, object][] = [
  ['nothing', {}],
  ['no last block', { ...position(), head: undefined }],
  ['a text as its last block', { ...position(), head: 'x' }],
  ['a text as the time of its last block', { ...position(), head: { ...head, at: '1' } }],
  ['a number beyond 2^53', { ...position(), head: { ...head, at: 2n ** 70n } }],
  ['a text as the time that is confirmed', { ...position(), confirmedUpTo: 'x' }],
  ['a step that is a text', { ...position(), step: '7' }],
  ['no step', { ...position(), step: undefined }],
  ['no known blocks', { ...position(), blocks: undefined }],
  ['an empty list of blocks', { ...position(), blocks: [] }],
  ['a text as the time of a block', { ...position(), blocks: [{ ...head, readAt: '1' }] }],
]

/** Attributes that make the item of a contract a damaged one. */
const damagedContracts: [string, object][] = [
  ['a text as the end of its watch', { watchedUntil: 'x' }],
  ['a time beyond 2^53 as the end of its watch', { watchedUntil: 2n ** 70n }],
  ['a text as the end of its suspension', { suspendedUntil: 'x' }],
  ['a text as whether it is logged', { isLogged: 'x' }],
]

describe('D152: what is damaged in the table', () => {
  test.each(damagedPositions)(
    'a position is none, and is replaced, with %s',
    async (_, damaged) => {
      await put(followKey(chain), damaged)
      expect(await notes.position(chain)).toBeUndefined()
      await notes.lease(chain, 'one', 40_000)
      expect(await notes.moveTo(chain, 'one', position({ step: 1 }), undefined)).toBe(true)
      expect(await notes.position(chain)).toEqual(position({ step: 1 }))
    },
  )

  test.each([
    ...damagedContracts,
    ['a key that is no address', { sk: 'CONTRACT#0x12' }],
    ['a key with an address in upper case', { sk: `CONTRACT#0x${'AB'.repeat(20)}` }],
  ])('a contract with %s is left out, and no other', async (_, damage) => {
    await watch(other)
    await watch(contract, damage)
    expect((await notes.contracts(chain)).map(({ address }) => address)).toEqual([other])
  })

  test('what another release has added is left as it is', async () => {
    await put(followKey(chain), { ...position({ step: 7 }), added: 'x' })
    await watch(contract, { isLogged: true, added: { to: 'x' } })
    expect(await notes.position(chain)).toEqual(position())
    await notes.lease(chain, 'one', 40_000)
    expect(await notes.moveTo(chain, 'one', position({ step: 8 }), position())).toBe(true)
    expect(await get(followKey(chain))).toMatchObject({ added: 'x', step: 8 })
    const [from] = await notes.contracts(chain)
    if (!from) throw new Error('the contract is not there')
    await notes.noteContracts(chain, [{ from }])
    const item = await get(followedContractKey({ chain, address: contract }))
    expect(item).toMatchObject({ added: { to: 'x' } })
    expect(item).not.toHaveProperty('isLogged')
  })
})
