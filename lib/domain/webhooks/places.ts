import { unlessUnavailable } from '../failures.ts'
import type { Place, WebhookPlaces } from '../ports/webhook-delivery.ts'
import type { DeliveryPorts } from './delivery-ports.ts'

/** How long a message takes at most at a server that is not slow, in milliseconds. */
export const quickMilliseconds = 2_000

/** Whether a message that has taken this time, in milliseconds, has not shown that its server is slow. */
export const isQuick = (milliseconds = 0): boolean => milliseconds <= quickMilliseconds

/** How long a place is kept, in milliseconds: for some messages that are quick, and for the last one. How much of that is for the last one. */
const placeMilliseconds = 25_000
const lastMessageMilliseconds = 15_000

/** How long somebody who waits is noted without asking again, in milliseconds. */
const waitingMilliseconds = 30_000

/** After which time who waits asks again, in milliseconds: at least, and at most. */
const soonMilliseconds = 1_000
const wayMilliseconds = 5_000

/** How long a write is tried again, in milliseconds. */
const retryMilliseconds = 5_000

/** The most places that are noted at a time: their item is read and written as a whole. */
const maxPlaces = 100

export interface PlaceRequest extends Pick<Place, 'productId' | 'holder'> {
  /** A delivery that has not begun, or one whose message is under way. */
  kind: 'delivery' | 'underWay'
  /** Whether another webhook of the product has waited longer. */
  givesWay?: boolean
}

/** When places are decided, and by what. `random` is from 0 to 1. */
interface PlaceCircumstances {
  now: number
  random: number
  deliveries: number
}

/** Until when a message can begin at a place, in milliseconds since 1970, or after which time it is needed again, in milliseconds. */
type FoundPlace = { until: number } | { wait: number }

/**
 * Finds a place among those that slow servers share: half of the deliveries that are made at a time, and at least one. Each product has one (D143). A delivery
 * that finds none free is noted, and begins after those that asked before it. Returns the places afterwards, if they are others.
 */
export function placeFor(
  request: PlaceRequest,
  places: readonly Place[],
  circumstances: PlaceCircumstances,
): FoundPlace & { places?: readonly Place[] } {
  const { now } = circumstances
  // One that was taken just before, if the answer of the table was lost.
  const taken = places.find(
    ({ holder, isWaiting, end }) =>
      holder === request.holder && !isWaiting && end > now + placeMilliseconds - retryMilliseconds,
  )
  return taken
    ? { until: taken.end - lastMessageMilliseconds }
    : newPlaceFor(request, places, circumstances)
}

function newPlaceFor(
  request: PlaceRequest,
  places: readonly Place[],
  { now, random, deliveries }: PlaceCircumstances,
): FoundPlace & { places?: readonly Place[] } {
  const { kind, givesWay, productId, holder } = request
  const live = places.filter(({ end }) => end > now)
  const held = live.find((each) => each.holder === holder)
  const others = live.filter((each) => each !== held)
  const own = { productId, holder }
  if (others.some((each) => each.productId === productId)) {
    return { wait: kind === 'delivery' ? wayMilliseconds : soonMilliseconds }
  }
  if (givesWay && !held) return { wait: wayMilliseconds }
  const before = held ? live.slice(0, live.indexOf(held)) : live
  const { isFree, wait } = queueOf(kind, { others, before, deliveries })
  if (isFree) {
    const end = now + placeMilliseconds
    return { until: end - lastMessageMilliseconds, places: [...others, { ...own, end }] }
  }
  if (kind === 'underWay') return { wait }
  if (held && held.end - now > waitingMilliseconds / 2) return { wait }
  const noted = { ...own, isWaiting: true, end: now + waitingMilliseconds }
  if (held) return { wait, places: live.map((each) => (each === held ? noted : each)) }
  if (live.length < maxPlaces) return { wait, places: [...live, noted] }
  return { wait: wayMilliseconds * (1 + random) }
}

/** Whether one of the places is free for this kind, after those that were noted before, and after which time to ask again if none is. */
function queueOf(
  kind: PlaceRequest['kind'],
  queue: { others: readonly Place[]; before: readonly Place[]; deliveries: number },
): { isFree: boolean; wait: number } {
  const { others, before, deliveries } = queue
  const half = Math.max(1, Math.floor(deliveries / 2))
  const running = others.filter(({ isWaiting }) => !isWaiting).length
  if (kind === 'underWay') return { isFree: running < half, wait: soonMilliseconds }
  const ahead = before.filter(({ isWaiting }) => isWaiting).length
  // The turn of a slow server takes longer than this.
  const wait = Math.floor(ahead / half) * quickMilliseconds
  return {
    isFree: running + ahead < half,
    wait: Math.min(wayMilliseconds, Math.max(soonMilliseconds, wait)),
  }
}

/** Takes a place, or says when one is to be asked for again. */
export const takePlace = async (
  request: PlaceRequest,
  { places, now, random, settings: { deliveries } }: DeliveryPorts,
): Promise<FoundPlace> =>
  await places.change((current) =>
    placeFor(request, current, { now: now(), random: random(), deliveries }),
  )

/** Gives a place back before its end, if the table lets it: otherwise the place ends by itself. */
export async function leavePlace(holder: string, places: WebhookPlaces): Promise<void> {
  const leave = (current: readonly Place[]) => {
    const others = current.filter((each) => each.holder !== holder)
    return others.length < current.length ? { places: others } : {}
  }
  await places.change(leave).catch(unlessUnavailable)
}
