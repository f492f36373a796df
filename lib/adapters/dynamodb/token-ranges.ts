import type { TokenRange, TokenRanges } from '../../domain/allowlist/token-ranges.ts'

/** The form of the attribute, in its first byte. */
const version = 1

/**
 * Ranges as the bytes of an attribute: after a version, the distance of each range from the end of the range
 * before it, and its length less one, both as LEB128 (seven bits in a byte, the lowest first). A range of
 * small numbers takes a few bytes, and the longest takes 75.
 */
export function encodeTokenRanges(ranges: TokenRanges): Uint8Array {
  const bytes = [version]
  let position = 0n
  for (const { first, last } of ranges) {
    pushNumber(bytes, first - position)
    pushNumber(bytes, last - first)
    position = last
  }
  return Uint8Array.from(bytes)
}

/** Reads the bytes of {@link encodeTokenRanges}; without an attribute there are no ranges. */
export function decodeTokenRanges(bytes: Uint8Array | undefined): TokenRanges {
  if (bytes === undefined) return []
  if (bytes[0] !== version) throw new Error('the table holds ranges in an unknown form')
  const ranges: TokenRange[] = []
  let position = 0n
  for (let at = 1; at < bytes.length; ) {
    const distance = readNumber(bytes, at)
    const length = readNumber(bytes, distance.next)
    const first = position + distance.number
    position = first + length.number
    ranges.push({ first, last: position })
    at = length.next
  }
  return ranges
}

function pushNumber(bytes: number[], number: bigint): void {
  let rest = number
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  bytes.push(Number(rest))
}

function readNumber(bytes: Uint8Array, start: number): { number: bigint; next: number } {
  let number = 0n
  for (let at = start, shift = 0n; at < bytes.length; at += 1, shift += 7n) {
    const byte = bytes[at] ?? 0
    number |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return { number, next: at + 1 }
  }
  throw new Error('the table holds ranges that end in the middle of a number')
}
