/**
 * Reading JSON by position: what JSON.parse loses (the order of keys, how a number is written) stays
 * in the text. Structure, numbers and literals are those of RFC 8259 or it is a SyntaxError; strings
 * are looked at only as far as their end, so JSON.parse is the judge of those that are handed on.
 * Nothing recurses, so no depth is too deep, and time is linear.
 */

/** Where a value lies in a text: from its first character to behind its last one. */
export interface Span {
  start: number
  end: number
}

/**
 * Where objects and arrays of one text end, by where they begin. Whoever hands the same one to several
 * readings of a text has each part of it looked through once.
 */
export type Ends = Map<number, number>

/** How many levels of objects and arrays have their ends kept; a hostile text has any number of them. */
const levelsKept = 5

/** The members of the object that begins at `start`, as the source orders them; keys are unescaped. */
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

/** The elements of the array that begins at `start`, in their order. */
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

/** The position behind the value that begins at `start`. */
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
    // A value has ended, and with it perhaps those around it.
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

/** Where the next value begins: in an object, behind its key. */
const firstValue = (text: string, at: number, closer: string): number =>
  closer === '}' ? afterColon(text, stringEnd(text, at)) : at

const numberOrLiteral = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y

function scalarEnd(text: string, start: number): number {
  if (text[start] === '"') return stringEnd(text, start)
  numberOrLiteral.lastIndex = start
  if (!numberOrLiteral.test(text)) throw malformed(start)
  return numberOrLiteral.lastIndex
}

function stringEnd(text: string, start: number): number {
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
