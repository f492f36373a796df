/** The replacement of characters that a language cannot have in a literal, or that are not ASCII. */
interface Escapes {
  /** The escape sequences of single characters. */
  readonly named: Readonly<Record<string, string>>
  /** The escape sequence of any other character that is not printable ASCII. */
  readonly codePoint: (codePoint: number) => string
}

// Lone halves of surrogate pairs are no characters; no program can send them.
const wellFormed = (text: string) => text.replaceAll(/\p{Surrogate}/gu, '\u{fffd}')

const isPrintableAscii = (codePoint: number) => codePoint >= 0x20 && codePoint < 0x7f

const escaped = (text: string, { named, codePoint }: Escapes): string =>
  Array.from(wellFormed(text), (character) => {
    const code = character.codePointAt(0) as number
    return named[character] ?? (isPrintableAscii(code) ? character : codePoint(code))
  }).join('')

const hexadecimal = (codePoint: number, digits: number) =>
  codePoint.toString(16).toUpperCase().padStart(digits, '0')

/** `\uXXXX`, or a longer form beyond the first 65,536 characters. */
const unicodeEscape = (beyond: (codePoint: number) => string) => (codePoint: number) =>
  codePoint > 0xffff ? beyond(codePoint) : `\\u${hexadecimal(codePoint, 4)}`

const quoted = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A POSIX shell expands nothing between single quotes, so only they need another form. */
export const shellLiteral = (text: string): string =>
  `'${wellFormed(text).replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`

/** A string literal of JavaScript and TypeScript. */
export const scriptLiteral = (text: string): string =>
  `'${escaped(text, {
    named: { '\\': '\\\\', "'": "\\'", '\n': '\\n', '\r': '\\r', '\t': '\\t' },
    codePoint: unicodeEscape((code) => `\\u{${hexadecimal(code, 1)}}`),
  })}'`

/** A regular string literal of C#. */
export const csharpLiteral = (text: string): string =>
  `"${escaped(text, {
    named: quoted,
    codePoint: unicodeEscape((code) => `\\U${hexadecimal(code, 8)}`),
  })}"`

/** The argument of Unreal's `TEXT()`, which cannot contain a null character. */
export const unrealLiteral = (text: string): string =>
  `TEXT("${escaped(text.replaceAll('\0', '\u{fffd}'), {
    named: quoted,
    codePoint: unicodeEscape((code) => `\\U${hexadecimal(code, 8)}`),
  })}")`

/** A string literal of GDScript, whose long escape sequence has six digits, and which cannot contain a null character. */
export const godotLiteral = (text: string): string =>
  `"${escaped(text.replaceAll('\0', '\u{fffd}'), {
    named: quoted,
    codePoint: unicodeEscape((code) => `\\U${hexadecimal(code, 6)}`),
  })}"`
