import { isUtf8 } from 'node:buffer'
import { unverified } from '../../json/unverified.ts'
import { type ListStep, listPlace } from './list-place.ts'
import { malformedResponse } from './malformed-response.ts'

/** The largest entry that is read, in bytes: that of a wallet with about a million NFTs. */
const maxEntryBytes = 64 * 1_048_576

/** The most bytes that an answer may have beside its entries, each of which counts three. */
const maxRestBytes = 1_048_576

/**
 * Reads an answer that is a JSON object with a list of objects under `name`, and gives the text of each of them to `take` as soon as it
 * is complete. Holds one entry at a time, of up to 64 MiB. Throws an IndexerUnavailable for any other answer, at the latest at its
 * end: until then, `take` can have had entries of it. Whether the text of an entry is JSON is for `take` to see.
 */
export function arrivingList(name: string, take: (entry: string) => void) {
  const place = listPlace()
  const rest = heldRest(name)
  const entry = heldEntry()
  let taken = 0

  /** Makes a step, after the bytes that belong to what was before it. */
  function pass(step: ListStep, bytes: Buffer): void {
    if (step === 'entryEnds') {
      entry.keep(bytes)
      taken += 1
      take(entry.whole())
      rest.keep(inPlaceOfEntry)
    } else {
      rest.keep(bytes)
      if (step === 'listBegins') place.isInList = rest.endsWithName()
    }
  }

  return {
    write(chunk: Buffer): void {
      let from = 0
      for (const [step, at] of place.steps(chunk)) {
        const to = step === 'entryEnds' ? at + 1 : at
        pass(step, chunk.subarray(from, to))
        from = to
      }
      const held = place.isInEntry ? entry : rest
      held.keep(chunk.subarray(from))
    },
    /** The members of the answer, with an empty object in place of each entry. Throws if the answer is not complete. */
    end(): Readonly<Record<string, unknown>> {
      const answer = unverified(rest.parsed())
      const list = answer[name]
      if (!Array.isArray(list) || list.length !== taken) throw malformedResponse(`no ${name}`)
      return answer
    },
  }
}

const inPlaceOfEntry = Buffer.from('{}')

function heldEntry() {
  let parts: Buffer[] = []
  let bytes = 0
  return {
    keep(part: Buffer): void {
      bytes += part.length
      if (bytes > maxEntryBytes) throw malformedResponse('an entry over 64 MiB')
      parts.push(part)
    },
    /** Its text. The next entry begins after it. */
    whole(): string {
      const text = Buffer.concat(parts).toString()
      parts = []
      bytes = 0
      return text
    },
  }
}

function heldRest(name: string) {
  const listOfName = new RegExp(`[{,]\\s*"${name}"\\s*:\\s*$`)
  /** One character for each byte. */
  let text = ''
  return {
    keep(part: Buffer): void {
      // As a text, because a part of a chunk would hold the whole chunk.
      text += part.toString('latin1')
      if (text.length > maxRestBytes) throw malformedResponse('too much beside its entries')
    },
    /** Whether the value that comes next has the name. */
    endsWithName: (): boolean => listOfName.test(text.slice(-100)),
    parsed(): unknown {
      const bytes = Buffer.from(text, 'latin1')
      if (!isUtf8(bytes)) throw malformedResponse('not UTF-8')
      try {
        return JSON.parse(bytes.toString())
      } catch {
        throw malformedResponse('not JSON')
      }
    },
  }
}
