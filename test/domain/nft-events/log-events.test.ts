import { describe, expect, test } from 'vitest'
import { eventIdOf, type MissedReason } from '../../../lib/domain/nft-events/nft-event.ts'
import type { HashedBlock } from '../../../lib/domain/ports/chain-events.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import {
  beforeEachCall,
  contract,
  lastBlock,
  other,
  settings,
  watchedForTwoMinutes,
} from '../../support/follower/followed.ts'

describe('D117: the log of a watched contract', () => {
  test('begins with what is not in it, from where nobody knows', async () => {
    const { logged } = await watchedForTwoMinutes()
    const [{ block, ...entry } = { block: undefined }, ...more] = logged(contract)
    expect(more).toEqual([])
    expect(entry).toEqual({
      content: {
        kind: 'missed',
        reason: 'gap',
        toBlock: (block?.number ?? 0) - 1,
        fromBlock: undefined,
      },
    })
  })

  test('has an event when its block leaves the overlap, not before', async () => {
    const { chain, emit, entries, loggedUpTo, follow } = await watchedForTwoMinutes()
    emit(contract)
    await follow(60)
    expect([entries(), loggedUpTo() < lastBlock(chain)]).toEqual([[], true])
    await follow(30)
    const [log] = chain.logs
    expect(entries()).toEqual([
      {
        // The source states no time, so it is that of the next block that the follower knows.
        block: { ...log?.block, at: (log?.block.number ?? 0) * 2_000 + 4_000 },
        logIndex: 0,
        transactionHash: '0x7',
        content: log?.details.content,
      },
    ])
    expect(loggedUpTo()).toBeGreaterThanOrEqual(lastBlock(chain))
  })

  test.each([
    ['states', 0, 0],
    ['states wrongly', -3_600_000, 4_000],
  ])('has the time that the source %s', async (_, wrong, later) => {
    const { chain, emit, entries, follow } = await watchedForTwoMinutes()
    emit(contract)
    const at = lastBlock(chain) * 2_000
    chain.logs = chain.logs.map((log) => ({ ...log, block: { ...log.block, at: at + wrong } }))
    await follow(90)
    expect(entries()).toMatchObject([{ block: { at: at + later } }])
  })

  test('has what is malformed as missed, and nothing of a batch of no NFT', async () => {
    const { chain, emit, entries, follow } = await watchedForTwoMinutes()
    chain.emit({ contract, details: { transactionHash: '0x8' } })
    emit(contract, 1, 0)
    await follow(90)
    const number = lastBlock(chain)
    expect(entries()).toMatchObject([
      {
        logIndex: 0,
        content: { kind: 'missed', reason: 'malformed', fromBlock: number, toBlock: number },
      },
    ])
  })

  test('says at once which blocks are missed when there were too many events, and then when it goes on', async () => {
    const { chain, emit, entries, loggedUpTo, follow } = await watchedForTwoMinutes()
    const before = loggedUpTo()
    emit(contract, 999)
    await follow(6)
    await follow(5)
    const [{ block, content } = { block: undefined, content: undefined }, ...more] = entries()
    const toBlock = lastBlock(chain) + 2
    expect([content, more]).toMatchObject([{ reason: 'busy', toBlock }, []])
    const { fromBlock = 0 } = content?.kind === 'missed' ? content : {}
    expect([fromBlock > before, fromBlock <= lastBlock(chain)]).toEqual([true, true])
    // A reader who reads from a time on that is before the last of the blocks reads it.
    expect(block).toMatchObject({ number: toBlock + 1, at: toBlock * 2_000 })
    await follow(3_700)
    emit(contract)
    await follow(90)
    expect(
      entries().map(({ content }) => ('reason' in content ? content.reason : content.kind)),
    ).toEqual(['busy', 'busy', 'transfer'])
  })

  test('says which blocks were replaced after they had been logged: those after the latest milestone that is left', async () => {
    const { chain, table, entries, follow, now } = await watchedForTwoMinutes()
    await follow(3_000)
    const milestones = table.milestones.get('POLYGON') ?? []
    expect(milestones.length).toBeGreaterThan(4)
    const replaced = Math.floor((20 * 60_000) / 2_000)
    const firstReplaced = Math.floor(now() / 2_000) - replaced + 1
    chain.replace(replaced)
    const asked: string[] = []
    await follow(11, {
      chainEvents: beforeEachCall(chain, async (call) => void asked.push(call)),
    })
    const kept = milestones
      .filter(({ number }) => number < firstReplaced)
      .map(({ number }) => number)
    expect(entries().map(({ content }) => content)).toMatchObject([
      { reason: 'reorganization', fromBlock: Math.max(...kept) + 1 },
    ])
    expect(asked.filter((call) => call === 'block').length).toBeLessThan(15)
  })

  test('says it of a contract that has too many events at that moment, too', async () => {
    const { chain, emit, entries, follow } = await watchedForTwoMinutes()
    emit(contract)
    await follow(90)
    emit(contract, 999)
    await follow(11)
    chain.replace(80)
    await follow(20)
    expect(entries().map(({ content }) => ('reason' in content ? content.reason : ''))).toEqual([
      ...['', 'reorganization', 'busy'],
    ])
  })

  test('says it also if the node that told the first block of the overlap did not know yet', async () => {
    const { chain, entries, now, follow } = await watchedForTwoMinutes()
    await follow(600)
    const before = new Map<number, HashedBlock>()
    for (let number = Math.floor(now() / 2_000) - 100; number <= now() / 2_000; number += 1) {
      const block = await chain.block('POLYGON', number, 0)
      if (block) before.set(number, block)
    }
    chain.replace(60)
    const replacedAt = now()
    let compared = 0
    /** The node that is asked after the one that was asked for the comparison. */
    const block: typeof chain.block = async (name, number, deadline) => {
      const found = await chain.block(name, number, deadline)
      if (found?.hash !== before.get(number)?.hash) compared += 1
      const isBehind = compared > 1 && now() < replacedAt + 8_000
      return isBehind ? (before.get(number) ?? found) : found
    }
    await follow(30, { chainEvents: Object.setPrototypeOf({ block }, chain) })
    expect(entries().map(({ content }) => content)).toMatchObject([{ reason: 'reorganization' }])
  })

  test('says which blocks are missed if a poll sees fewer events than those before it', async () => {
    const { chain, emit, entries, loggedUpTo, follow } = await watchedForTwoMinutes()
    emit(contract)
    await follow(60)
    const [log] = chain.logs
    if (log) chain.hidden.add(log)
    await follow(30)
    chain.hidden.clear()
    await follow(10)
    expect(loggedUpTo()).toBeGreaterThanOrEqual(lastBlock(chain))
    const [{ content } = { content: undefined }, ...more] = entries()
    expect([content, more]).toMatchObject([{ reason: 'reorganization' }, []])
    const { fromBlock = 0, toBlock = 0 } = content?.kind === 'missed' ? content : {}
    expect([fromBlock <= lastBlock(chain), toBlock >= lastBlock(chain)]).toEqual([true, true])
  })

  test('goes on without a hole when a deployment makes the overlap shorter', async () => {
    const { emit, chain, entries, follow } = await watchedForTwoMinutes()
    emit(contract)
    await follow(40)
    await follow(60, {}, { settlingSeconds: 0, followPollSeconds: 1 })
    expect(entries().map(({ block }) => block.number)).toEqual([lastBlock(chain)])
  })

  test('and goes on in the same way when a deployment makes it longer', async () => {
    const { emit, entries, loggedUpTo, follow } = await watchedForTwoMinutes()
    emit(contract)
    await follow(80)
    const before = [entries(), loggedUpTo()]
    await follow(10, {}, { settlingSeconds: 600 })
    expect([entries(), loggedUpTo()]).toEqual(before)
  })

  test('ends with its watch, and then nothing of a log is written any more', async () => {
    const { emit, entries, watch, noted, follow } = await watchedForTwoMinutes()
    watch(contract, 0)
    await follow(61)
    emit(contract)
    await follow(120)
    expect([entries(), noted.contract(contract)?.isLogged, noted.position()?.log]).toEqual([
      [],
      undefined,
      undefined,
    ])
  })
})

/** The id of what tells, before the block after the last one of them, that the events of these blocks are missed. */
const idOfMissed = (reason: MissedReason, fromBlock: number, toBlock: number) =>
  eventIdOf({
    ...{ chain: 'POLYGON', contract: addressOf(1), place: 0 },
    block: { number: toBlock + 1, hash: '', at: 7 },
    content: { kind: 'missed', reason, fromBlock, toBlock },
  })

test('D127: what tells of expired events has the same id in each attempt, also when more has expired', () => {
  const first = idOfMissed('expired', 5, 9)
  expect(idOfMissed('expired', 5, 12)).toBe(first)
  expect(idOfMissed('expired', 10, 12)).not.toBe(first)
  expect(idOfMissed('gap', 5, 12)).not.toBe(idOfMissed('gap', 5, 9))
})

describe('D117: contracts that are watched only', () => {
  test('are polled as often as those that are read, and nothing is shown to readers', async () => {
    const { chain, table, emit, follow } = await watchedForTwoMinutes()
    chain.queries = []
    emit(contract)
    await follow(60)
    expect(chain.queries).toHaveLength(60 / settings.followPollSeconds)
    expect(table.readers.size).toBe(0)
  })

  test('cost one write in a step without events', async () => {
    const { notes, follow } = await watchedForTwoMinutes()
    const writes: string[] = []
    const followNotes = beforeEachCall(notes, async (call) => void writes.push(call))
    await follow(1, { followNotes })
    expect(
      writes.filter((call) => !['position', 'contracts', 'lease', 'release'].includes(call)),
    ).toEqual(['log', 'noteContracts', 'moveTo'])
  })
})

test('D122: webhooks are told once in a poll of the contracts that they are told of, when readers see the events', async () => {
  const { chain, emit, watch, follow, loggedUpTo } = await watchedForTwoMinutes()
  const signals: unknown[] = []
  const webhookSignals = {
    logged: async (...signal: unknown[]) => void signals.push([...signal, loggedUpTo()]),
    connected: async () => undefined,
  }
  watch(contract, 86_400_000, { isPushed: true })
  // Of this one, a server asks for the events.
  watch(other)
  await follow(80, { webhookSignals })
  expect(signals).toEqual([])
  emit(contract, 3)
  emit(other)
  const block = lastBlock(chain)
  await follow(60, { webhookSignals })
  expect(signals).toEqual([])
  await follow(20, { webhookSignals })
  expect(signals).toEqual([['POLYGON', [contract], expect.any(Number)]])
  expect((signals as [string, string[], number][])[0]?.[2]).toBeGreaterThanOrEqual(block)
})
