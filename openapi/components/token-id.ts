/** The accepted forms of token identifiers (D15). */
export const tokenIdForm =
  'unsigned 256-bit integers, as decimal or `0x` hexadecimal text; leading zeros and duplicates are accepted'
