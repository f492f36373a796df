import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dynamoSnapshotAttempts } from '../../../../lib/adapters/dynamodb/keeping/snapshot-attempts.ts'
import { snapshotAttemptKey } from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { ServiceUnavailable } from '../../../../lib/domain/failures.ts'
import type { SnapshotAttempt } from '../../../../lib/domain/snapshots/snapshot-attempt.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import { expectOneOf, now } from '../stored-fixture.ts'
import { alice, balances, bob, longIds, snapshot, startKeptLists } from './kept-list-fixture.ts'

const { aws, changeNow, items, kept, loseOnce, read, requestsOf, settle, table } =
  await startKeptLists()
const attempts = dynamoSnapshotAttempts(table)
const { chain, address } = snapshot
const contract = { chain, address }
const key = snapshotAttemptKey(contract)

const first = { id: 'a', count: 7, sum: '0' }

const attempt = (version: number, changes: Partial<SnapshotAttempt> = {}): SnapshotAttempt => ({
  ...{ version, takenUntil: now + 1, standard: 'ERC721', statedAt: now - 2, first },
  ...changes,
})

const whole = attempt(2, {
  first: { ...first, pageKey: 'next', isWriting: true, readBy: now, sum: `${2n ** 128n - 1n}` },
  second: { ...first, id: 'b' },
  agreed: { block: { number: 7, hash: '0x7', at: 8 }, corrected: 9 },
})

describe('an attempt to take a snapshot', () => {
  test('is read as it was written', async () => {
    expect(await attempts.get(contract)).toBeUndefined()
    expect(await attempts.write(contract, attempt(1))).toBe(true)
    expect(await attempts.write({ ...contract, chain: 'BSC' }, attempt(1, { statedAt: 5 }))).toBe(
      true,
    )
    expect(await attempts.get(contract)).toStrictEqual(attempt(1))
    expect(await attempts.write(contract, whole)).toBe(true)
    expect(await attempts.get(contract)).toStrictEqual(whole)
    // Nothing of the version before is left.
    await attempts.write(contract, attempt(3))
    expect(await attempts.get(contract)).toStrictEqual(attempt(3))
    expect(await attempts.get({ chain, address: addressOf(5) })).toBeUndefined()
  })

  test('is kept for seven days', async () => {
    vi.setSystemTime(now + 1)
    await attempts.write(contract, attempt(1))
    expect(await items.get(key)).toMatchObject({ expiresAt: now / 1_000 + 1 + 7 * 86_400 })
  })

  test('is written in place of the version before', async () => {
    expect(await attempts.write(contract, attempt(2))).toBe(false)
    expect(await attempts.write(contract, attempt(1))).toBe(true)
    for (const version of [0, 1, 3])
      expect(await attempts.write(contract, attempt(version, { takenUntil: 0 }))).toBe(false)
    expect(await attempts.get(contract)).toEqual(attempt(1))
  })

  test.each([1, 2])(
    'is written by one process, also with the same content: version %i',
    async (version) => {
      if (version === 2) await attempts.write(contract, attempt(1))
      await expectOneOf(8, () => attempts.write(contract, attempt(version)))
    },
  )

  test('is written once if the response is lost', async () => {
    loseOnce('PutItem')
    const requests = await requestsOf(async () => {
      expect(await attempts.write(contract, attempt(1))).toBe(true)
      expect(await attempts.write(contract, attempt(2))).toBe(true)
    })
    expect(requests).toEqual(Array(4).fill('PutItem'))
    expect(await attempts.get(contract)).toEqual(attempt(2))
  })

  test('is ended if it is of the version, also if the response is lost', async () => {
    await attempts.end(contract, 1)
    await attempts.write(contract, attempt(1))
    await attempts.end(contract, 2)
    expect(await attempts.get(contract)).toEqual(attempt(1))
    loseOnce('DeleteItem')
    await attempts.end(contract, 1)
    expect(await items.get(key)).toBeUndefined()
    expect(await attempts.write(contract, attempt(1))).toBe(true)
  })

  describe.each<[string, object]>([
    ['its version', { version: undefined }],
    ['the form of its version', { version: 'x' }],
    ['a pass', { first: { ...first, sum: 'x' } }],
    ['a pass and its write', { second: {}, writeId: undefined }],
    ['everything', Object.fromEntries([...Object.keys(whole), 'writeId'].map((name) => [name]))],
  ])('that is damaged: %s', (_, damage) => {
    beforeEach(async () => {
      await attempts.write(contract, attempt(1))
      await attempts.write(contract, whole)
      await items.put(key, { ...(await items.get(key)), ...damage })
    })

    test('counts as none, and one process begins anew', async () => {
      expect(await attempts.get(contract)).toBeUndefined()
      loseOnce('PutItem')
      await expectOneOf(4, () => attempts.write(contract, attempt(1)))
      expect(await attempts.get(contract)).toStrictEqual(attempt(1))
      expect(await attempts.write(contract, attempt(2))).toBe(true)
    })

    test('is not replaced if another process was faster', async () => {
      const other = attempt(1, { statedAt: 5 })
      aws.interfere({
        async onResponse({ action }) {
          if (action !== 'GetItem') return undefined
          aws.interfere({})
          expect(await attempts.write(contract, other)).toBe(true)
          return undefined
        },
      })
      expect(await attempts.write(contract, attempt(1))).toBe(false)
      expect(await attempts.get(contract)).toStrictEqual(other)
    })
  })
})

describe('the list of an owner', () => {
  type Tokens = ReturnType<typeof balances>
  const add = (tokens: Tokens, to = alice) => attempts.addToList(snapshot, to, tokens)
  const [short, long] = [balances([1, 2, 3]), balances(longIds(300))]
  const changed = new Map([...balances([2, 9]), ...balances([3], 5n)])

  test('is written as block 0 of a new list with one request', async () => {
    expect(await requestsOf(() => add(short))).toEqual(['PutItem'])
    expect(await read()).toMatchObject({ settledUpTo: 0, tokens: short })
    // A repetition, after a crash or a lost response.
    expect(await requestsOf(() => add(short))).toEqual(['PutItem'])
    loseOnce('PutItem')
    expect(await add(short, bob)).toBe(true)
    expect(await read(bob)).toMatchObject({ settledUpTo: 0, tokens: short })
  })

  test.each<[string, Tokens, Tokens]>([
    ['short', short, changed],
    ['short, then long', short, long],
    ['long', long, new Map([...balances(longIds(310).slice(200)), ...balances([5], 7n)])],
    ['long, then short', long, changed],
    ['long, then empty', long, new Map()],
    ['empty, then long', new Map(), long],
  ])('has what it had, and what is added: %s', async (_, before, added) => {
    expect(await add(before)).toBe(true)
    const tokens = new Map([...before, ...added])
    for (const _time of ['first', 'repeated']) {
      expect(await add(added)).toBe(true)
      expect(await read()).toMatchObject({ settledUpTo: 0, tokens })
    }
  })

  test.each([
    [balances([1, 2]), balances([3, 4])],
    [balances(longIds(300).slice(0, 150)), balances(longIds(300).slice(150))],
  ])('has what is added to it at the same time: %#', async (one, other) => {
    expect(await Promise.all([add(one), add(other)])).toEqual([true, true])
    expect(await read()).toMatchObject({ settledUpTo: 0, tokens: new Map([...one, ...other]) })
  })

  test('is changed with a write between two reads, and not if it has this already', async () => {
    await add(short)
    const requests = await requestsOf(() => add(changed))
    expect(requests).toEqual(['PutItem', 'GetItem', 'PutItem', 'GetItem'])
    await add(long)
    const repeated = await requestsOf(() => add(changed))
    expect(repeated).toEqual(['PutItem', 'GetItem', 'BatchGetItem of 1', 'BatchGetItem of 4'])
  })

  test('is read after the write if it is new and has 1,000 tokens, of which fewer always fit', async () => {
    const longest = (count: number) => balances(longIds(count), 2n ** 256n - 1n)
    const reads = async (count: number, to: typeof alice) => {
      const requests = await requestsOf(async () =>
        expect(await add(longest(count), to)).toBe(true),
      )
      expect(await read(to)).toMatchObject({ settledUpTo: 0, tokens: longest(count) })
      return requests.filter((action) => action !== 'PutItem')
    }
    expect(await reads(999, alice)).toEqual([])
    expect(await reads(1_000, bob)).toEqual(['GetItem', 'BatchGetItem of 1', 'BatchGetItem of 16'])
  })

  test.each([short, long])('stays as events have made it: %#', async (before) => {
    await add(before)
    await settle(1, [2], 0n)
    const settled = await read()
    for (const tokens of [before, changed, new Map()]) expect(await add(tokens)).toBe(true)
    expect(await read()).toEqual(settled)
  })

  test('is too long for good if it is, at once or with what is added', async () => {
    const one = balances(longIds(6_000).slice(0, 3_000))
    const other = balances(longIds(6_000).slice(3_000))
    const isTooLong = { settledUpTo: 0, isTooLong: true, tokens: new Map() }
    const addAll = async () => expect(await add(new Map([...one, ...other]))).toBe(false)
    expect(await requestsOf(addAll)).toEqual(['PutItem', 'GetItem'])
    expect(await read()).toMatchObject(isTooLong)
    expect(await requestsOf(addAll)).toEqual(['PutItem', 'GetItem'])
    expect([await add(one, bob), await add(other, bob)]).toEqual([true, false])
    expect(await read(bob)).toMatchObject(isTooLong)
    expect([await add(one, bob), await add(short, bob)]).toEqual([false, false])
    expect(await read(bob)).toMatchObject(isTooLong)
  })

  test('is too long also if events have settled in it', async () => {
    await add(short)
    await changeNow({ settledUpTo: 1, balances: new Map(), isTooLong: true })
    expect(await add(short)).toBe(false)
    expect(await read()).toMatchObject({ settledUpTo: 1, isTooLong: true })
  })

  /** Has the list get a token after each of some reads of it, from one on. Returns how often it was read. */
  function changeAfterReads(times: number, from: number) {
    let reads = 0
    aws.interfere({
      async onResponse({ action }) {
        if (action !== 'GetItem') return undefined
        reads += 1
        if (reads <= times) {
          const change = { settledUpTo: 0, balances: balances([from + reads - 1]) }
          await kept.change(snapshot, alice, await read(), change)
        }
        return undefined
      },
    })
    return () => reads
  }

  test('is read again if it changes meanwhile, and unavailable if it changes over and over', async () => {
    await add(short)
    let reads = changeAfterReads(3, 21)
    expect(await add(changed)).toBe(true)
    // Three before writes in vain, one before the write, and one after it.
    expect(reads()).toBe(5)
    const all = new Map([...short, ...changed, ...balances([21, 22, 23])])
    expect((await read())?.tokens).toEqual(all)
    reads = changeAfterReads(5, 31)
    await expect(add(short)).rejects.toThrow(ServiceUnavailable)
    expect(reads()).toBe(5)
    const others = balances([31, 32, 33, 34, 35])
    expect((await read())?.tokens).toEqual(new Map([...all, ...others]))
  })
})
