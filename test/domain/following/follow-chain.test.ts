import { describe, expect, test } from 'vitest'
import {
  alice,
  bob,
  contract,
  followedForAMinute,
  other,
  settings,
} from '../../support/follower/followed.ts'
import { addressOf } from '../../support/follower/memory-chain.ts'

describe('D66: the follower of a chain', () => {
  test('notes the wallets of a movement, not before its time, and the last block that is read', async () => {
    const { chain, table, noted, now, follow } = await followedForAMinute()
    const movedAt = now()
    chain.emit({ contract, wallets: [alice, bob] })
    chain.emit({ contract: other, wallets: [alice] })
    const report = await follow(6)
    expect([...table.moved.keys()]).toEqual([
      `POLYGON ${alice} ${contract}`,
      `POLYGON ${bob} ${contract}`,
    ])
    expect(noted.movedAt(alice, contract)).toBeGreaterThanOrEqual(movedAt - 2_000)
    expect(report).toMatchObject({ steps: 2, failures: 0, readUpTo: noted.position()?.head.at })
    expect(now() - (noted.position()?.head.at ?? 0)).toBeLessThan(5_000)
  })

  test('a movement is noted once, so that later readings are not in doubt', async () => {
    const { chain, noted, follow } = await followedForAMinute()
    chain.emit({ contract, wallets: [alice] })
    await follow(6)
    const at = noted.movedAt(alice, contract)
    await follow(60)
    expect(noted.movedAt(alice, contract)).toBe(at)
  })

  test('new metadata is noted with its contract', async () => {
    const { chain, noted, now, follow } = await followedForAMinute()
    const changedAt = now()
    chain.emit({ contract, wallets: [] })
    await follow(6)
    expect(noted.contract(contract)?.metadataChangedAt).toBeGreaterThanOrEqual(changedAt - 2_000)
  })

  test('a contract is followed from before the reading that has asked about it', async () => {
    const { noted, ask, now, follow } = await followedForAMinute()
    const askedAt = now()
    ask(other)
    await follow(6)
    const { since } = noted.contract(other) ?? {}
    expect(since?.at).toBeLessThanOrEqual(askedAt - settings.settlingSeconds * 1_000)
    expect(since?.at).toBe((since?.number ?? 0) * 2_000)
  })

  test('an event that the source shows late is noted, with a time that is not earlier', async () => {
    const { chain, table, noted, follow } = await followedForAMinute()
    chain.emit({ contract, wallets: [alice] })
    const [log] = chain.logs
    if (log) chain.hidden.add(log)
    await follow(26)
    expect(table.moved.size).toBe(0)
    chain.hidden.clear()
    await follow(1)
    expect(noted.movedAt(alice, contract)).toBe(noted.position()?.head.at)
  })

  test('a contract whose lease has ended is not followed any more, and anew after another read', async () => {
    const { chain, noted, ask, sleep, follow, holes } = await followedForAMinute()
    ask(contract, 10_000)
    await sleep(11_000)
    await follow(1)
    expect(noted.contract(contract)?.since).toBeUndefined()
    chain.emit({ contract, wallets: [alice] })
    await follow(120)
    ask(contract)
    await follow(1)
    expect(noted.contract(contract)?.since).toBeDefined()
    expect(holes()).toEqual([])
  })
})

describe('D66: what was read before is not used any more', () => {
  test('after a noted event has vanished', async () => {
    const { chain, noted, now, sleep, follow } = await followedForAMinute()
    chain.emit({ contract, wallets: [alice] })
    await sleep(5_000)
    await follow(1)
    await sleep(5_000)
    chain.logs = []
    await follow(1)
    expect(noted.position()?.distrustedBefore).toBe(now())
  })

  test('after a gap, and all contracts are followed from then on only', async () => {
    const { chain, noted, now, sleep, follow, holes } = await followedForAMinute()
    chain.emit({ contract, wallets: [alice] })
    await sleep(3 * 3_600_000)
    const resumedAt = now()
    await follow(1)
    expect(noted.position()?.distrustedBefore).toBe(resumedAt)
    expect(noted.contract(contract)?.since?.at).toBeGreaterThan(resumedAt - 120_000)
    expect(holes()).toEqual([])
  })

  test('when the position is lost', async () => {
    const { table, noted, now, sleep, follow } = await followedForAMinute()
    table.positions.clear()
    await sleep(600_000)
    const resumedAt = now()
    await follow(1)
    expect(noted.position()?.distrustedBefore).toBe(resumedAt)
    expect(noted.contract(contract)?.since?.at).toBeGreaterThan(resumedAt - 120_000)
  })
})

describe('D66: the position does not move', () => {
  test('when the source is behind it, which is no reorganisation', async () => {
    const { chain, noted, sleep, follow } = await followedForAMinute()
    const before = noted.position()
    await sleep(2_000)
    chain.behind = 10
    await follow(1)
    expect(noted.position()).toEqual(before)
  })

  test('past the time of the latest block, however late it is', async () => {
    const { chain, noted, now, sleep, follow } = await followedForAMinute()
    await sleep(300_000)
    chain.behind = 100
    await follow(1)
    expect(noted.position()?.head.at).toBe(Math.floor(now() / 2_000) * 2_000 - 200_000)
  })

  test('when the latest block has a time of the future', async () => {
    const { chain, noted, sleep, follow } = await followedForAMinute()
    const before = noted.position()
    await sleep(5_000)
    chain.ahead = 60_000
    expect(await follow(1)).toMatchObject({ steps: 0, failures: 1 })
    expect(noted.position()).toEqual(before)
  })
})

describe('D66: blocks whose times are not in the order of their numbers', () => {
  test('cannot shorten the overlap', async () => {
    const { chain, noted, sleep, follow } = await followedForAMinute()
    const before = noted.position()
    await sleep(5_000)
    const head = async () => ({ ...(await chain.head('POLYGON', 0)), at: 0 })
    expect(await follow(1, { chainEvents: { ...chain, head } })).toMatchObject({ failures: 1 })
    expect(noted.position()).toEqual(before)
  })

  test('cannot note a movement in the future', async () => {
    const { chain, table, noted, now, sleep, follow } = await followedForAMinute()
    chain.emit({ contract, wallets: [alice] })
    // More blocks than one step reads, so that the last block of the step is not the latest one.
    await sleep(5_000_000)
    const block = async (...[, number]: Parameters<typeof chain.block>) => {
      const found = await chain.block('POLYGON', number, 0)
      return found && { ...found, at: found.at * 1_000 }
    }
    expect(await follow(1, { chainEvents: { ...chain, block } })).toMatchObject({ failures: 1 })
    expect(table.moved.size).toBe(0)
    await follow(1)
    expect(noted.movedAt(alice, contract)).toBeLessThan(now())
  })
})

describe('D66: answers that are too large', () => {
  test('ranges are halved, and a gap of an hour is read completely', async () => {
    const { chain, table, noted, now, sleep, follow, holes } = await followedForAMinute()
    for (let minute = 1; minute <= 60; minute += 1) {
      await sleep(60_000)
      chain.emit({ contract, wallets: [addressOf(minute)] })
    }
    chain.maxBlocks = 10
    const report = await follow(60)
    expect(report.failures).toBe(0)
    expect(now() - (noted.position()?.head.at ?? 0)).toBeLessThan(10_000)
    expect(table.moved.size).toBe(60)
    expect(holes()).toEqual([])
  })

  test('a contract whose events are refused even for one block is suspended, and the others are followed', async () => {
    const { chain, table, noted, ask, now, follow, holes } = await followedForAMinute()
    ask(other)
    chain.maxEvents = 3
    for (let count = 0; count < 4; count += 1) chain.emit({ contract, wallets: [alice] })
    chain.emit({ contract: other, wallets: [bob] })
    const report = await follow(6)
    expect(report).toMatchObject({ failures: 0, refused: 1, busy: 0 })
    expect(noted.contract(contract)).toMatchObject({ since: undefined })
    expect(noted.contract(contract)?.suspendedUntil).toBeGreaterThan(now() + 3_500_000)
    expect([...table.moved.keys()]).toEqual([`POLYGON ${bob} ${other}`])
    expect(holes()).toEqual([])
  })

  test('a contract with more events than followLogsPerMinute is not followed for an hour', async () => {
    const { chain, noted, sleep, follow, holes } = await followedForAMinute()
    chain.maxEvents = 10_000
    const emit = (count: number) => {
      for (let log = 0; log < count; log += 1) chain.emit({ contract, wallets: [alice] })
    }
    emit(600)
    await sleep(5_000)
    expect(await follow(1)).toMatchObject({ busy: 0 })
    emit(2_000)
    await sleep(5_000)
    expect(await follow(1)).toMatchObject({ busy: 1, refused: 0 })
    expect(noted.contract(contract)?.since).toBeUndefined()
    await sleep(3_500_000)
    await follow(1)
    expect(noted.contract(contract)?.since).toBeUndefined()
    await sleep(101_000)
    await follow(1)
    expect(noted.contract(contract)?.since).toBeDefined()
    expect(holes()).toEqual([])
  })

  test('a contract with more events than an item takes is not asked for to the end of the step', async () => {
    const { chain, noted, ask, sleep, follow, holes } = await followedForAMinute()
    ask(other)
    for (let block = 0; block < 14; block += 1) {
      for (let log = 0; log < 400; log += 1) chain.emit({ contract, wallets: [alice] })
      chain.emit({ contract: other, wallets: [bob] })
      await sleep(2_000)
    }
    chain.asked = []
    expect(await follow(1)).toMatchObject({ busy: 1, refused: 0 })
    const answered = chain.asked.filter(({ from, to }) => to - from < 3)
    const both = answered.filter(({ contracts }) => contracts === 2).map(({ to }) => to)
    const alone = answered.filter(({ contracts }) => contracts === 1).map(({ to }) => to)
    expect(alone.at(-1)).toBe(noted.position()?.head.number)
    expect(both).not.toContain(noted.position()?.head.number)
    expect(holes()).toEqual([])
  })

  test('many contracts are asked for in several lists', async () => {
    const { chain, table, ask, sleep, follow } = await followedForAMinute()
    for (let number = 1; number <= 450; number += 1) ask(addressOf(number))
    chain.emit({ contract: addressOf(450), wallets: [alice] })
    await sleep(5_000)
    chain.asked = []
    await follow(1)
    expect(chain.asked.map(({ contracts }) => contracts)).toEqual([200, 200, 50])
    expect(table.moved.size).toBe(1)
  })
})
