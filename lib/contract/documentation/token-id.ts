/** The accepted forms of token identifiers (D15). */
export const tokenIdForm =
  'unsigned 256-bit integers, as decimal or `0x` hexadecimal text; leading zeros and duplicates are accepted'

/** The accepted forms of the elements of a list of tokens (D57). */
export const tokenElementForm = `token identifiers, ranges \`a..b\` with both ends included, or \`*\`, which is every token identifier. Token identifiers are ${tokenIdForm}`
