import { stringEnd } from './json-text.ts'

/** An object or a list around a position of a text, and where the text is in it. */
interface Level {
  /** The names so far; undefined in a list. */
  readonly names: Set<string> | undefined
  /** The latest name or index. */
  place: string | number
  expectsName: boolean
}

/**
 * The paths, with dots, of names that an object of a JSON text has more than once, each as often as it is repeated. JSON.parse
 * takes the last of them. The text must be well-formed. Takes linear time, and nothing recurses.
 */
export function repeatedNames(text: string): string[] {
  const repeated: string[] = []
  const around: Level[] = []
  for (const mark of marksIn(text)) {
    const level = around.at(-1)
    if (mark === '{' || mark === '[') around.push(levelOf(mark))
    else if (mark === '}' || mark === ']') around.pop()
    else if (mark === ',') goOn(level)
    else if (level && isRepeated(mark, level)) {
      repeated.push(around.map(({ place }) => place).join('.'))
    }
  }
  return repeated
}

/** The strings of a text, in their quotation marks, and the characters around and between values outside of strings. */
function* marksIn(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '"') {
      const end = stringEnd(text, at)
      yield text.slice(at, end)
      at = end - 1
    } else if ('{}[],'.includes(character)) yield character
  }
}

const levelOf = (opener: '{' | '['): Level => ({
  names: opener === '{' ? new Set() : undefined,
  place: 0,
  expectsName: opener === '{',
})

/** Whether a string is a name that the level has already. Notes it otherwise. */
function isRepeated(string: string, level: Level): boolean {
  const { names, expectsName } = level
  if (!names || !expectsName) return false
  const name: string = string.includes('\\') ? JSON.parse(string) : string.slice(1, -1)
  Object.assign(level, { place: name, expectsName: false })
  const isKnown = names.has(name)
  names.add(name)
  return isKnown
}

/** Goes on to the next value of a level. */
function goOn(level: Level | undefined): void {
  if (!level) return
  level.expectsName = level.names !== undefined
  if (typeof level.place === 'number') level.place += 1
}
