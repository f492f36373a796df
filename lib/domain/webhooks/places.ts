import type { Place, WebhookPlaces } from '../ports/webhook-places.ts'

/** How long a message takes at most at a server that is not slow, in milliseconds. */
export const quickMilliseconds = 2_000

/** Whether a message that has taken this time, in milliseconds, has not shown that its server is slow. */
export const isQuick = (milliseconds = 0): boolean => milliseconds <= quickMilliseconds

/** How long a place is kept, in milliseconds: for a message that comes back late, for some that are quick, and for the last one. */
const placeMilliseconds = 25_000

/** How much of that is for the last message, and after which part a place is not begun any more, in milliseconds. */
const lastMessageMilliseconds = 15_000
const arrivalMilliseconds = 8_000

/** After which time what cannot wait for long asks again, and what gives way, in milliseconds. */
const soonMilliseconds = 1_000
const wayMilliseconds = 5_000

/** The most places that are held at a time: their item is read and written as a whole. */
const maxPlaces = 100

/** Who wants a place. */
export interface PlaceRequest extends Pick<Place, 'productId' | 'holder'> {
  /** A delivery that has not begun, one whose message is under way, or a test, for which somebody waits. */
  kind: 'delivery' | 'underWay' | 'test'
  /** Whether another webhook of the product has waited longer. */
  givesWay?: boolean
}

/** Until when a message can begin at a place, in milliseconds since 1970, or after which time it is needed again, in milliseconds. */
export type FoundPlace = { until: number } | { wait: number }

/**
 * Finds a place among those that slow servers share: half of the deliveries that are made at a time, and at least one. Each product has one (D143). A delivery
 * that finds none free gets the next one, in the order of asking, and comes back when it begins. Returns the places afterwards, if they are others.
 */
export function placeFor(
  { kind, givesWay, ...own }: PlaceRequest,
  places: readonly Place[],
  { now, deliveries }: { now: number; deliveries: number },
): FoundPlace & { places?: readonly Place[] } {
  const live = places.filter(({ end }) => end > now)
  const held = live.find(({ holder }) => holder === own.holder)
  const others = live.filter((each) => each !== held)
  const half = Math.max(1, Math.floor(deliveries / 2))
  const running = others.filter(({ begin }) => begin <= now).length
  if (held && now <= held.begin + arrivalMilliseconds) {
    const wait = Math.max(held.begin - now, soonMilliseconds)
    return now >= held.begin && running < half ? usable(held) : { wait }
  }
  const ofProduct = others.find(({ productId }) => productId === own.productId)
  // One is left for tests.
  const limit = kind === 'test' ? half : Math.max(1, half - 1)
  const isPatient = kind === 'delivery'
  if (!isPatient && (ofProduct || running >= limit)) return { wait: soonMilliseconds }
  if (ofProduct) return { wait: ofProduct.end - now }
  if (givesWay) return { wait: wayMilliseconds }
  const begin = isPatient ? firstGap(others, now, limit) : now
  const place = { ...own, begin, end: begin + placeMilliseconds }
  const found = begin > now ? { wait: begin - now } : usable(place)
  return {
    ...found,
    ...((begin === now || others.length < maxPlaces) && { places: [...others, place] }),
  }
}

const usable = ({ end }: Place) => ({ until: end - lastMessageMilliseconds })

/** From when on fewer than `limit` places are held for as long as one is kept. */
function firstGap(places: readonly Place[], now: number, limit: number): number {
  const isFree = (from: number) =>
    [from, ...places.map(({ begin }) => begin)]
      .filter((at) => from <= at && at < from + placeMilliseconds)
      .every((at) => places.filter(({ begin, end }) => begin <= at && at < end).length < limit)
  const ends = places.map(({ end }) => end).toSorted((a, b) => a - b)
  return [now, ...ends].find(isFree) ?? now
}

/** Takes a place, or says when one is to be asked for again. */
export const takePlace = async (
  request: PlaceRequest,
  { places, now }: { places: WebhookPlaces; now(): number },
  { deliveries }: { deliveries: number },
): Promise<FoundPlace> =>
  await places.change((current) => placeFor(request, current, { now: now(), deliveries }))

/** Gives a place back before its end. */
export async function leavePlace(holder: string, places: WebhookPlaces): Promise<void> {
  await places.change((current) => {
    const others = current.filter((each) => each.holder !== holder)
    return others.length < current.length ? { places: others } : {}
  })
}
