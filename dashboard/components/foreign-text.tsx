/**
 * A text that a stranger can have written, such as the name of an NFT: it is cut, and neither its length nor its
 * direction changes the text around it. `max`: its maximum length, in UTF-16 units.
 */
export const ForeignText = ({ text, max = 300 }: { text: string; max?: number }) => (
  <bdi class="foreign">{shortened(text, max)}</bdi>
)

/** Characters that can change the direction of the text after them. */
const directional =
  /[\p{Bidi_Control}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** A text of a stranger inside a plain text, such as a title: its direction ends with it. */
export const isolated = (text: string): string =>
  directional.test(text) ? `\u2068${text}\u2069` : text

/** Cuts a text to a maximum number of UTF-16 units, not inside a character. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  return `${cut.isWellFormed() || !text.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
