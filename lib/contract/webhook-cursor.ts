import * as v from 'valibot'
import { chainNames } from '../domain/nft/chain.ts'
import type { ChainStart, EventStart } from '../domain/nft-events/event-start.ts'

const number = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** A time from which on all chains are read but those that follow, each with a time, a place, or a place and a time of its own. */
const form = v.tuple([
  number,
  v.array(
    v.union([
      v.strictTuple([v.picklist(chainNames), number]),
      v.strictTuple([v.picklist(chainNames), number, number, number]),
      v.strictTuple([v.picklist(chainNames), number, number, number, number]),
    ]),
  ),
])

/**
 * The cursor of the events of a product's NFTs (D119): where a reader goes on, in each chain. It does not name a
 * product (D77).
 */
export const writeWebhookCursor = ({ since, chains }: EventStart): string =>
  Buffer.from(
    JSON.stringify([since, [...chains].map(([chain, start]) => [chain, ...numbersOf(start)])]),
  ).toString('base64url')

/** A place before a block has the index 0, and others have theirs plus 1. */
function numbersOf(start: ChainStart): number[] {
  if (!('block' in start)) return [start.since]
  const { block, logIndex = -1, place = 0, since } = start
  return [block, logIndex + 1, place, ...(since === undefined ? [] : [since])]
}

/** Reads such a cursor; `undefined` if it is not one that {@link writeWebhookCursor} writes. */
export function readWebhookCursor(cursor: string): EventStart | undefined {
  const { success, output } = v.safeParse(form, jsonIn(cursor))
  if (!success) return undefined
  const [since, chains] = output
  const start = {
    since,
    chains: new Map(chains.map(([chain, ...numbers]) => [chain, startOf(numbers)] as const)),
  }
  // Decoding base64url ignores characters that do not belong to it.
  return writeWebhookCursor(start) === cursor ? start : undefined
}

const startOf = ([first = 0, index, place, since]: readonly number[]): ChainStart => {
  if (index === undefined) return { since: first }
  const from = index === 0 ? { block: first } : { block: first, logIndex: index - 1, place }
  return { ...from, ...(since !== undefined && { since }) }
}

function jsonIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}
