/** Valid JSON text that is written unchanged: metadata to the byte (D26), decimals with all digits (D29). */
export class VerbatimJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  /** For {@link writeJson} only, which replaces the placeholder with the text. */
  toJSON(): string {
    texts.push(this.text)
    placeholder ??= crypto.randomUUID()
    return placeholder
  }
}

/** A value of type T, with any part of it as JSON text. */
export type Wire<T> =
  | VerbatimJson
  | (T extends readonly (infer Item)[]
      ? readonly Wire<Item>[]
      : T extends object
        ? { [Key in keyof T]: Wire<T[Key]> }
        : T)

/** Random, so that no value can contain it. Made when it is first needed: few functions return such texts. */
let placeholder: string | undefined

/** The verbatim texts of the value that is being written, in order. */
let texts: string[] = []

/**
 * Writes a value as JSON, with {@link VerbatimJson} spliced in; absent (`undefined`) members are left out. All other texts are
 * well-formed: U+FFFD stands for half of a surrogate pair, which strict parsers refuse (D130).
 */
export function writeJson(value: unknown): string {
  // A value that failed to be written may have left texts.
  texts = []
  const json = wellFormed(JSON.stringify(value))
  const output = texts
  // Large texts are not kept until the next response.
  texts = []
  if (output.length === 0) return json
  const pieces = json.split(`"${placeholder}"`)
  return pieces.map((piece, index) => piece + (output[index] ?? '')).join('')
}

/** JSON.stringify escapes only those surrogates that have no partner. Two backslashes are one of a text, and begin no escape. */
const wellFormed = (json: string): string =>
  json.includes('\\ud')
    ? json.replaceAll(/\\\\|\\ud[89a-f][0-9a-f]{2}/g, (found) =>
        found.length === 2 ? found : '\ufffd',
      )
    : json
