import { type Branded, branded } from '../branded.ts'
import type { ProductId } from '../product/product.ts'

/** A day in UTC, for example `2026-11-22`. */
export type Day = Branded<'Day'>

const dayMilliseconds = 24 * 3600_000

/** The day of a time, which is given in milliseconds since 1970. */
export const dayOf = (now: number): Day => branded(new Date(now).toISOString().slice(0, 10))

/** The latest `count` days, today first. `now`: milliseconds since 1970. */
export const latestDays = (count: number, now: number): Day[] =>
  Array.from({ length: count }, (_, index) => dayOf(now - index * dayMilliseconds))

/** The maximum number of days of one response, and the number without a parameter (D55). */
export const maxUsageDays = 90
export const defaultUsageDays = 30

/** The usage of a product on a day that is not in the table yet (D55). */
export interface UsageCounts {
  /** The number of calls by {@link callName}. */
  calls: Map<string, number>
  indexerCalls: number
  userIds: Set<number>
  /** The number of refused calls by the name of the limit. */
  limited: Map<string, number>
}

/** A call of a product that has ended, or a part of its background work. */
export interface UsedCall {
  productId: ProductId
  /** Absent for background work. */
  call?: { operation: string; outcome: string } | undefined
  indexerCalls: number
  userId?: number | undefined
  limit?: string | undefined
}

/** The usage of a product on one day (D55). */
export interface DailyUsage {
  day: Day
  calls: { operation: string; outcome: string; count: number }[]
  indexerCalls: number
  players: number
  playersEstimated: boolean
  limited: { limit: string; count: number }[]
}

export const callName = ({ operation, outcome }: { operation: string; outcome: string }): string =>
  `${operation}:${outcome}`

/** The operation and the outcome of a {@link callName}. */
export function callOfName(name: string): { operation: string; outcome: string } {
  const [operation = '', outcome = ''] = name.split(':')
  return { operation, outcome }
}

/** A day without usage. */
export const noUsage = (day: Day): DailyUsage => ({
  day,
  calls: [],
  indexerCalls: 0,
  players: 0,
  playersEstimated: false,
  limited: [],
})

/**
 * Counts distinct players with little memory (D55): of the digests of all players, only the smallest are
 * kept. Fewer than {@link sketchSize} players are counted exactly. For more players, the largest kept digest
 * shows how densely the digests lie, and so how many there are ("k minimum values", Bar-Yossef et al.,
 * RANDOM 2002). The standard error is 1 / sqrt(sketchSize - 2), that is 6.3 %. The sketch of a union of
 * players is the sketch of the union of their sketches, so containers need not know of each other.
 */

export const sketchSize = 256

/** Digests are whole numbers from 0, and less than this. */
export const digestRange = 2 ** 32

/** The part of some digests that a sketch needs, in ascending order. */
export const smallestDigests = (digests: Iterable<number>): number[] =>
  [...new Set(digests)].sort((a, b) => a - b).slice(0, sketchSize)

export function countPlayers(digests: Iterable<number>): { players: number; isEstimate: boolean } {
  const smallest = smallestDigests(digests)
  const last = smallest[sketchSize - 1]
  if (last === undefined) return { players: smallest.length, isEstimate: false }
  return { players: Math.round(((sketchSize - 1) * digestRange) / (last + 1)), isEstimate: true }
}
