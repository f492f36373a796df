import { describe, expect, test } from 'vitest'
import { branded } from '../../../lib/domain/branded.ts'
import type { Place } from '../../../lib/domain/ports/webhook-places.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { type PlaceRequest, placeFor } from '../../../lib/domain/webhooks/places.ts'

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
    const { places: changed, ...found } = placeFor(own, places, { now, deliveries })
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
  test('are half of the deliveries, one of them for tests, and at least one', () => {
    for (const [deliveries, half] of [
      [2, 1],
      [3, 1],
      [5, 2],
      [10, 5],
    ] as const) {
      const { ask } = placesOf(deliveries)
      const forDeliveries = Math.max(1, half - 1)
      for (let each = 0; each < forDeliveries; each += 1) expect(ask(`p${each}`)).toEqual(go)
      expect(ask('later')).toEqual({ wait: 25 })
      for (let each = forDeliveries; each < half; each += 1) {
        expect(ask(`t${each}`, 'test')).toEqual(go)
      }
      expect(ask('test', 'test')).toEqual({ wait: 1 })
    }
  })

  test('are one for each product, however many there are', () => {
    const { ask, later, leave } = placesOf(10)
    expect(ask('a', 'delivery', 'a1')).toEqual(go)
    later(5)
    expect(ask('a', 'delivery', 'a2')).toEqual({ wait: 20 })
    expect(ask('a', 'test', 'a3')).toEqual({ wait: 1 })
    expect(ask('a', 'underWay', 'a4')).toEqual({ wait: 1 })
    leave('a1')
    expect(ask('a', 'delivery', 'a2', true)).toEqual({ wait: 5 })
    expect(ask('a', 'underWay', 'a4')).toEqual(go)
  })

  test('are given in the order of asking, to those that come back in time', () => {
    const { ask, later, leave, held } = placesOf(2)
    expect(ask('a')).toEqual(go)
    expect([ask('b'), ask('c'), ask('d')]).toEqual([{ wait: 25 }, { wait: 50 }, { wait: 75 }])
    // Asking again changes nothing, also when a place is given back.
    leave('a')
    later(14)
    expect([ask('c'), ask('b')]).toEqual([{ wait: 36 }, { wait: 11 }])
    later(11)
    expect(ask('b')).toEqual(go)
    // That of c is over before it comes.
    later(25 + 9)
    expect(ask('c')).toEqual({ wait: 41 })
    later(16)
    expect([ask('d'), held()]).toEqual([go, 2])
  })

  test('end by themselves when their holder dies', () => {
    const { ask, later } = placesOf(2)
    expect(ask('a')).toEqual(go)
    later(25)
    expect(ask('b')).toEqual(go)
  })

  test('a test, or a message under way, takes one before a delivery that has not begun, which then waits', () => {
    const { ask, later, leave } = placesOf(2)
    ask('a')
    expect(ask('b')).toEqual({ wait: 25 })
    later(14)
    leave('a')
    expect(ask('t', 'test')).toEqual(go)
    later(11)
    expect(ask('b')).toEqual({ wait: 1 })
    leave('t')
    later(1)
    expect(ask('b')).toEqual({ seconds: 9 })
  })

  test('are noted for a hundred deliveries at most, the others ask again', () => {
    const { ask, held } = placesOf(2)
    for (let each = 0; each < 100; each += 1) ask(`p${each}`)
    expect([ask('more'), held()]).toEqual([{ wait: 2_500 }, 100])
  })
})
