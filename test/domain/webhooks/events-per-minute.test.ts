import { describe, expect, test } from 'vitest'
import type { NftEvent } from '../../../lib/domain/nft-events/nft-event.ts'
import {
  countEvent,
  endedMinutes,
  type MinuteCounts,
} from '../../../lib/domain/webhooks/events-per-minute.ts'
import { addressOf } from '../../support/follower/memory-chain.ts'

const [one, two] = [addressOf(1), addressOf(2)]
const minute = 60_000

/** An event in a block that is as many seconds after the beginning of a minute. */
const event = (second: number, members: Partial<NftEvent> = {}): NftEvent => ({
  ...{ chain: 'POLYGON', contract: one, place: 0, logIndex: 0 },
  block: { number: 1_000 + second, hash: '0x1', at: 100 * minute + second * 1_000 },
  content: {
    ...({ kind: 'metadata', fromTokenId: '1', toTokenId: '1' } as NftEvent['content']),
  },
  ...members,
})

/** Counts events, and returns what is sent: the seconds of events, and what was left out. */
function sentOf(events: readonly NftEvent[], limit: number) {
  let counts: MinuteCounts = {}
  const sent: unknown[] = []
  for (const each of events) {
    const counted = countEvent(counts, each, limit)
    counts = counted.counts
    sent.push(...counted.notices.map(noticeIn))
    if (!counted.isLeftOut) sent.push(each.block.number - 1_000)
  }
  return { sent, counts }
}

const noticeIn = ({ contract, content, block }: NftEvent) =>
  content.kind === 'missed'
    ? `${Number(contract)} ${content.reason} ${content.fromBlock}..${content.toBlock} ${block.number}`
    : content

describe('D122: the events of a minute', () => {
  test('beyond the limit are left out, and told after the minute', () => {
    const events = [1, 2, 3, 4, 59, 60, 61].map((second) => event(second))
    const { sent, counts } = sentOf(events, 2)
    expect(sent).toEqual([1, 2, '1 busy 1003..1059 1059', 60, 61])
    expect(counts.POLYGON).toMatchObject({ minute: 101, count: 2, leftOut: {} })
  })

  test('are counted for all contracts of a chain together, and told for each, in the order of the last blocks', () => {
    const contracts = [one, two, two, one, two, one]
    const events = contracts.map((contract, second) => event(second, { contract }))
    const { sent } = sentOf([...events, event(60)], 2)
    expect(sent).toEqual([0, 1, '2 busy 1002..1004 1004', '1 busy 1003..1005 1005', 60])
  })

  test('are counted for each chain', () => {
    const events = [event(0), event(1, { chain: 'BSC' }), event(2), event(3, { chain: 'BSC' })]
    const { sent, counts } = sentOf(events, 1)
    expect(sent).toEqual([0, 1])
    expect(Object.keys(counts)).toEqual(['POLYGON', 'BSC'])
  })

  test('do not count what tells of missed events, which is never left out', () => {
    const missed = { kind: 'missed', reason: 'gap', toBlock: 5 } as const
    const { sent } = sentOf([event(0), event(1, { content: missed }), event(2)], 1)
    expect(sent).toEqual([0, 1])
  })

  test('have their end told once the log is complete past the minute', () => {
    const { counts } = sentOf([event(0), event(1), event(2, { chain: 'BSC' })], 1)
    const early = endedMinutes(counts, new Map([['POLYGON', 101 * minute - 1]]))
    expect(early).toEqual({ counts, notices: [], isOpen: true })
    const late = endedMinutes(counts, new Map([['POLYGON', 101 * minute]]))
    expect(late.notices.map(noticeIn)).toEqual(['1 busy 1001..1001 1001'])
    expect(late).toMatchObject({ isOpen: false, counts: { BSC: { count: 1 } } })
    expect(late.counts.POLYGON).toBeUndefined()
    // A chain that is not followed any more is waited for no longer.
    expect(endedMinutes(counts, new Map())).toEqual({ counts, notices: [], isOpen: false })
  })
})
