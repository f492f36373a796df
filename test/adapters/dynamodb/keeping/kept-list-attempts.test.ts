import { describe, expect, test } from 'vitest'
import type { TokenId } from '../../../../lib/domain/allowlist/token-id.ts'
import type { KeptList, ListChange } from '../../../../lib/domain/ports/kept-contracts.ts'
import {
  alice,
  balances,
  keptUntil,
  keptWith,
  longIds,
  snapshot,
  startKeptLists,
  state,
  unlessKilled,
} from './kept-list-fixture.ts'

const { aws, change, changeNow, items, read, settle, table } = await startKeptLists()
const ids = longIds(1_000)

/** A token identifier between two of them. */
const between = (tokenId: bigint) => tokenId + 2n ** 200n

/** A change of a list, from what is there before. */
interface Scenario {
  before: ReturnType<typeof balances> | undefined
  changed: ReturnType<typeof balances>
  /** How many writes the change is. */
  writes: number
}

const scenarios: [string, Scenario][] = [
  ['a new list', { before: undefined, changed: balances([1, 2]), writes: 1 }],
  ['a short list', { before: balances([1]), changed: balances([2], 5n), writes: 1 }],
  ['a new long list', { before: undefined, changed: balances(ids.slice(0, 300)), writes: 6 }],
  [
    'a short list that becomes long',
    { before: balances([1]), changed: balances(ids.slice(0, 300)), writes: 6 },
  ],
  // Three parts change, one of which is divided.
  [
    'a long list',
    {
      before: balances(ids),
      changed: balances(
        [...ids.slice(0, 2).map(between), ...ids.slice(130, 190).map(between), ids[999] ?? 0n],
        3n,
      ),
      writes: 5,
    },
  ],
]

const begin = async ({ before }: Scenario) => {
  await items.empty()
  if (before) await changeNow({ settledUpTo: 90, balances: before })
  return await read()
}

const together = (...parts: (ReadonlyMap<TokenId, bigint> | undefined)[]) =>
  new Map(parts.flatMap((part) => [...(part ?? [])]))

const changeWith = (
  attempt: ReturnType<typeof keptWith>,
  from: KeptList | undefined,
  to: ListChange,
) => unlessKilled(attempt.kept.change(snapshot, alice, from, to))

describe.each(scenarios)('a change of %s', (_, scenario) => {
  const { before, changed, writes } = scenario
  const to = (settledUpTo: number): ListChange => ({ settledUpTo, balances: changed })

  test('is made once, from what was read', async () => {
    const from = await begin(scenario)
    const attempt = keptUntil(table, Number.POSITIVE_INFINITY)
    expect(await changeWith(attempt, from, to(100))).toBe(true)
    expect(attempt.writes()).toBe(writes)
    expect(state(await read())).toEqual({ settledUpTo: 100, tokens: together(before, changed) })
    // Whoever has read it before does not change it any more, and a repetition is no other change.
    expect(await change(from, { ...to(101), balances: balances([5]) })).toBe(false)
    expect(await change(from, to(100))).toBe(true)
    await settle(101, [77])
    expect(await change(from, to(100))).toBe(false)
    expect(state(await read())).toEqual({
      settledUpTo: 101,
      tokens: together(before, changed, balances([77])),
    })
  })

  test('is as none after a crash before each of its writes, and a later attempt is right', async () => {
    for (let write = 0; write < writes; write += 1) {
      const from = await begin(scenario)
      expect(await changeWith(keptUntil(table, write), from, to(100))).toBeUndefined()
      expect(state(await read())).toEqual(state(from))
      // Then one more process ends, a write later, with a list that is a bit longer.
      const more = { settledUpTo: 110, balances: together(changed, balances([88])) }
      await changeWith(keptUntil(table, write + 1), from, more)
      const next = { settledUpTo: 120, balances: together(more.balances, balances([99])) }
      await changeNow(next)
      const tokens = together(before, next.balances)
      expect(state(await read()), `${write} writes`).toEqual({ settledUpTo: 120, tokens })
    }
  })

  test('is completed by a repetition after a crash', async () => {
    for (let write = 0; write < writes; write += 1) {
      const from = await begin(scenario)
      await changeWith(keptUntil(table, write), from, to(100))
      expect(await change(from, to(100))).toBe(true)
      const tokens = together(before, changed)
      expect(state(await read()), `${write} writes`).toEqual({ settledUpTo: 100, tokens })
    }
  })

  test('is made if the response to one of its writes is lost', async () => {
    for (let write = 0; write < writes; write += 1) {
      const from = await begin(scenario)
      const lost = aws.proxy.count('PutItem') + write
      aws.interfere({
        onResponse: ({ action, index }) =>
          action === 'PutItem' && index === lost ? 'drop' : undefined,
      })
      expect(await change(from, to(100)), `${write} writes`).toBe(true)
      expect(state(await read())).toEqual({ settledUpTo: 100, tokens: together(before, changed) })
    }
  })

  test.each([95, 100, 105])('is made or not beside another one up to block %i', async (block) => {
    const others = { settledUpTo: block, balances: together(changed, balances([66])) }
    for (let write = 0; write < writes; write += 1) {
      const from = await begin(scenario)
      const attempt = keptWith(table, async (place) => {
        if (place === write) expect(await change(from, others)).toBe(true)
      })
      expect(await changeWith(attempt, from, to(100)), `${write} writes`).toBe(false)
      const tokens = together(before, others.balances)
      expect(state(await read())).toEqual({ settledUpTo: block, tokens })
      await settle(110, [67])
      expect((await read())?.tokens).toEqual(together(tokens, balances([67])))
    }
  })

  test.each([95, 100, 105])(
    'is made beside one up to block %i that ends before it is made',
    async (block) => {
      const others = { settledUpTo: block, balances: together(changed, balances([66])) }
      for (let write = 0; write < writes; write += 1) {
        for (let last = 0; last < writes; last += 1) {
          const from = await begin(scenario)
          const attempt = keptWith(table, async (place) => {
            if (place === write) await changeWith(keptUntil(table, last), from, others)
          })
          expect(await changeWith(attempt, from, to(100)), `${write}, ${last}`).toBe(true)
          const tokens = together(before, changed)
          expect(state(await read())).toEqual({ settledUpTo: 100, tokens })
        }
      }
    },
  )
})
