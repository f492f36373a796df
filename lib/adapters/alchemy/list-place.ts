export type ListStep = 'listBegins' | 'entryBegins' | 'entryEnds'

/**
 * Follows a list that is a member of a JSON object and whose entries are objects, by the brackets outside of strings. What is no JSON
 * can have any steps.
 */
export function listPlace() {
  const bracketsIn = bracketReader()
  let depth = 0
  const place = {
    /** Whether the list that began last is the one whose entries count. Its end makes it false. */
    isInList: false,
    isInEntry: false,
    steps,
  }

  /** Finds the steps in the next chunk, each with the position of its bracket. */
  function* steps(chunk: Buffer): Generator<[step: ListStep, at: number]> {
    for (const at of bracketsIn(chunk)) {
      const bracket = chunk[at]
      const step = isOpening(bracket) ? open(bracket) : close()
      if (step) yield [step, at]
    }
  }

  function open(bracket: number | undefined): ListStep | undefined {
    depth += 1
    if (depth === 2 && bracket === openBracket) return 'listBegins'
    if (depth !== 3 || bracket !== openBrace || !place.isInList) return undefined
    place.isInEntry = true
    return 'entryBegins'
  }

  function close(): ListStep | undefined {
    depth -= 1
    if (depth === 1) place.isInList = false
    if (depth !== 2 || !place.isInEntry) return undefined
    place.isInEntry = false
    return 'entryEnds'
  }

  return place
}

const [quote, backslash] = [0x22, 0x5c] as const
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d] as const

/** Finds the positions of the brackets in consecutive chunks of JSON, without those in strings. */
function bracketReader(): (chunk: Buffer) => Generator<number> {
  let [isInString, isEscaped] = [false, false]
  return function* (chunk) {
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at]
      if (isEscaped) isEscaped = false
      else if (byte === quote) isInString = !isInString
      else if (isInString) isEscaped = byte === backslash
      else if (isOpening(byte) || byte === closeBrace || byte === closeBracket) yield at
    }
  }
}

const isOpening = (byte: number | undefined): boolean => byte === openBrace || byte === openBracket
