import { describe, expect, test } from 'vitest'
import { branded } from '../../../lib/domain/branded.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { NftEvent } from '../../../lib/domain/nft-events/nft-event.ts'
import type { Place } from '../../../lib/domain/ports/webhook-delivery.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { attempt, waitAfterFailure } from '../../../lib/domain/webhooks/attempt.ts'
import {
  countEvent,
  endedMinutes,
  type MinuteCounts,
} from '../../../lib/domain/webhooks/events-per-minute.ts'
import { leavePlace, type PlaceRequest, placeFor } from '../../../lib/domain/webhooks/places.ts'
import type { Webhook } from '../../../lib/domain/webhooks/webhook.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'

const hour = 3_600_000

/** The failure that an answer with this status is, if it is one. */
async function failureAfter(status: number) {
  const ports = {
    signer: { sign: () => ({}) },
    endpoints: { send: async () => ({ answer: { status, body: '' }, milliseconds: 1 }) },
    now: Date.now,
  }
  const webhook = { url: 'https://games.example.com/' } as Webhook
  const message = { id: 'id', type: 'type', body: '' }
  return (await attempt(webhook, message, { answerBytes: 0 }, ports as never)).code
}

describe('D120: after an attempt', () => {
  test('every status of 2xx is a success, and every other one a failure', async () => {
    const ofSuccess = [200, 201, 204, 299]
    const others = [0, 199, 300, 301, 308, 400, 404, 429, 500, 503]
    for (const status of ofSuccess)
      expect([status, await failureAfter(status)]).toEqual([status, undefined])
    for (const status of others) expect(await failureAfter(status)).toBe('unexpected_status')
  })

  test('the waits differ by up to a fifth', () => {
    const wait = (random: number) => waitAfterFailure({}, { failures: 2, random })
    expect([wait(0), wait(1)]).toEqual([240_000, 360_000])
  })

  test.each([
    [429, 60, 60_000],
    [503, 60, 60_000],
    [503, 1, 5_000],
    [429, 365 * 24 * 3_600, 12 * hour],
    [500, 60, 5_000],
    [410, 60, undefined],
  ])('after %i with Retry-After: %i', (status, retryAfterSeconds, milliseconds) => {
    const answer = { status, retryAfterSeconds }
    expect(waitAfterFailure(answer, { failures: 1, random: 0.5 })).toBe(milliseconds)
  })
})

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

/** A deployment that makes so many deliveries at a time, on a clock in seconds. */
function placesOf(deliveries: number) {
  let places: readonly Place[] = []
  let now = 1_000_000
  const ask = (
    product: string,
    kind: PlaceRequest['kind'] = 'delivery',
    holder = product,
    givesWay = false,
  ) => {
    const own = { productId: branded<ProductId>(product), holder, kind, givesWay }
    const { places: changed, ...found } = placeFor(own, places, { now, random: 0.5, deliveries })
    places = changed ?? places
    return 'wait' in found ? { wait: found.wait / 1_000 } : { seconds: (found.until - now) / 1_000 }
  }
  return {
    ask,
    held: () => places.length,
    later(seconds: number) {
      now += seconds * 1_000
    },
    leave(holder: string) {
      places = places.filter((each) => each.holder !== holder)
    },
  }
}

const go = { seconds: 10 }

describe('D143: the places of slow servers', () => {
  test('are half of the deliveries, and at least one', () => {
    for (const [deliveries, half] of [
      [2, 1],
      [3, 1],
      [5, 2],
      [10, 5],
    ] as const) {
      const { ask } = placesOf(deliveries)
      for (let each = 0; each < half; each += 1) expect(ask(`p${each}`)).toEqual(go)
      expect([ask('later'), ask('under', 'underWay')]).toEqual([{ wait: 1 }, { wait: 1 }])
    }
  })

  test('are one for each product, however many there are', () => {
    const { ask, later, leave } = placesOf(10)
    expect(ask('a', 'delivery', 'a1')).toEqual(go)
    later(5)
    expect(ask('a', 'delivery', 'a2')).toEqual({ wait: 5 })
    expect(ask('a', 'underWay', 'a4')).toEqual({ wait: 1 })
    leave('a1')
    expect(ask('a', 'delivery', 'a2', true)).toEqual({ wait: 5 })
    expect(ask('a', 'underWay', 'a4')).toEqual(go)
  })

  test('are given in the order of asking, as soon as one is given back', () => {
    const { ask, later, leave } = placesOf(2)
    expect(ask('a')).toEqual(go)
    const waits = ['b', 'c', 'd', 'e'].map((product) => ask(product))
    expect(waits).toEqual([{ wait: 1 }, { wait: 2 }, { wait: 4 }, { wait: 5 }])
    later(3)
    leave('a')
    expect([ask('c'), ask('b'), ask('c')]).toEqual([{ wait: 2 }, go, { wait: 1 }])
    leave('b')
    expect([ask('f'), ask('d'), ask('c')]).toEqual([{ wait: 5 }, { wait: 2 }, go])
  })

  test('are given to as many at once as there are free', () => {
    const { ask, leave } = placesOf(4)
    for (const product of ['a', 'b', 'c', 'd', 'e']) ask(product)
    leave('a')
    leave('b')
    expect([ask('e'), ask('d'), ask('c')]).toEqual([{ wait: 2 }, go, go])
  })

  test('are kept for those that ask again within half a minute, in their order', () => {
    const { ask, later, leave } = placesOf(2)
    ask('a')
    for (const product of ['b', 'c', 'd']) ask(product)
    later(20)
    leave('a')
    expect([ask('d'), ask('c')]).toEqual([{ wait: 4 }, { wait: 2 }])
    later(10)
    // That of b is over.
    expect([ask('d'), ask('c'), ask('b')]).toEqual([{ wait: 2 }, go, { wait: 2 }])
  })

  test('are as they were for a holder that asks again, because the answer of the table was lost', () => {
    const { ask, later } = placesOf(10)
    expect(ask('a')).toEqual(go)
    later(2)
    expect(ask('a')).toEqual({ seconds: 8 })
  })

  test('end by themselves when their holder dies', () => {
    const { ask, later } = placesOf(2)
    expect(ask('a')).toEqual(go)
    later(24)
    expect(ask('b')).toEqual({ wait: 1 })
    later(1)
    expect(ask('b')).toEqual(go)
  })

  test('are noted for a hundred at most, the others ask again', () => {
    const { ask, held } = placesOf(2)
    for (let each = 0; each < 100; each += 1) ask(`p${each}`)
    expect([ask('more'), held()]).toEqual([{ wait: 7.5 }, 100])
  })
})

test('D143: a table that refuses to give a place back loses nothing', async () => {
  const failing = (error: Error) => ({ change: () => Promise.reject(error) })
  await leavePlace('a', failing(new ServiceUnavailable('throttled')))
  await expect(leavePlace('a', failing(new TypeError('wrong')))).rejects.toThrow('wrong')
})
