/**
 * A name that somebody has chosen, in quotation marks, for a line of a terminal: its direction ends with it (U+2068, U+2069), and
 * what is not seen in it is written as `\u{202e}` (D133).
 */
export const quotedName = (name: string): string =>
  `\u2068"${name.replaceAll(/(\p{RGI_Emoji})|(["\\])|[\p{C}\p{Default_Ignorable_Code_Point}]/gv, escaped)}"\u2069`

const escaped = (character: string, emoji?: string, mark?: string): string =>
  emoji ?? (mark ? `\\${mark}` : `\\u{${character.codePointAt(0)?.toString(16)}}`)
