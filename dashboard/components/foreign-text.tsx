/** The maximum length of a text of strangers in a line, in UTF-16 units. */
const maxLine = 300

/**
 * A text that a stranger can have written, such as the name of an NFT: it is cut, and neither its length nor its
 * direction changes the text around it.
 */
export const ForeignText = ({ text, max = maxLine }: { text: string; max?: number }) => (
  <bdi class="foreign">{shortened(text, max)}</bdi>
)

/** Cuts a text to a maximum number of UTF-16 units, not inside a character. */
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const cut = text.slice(0, max)
  return `${cut.isWellFormed() || !text.isWellFormed() ? cut : cut.slice(0, -1)}…`
}
