import { describe, expect, test } from 'vitest'
import { branded } from '../../../lib/domain/branded.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { Place } from '../../../lib/domain/ports/webhook-delivery.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { leavePlace, type PlaceRequest, placeFor } from '../../../lib/domain/webhooks/places.ts'

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
