/**
 * A piece of JSON text that goes into an answer exactly as it is: metadata to the byte (D26),
 * decimals with all their digits (D29). Whoever makes one vouches that the text is valid JSON.
 */
export class VerbatimJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
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

/** Writes a value as JSON, with {@link VerbatimJson} spliced in; absent (`undefined`) members are left out. */
export function writeJson(value: unknown): string {
  if (value instanceof VerbatimJson) return value.text
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`).join(',')}}`
}
