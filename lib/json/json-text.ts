/**
 * Reads JSON by position, so that the text keeps what JSON.parse loses: the order of keys, the spelling
 * of numbers. Structure, numbers and literals must follow RFC 8259, otherwise a SyntaxError is thrown.
 * Strings are scanned only for their end; JSON.parse validates the strings that are used. Nothing
 * recurses, so that any depth can be read, in linear time.
 */

/** The position of a value in a text: its first character, and the character after its last. */
export interface Span {
  start: number
  end: number
}

/** The ends of objects and arrays of one text, by their start, for readings that share one scan of it. */
export type Ends = Map<number, number>

/** The number of levels whose ends are kept; a hostile text has any number of levels. */
const levelsKept = 5

/** The members of the object at `start`, in the order of the text; keys are unescaped. */
export function* members(text: string, start = 0, ends?: Ends): Generator<Span & { key: string }> {
  let at = open(text, start, '{')
  if (text[at] === '}') return
  for (;;) {
    const keyEnd = stringEnd(text, at)
    const key: string = JSON.parse(text.slice(at, keyEnd))
    const value = afterColon(text, keyEnd)
    const end = ends?.get(value) ?? skipValue(text, value, ends)
    yield { key, start: value, end }
    const next = skipSpace(text, end)
    if (text[next] === '}') return
    at = afterComma(text, next)
  }
}

/** The elements of the array at `start`, in order. */
export function* elements(text: string, start = 0, ends?: Ends): Generator<Span> {
  let at = open(text, start, '[')
  if (text[at] === ']') return
  for (;;) {
    const end = ends?.get(at) ?? skipValue(text, at, ends)
    yield { start: at, end }
    const next = skipSpace(text, end)
    if (text[next] === ']') return
    at = afterComma(text, next)
  }
}

/** Whether a text is one JSON object and nothing else. */
export function isJsonObject(text: string, ends?: Ends): boolean {
  const start = skipSpace(text, 0)
  if (text[start] !== '{') return false
  try {
    return skipSpace(text, skipValue(text, start, ends)) === text.length
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** The position after the value at `start`. */
export function skipValue(text: string, start = 0, ends?: Ends): number {
  const around: { closer: string; start: number }[] = []
  let at = skipSpace(text, start)
  for (;;) {
    const closer = closerOf(text[at])
    if (closer === undefined) {
      at = scalarEnd(text, at)
    } else {
      const first = skipSpace(text, at + 1)
      if (text[first] !== closer) {
        around.push({ closer, start: at })
        at = firstValue(text, first, closer)
        continue
      }
      at = first + 1
    }
    // The end of a value may be the end of the values around it.
    for (;;) {
      const parent = around.at(-1)
      if (parent === undefined) return at
      at = skipSpace(text, at)
      if (text[at] !== parent.closer) {
        at = firstValue(text, afterComma(text, at), parent.closer)
        break
      }
      around.pop()
      at += 1
      if (around.length < levelsKept) ends?.set(parent.start, at)
    }
  }
}

const closerOf = (opener: string | undefined) =>
  opener === '{' ? '}' : opener === '[' ? ']' : undefined

/** The start of the next value: in an object, after its key. */
const firstValue = (text: string, at: number, closer: string): number =>
  closer === '}' ? afterColon(text, stringEnd(text, at)) : at

const numberOrLiteral = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y

function scalarEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start)
  numberOrLiteral.lastIndex = start
  if (!numberOrLiteral.test(text)) throw malformed(start)
  return numberOrLiteral.lastIndex
}

/** The position after the string at `start`. */
export function stringEnd(text: string, start: number): number {
  if (text[start] !== '"') throw malformed(start)
  let quote = start
  do {
    quote = text.indexOf('"', quote + 1)
    if (quote < 0) throw malformed(text.length)
  } while (isEscaped(text, quote))
  return quote + 1
}

/** Whether an odd number of backslashes stands before a position. */
function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before -= 1
  return (at - before) % 2 === 1
}

function open(text: string, start: number, opener: '{' | '['): number {
  const at = skipSpace(text, start)
  if (text[at] !== opener) throw malformed(at)
  return skipSpace(text, at + 1)
}

function afterColon(text: string, keyEnd: number): number {
  const colon = skipSpace(text, keyEnd)
  if (text[colon] !== ':') throw malformed(colon)
  return skipSpace(text, colon + 1)
}

function afterComma(text: string, comma: number): number {
  if (text[comma] !== ',') throw malformed(comma)
  return skipSpace(text, comma + 1)
}

function skipSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

const malformed = (at: number): SyntaxError => new SyntaxError(`Not JSON at position ${at}`)
