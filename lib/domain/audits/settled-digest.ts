import { keccak_256 } from '@noble/hashes/sha3.js'
import { compareEvents, eventKey, type KeptEvent } from '../holdings/kept-event.ts'
import type { SettledDigest } from '../ports/settled-digests.ts'

/**
 * What events of one contract are in the blocks after one and up to another one; others of the events do not count. Two digests are the
 * same only if the events are, on the same branch, in whatever order they are given.
 */
export function settledDigest(
  events: readonly KeptEvent[],
  { after, upTo }: { after: number; upTo: number },
): SettledDigest {
  const its = events.filter(({ block }) => block > after && block <= upTo).sort(compareEvents)
  return { after, upTo, count: its.length, digest: digestOf(its.map(eventKey).join(' ')) }
}

const digestOf = (text: string): string =>
  Buffer.from(keccak_256(new TextEncoder().encode(text)).subarray(0, 16)).toString('hex')
