import { describe, expect, test } from 'vitest'
import { contractOf, day, first, hour, second, startChoice, third, wait } from './choice-fixture.ts'

const { choose, wanted, read, change, kept, actionsOf } = await startChoice()

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
    expect(await choose(2)).toMatchObject({ begun: [third], letGo: [second] })
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
    expect(chosen.flatMap(({ begun }) => begun)).toEqual([contractOf(4)])
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
