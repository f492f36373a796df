/** The anchor that GitHub derives from a heading. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** A table. A cell is one line, in which `|` is escaped. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map(cellOf).join(' | ')} |`)
    .join('\n')

const cellOf = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')

/** A block of code. */
export const block = (language: string, code: string): string =>
  `\`\`\`${language}\n${code}\n\`\`\``
