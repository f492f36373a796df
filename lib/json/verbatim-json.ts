/**
 * A piece of JSON text that goes into an answer exactly as it is: metadata to the byte (D26),
 * decimals with all their digits (D29). Whoever makes one vouches that the text is valid JSON.
 */
export class VerbatimJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }

  /** For {@link writeJson} alone, which puts the text where the placeholder is. */
  toJSON(): string {
    texts.push(this.text)
    return placeholder
  }
}

/** What an operation may answer for a value of type T: the value, or any part of it as JSON text. */
export type Wire<T> =
  | VerbatimJson
  | (T extends readonly (infer Item)[]
      ? readonly Wire<Item>[]
      : T extends object
        ? { [Key in keyof T]: Wire<T[Key]> }
        : T)

/** Nobody else knows it, and so nobody can have written it into a value. */
const placeholder = crypto.randomUUID()

/** What the value that is being written holds, in its order. */
let texts: string[] = []

/** Writes a value as JSON, with {@link VerbatimJson} spliced in; absent (`undefined`) members are left out. */
export function writeJson(value: unknown): string {
  // One that could not be written may have left some behind.
  texts = []
  const pieces = JSON.stringify(value).split(`"${placeholder}"`)
  const written = texts
  // Nothing large is kept until the next answer.
  texts = []
  return pieces.map((piece, index) => piece + (written[index] ?? '')).join('')
}
