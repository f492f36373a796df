/** A digit group of three after each separator of thousands: `1,000`, `12.345.678`, `1 000`. */
const grouped = /^\d{1,3}([,.'’ \u00a0\u202f_]\d{3})+$/u

/** Forms that people and spreadsheets write in place of a token identifier, in the order of the checks. */
const knownForms: readonly (readonly [form: RegExp, fault: string])[] = [
  [/^$/, 'is empty'],
  [
    /^[+-]?\d+([.,]\d+)?[eE][+-]?\d+$/,
    'is in scientific notation: a spreadsheet has replaced digits by an exponent. Format the column as text, enter the identifiers again, and export it again',
  ],
  [grouped, 'has a separator of thousands. Write the digits only, one identifier on each line'],
  [
    /^[+-]?\d+[.,]\d*$/,
    'has a decimal point: a spreadsheet has treated the identifier as a number. Format the column as text, and export it again',
  ],
  [/^[-−]\s*\d+$/u, 'is negative'],
  [/^\+\d+$/, 'has a plus sign. Write the digits only'],
  [
    /^(\d+|0[xX][0-9a-fA-F]+)\s*(-|–|—|:|to|…|\.)\s*(\d+|0[xX][0-9a-fA-F]+)$/u,
    'is not a range: write both ends with two dots between them, such as 1..5000',
  ],
  [/^['’`]/u, 'begins with an apostrophe, with which a spreadsheet marks text'],
  [/^#/, 'is an error or a comment of a spreadsheet'],
  [/^=/, 'is a formula of a spreadsheet'],
  [/^0[xX]$/, 'has no digits after 0x'],
  [/^(?=.*[a-fA-F])[0-9a-fA-F]+$/, 'is hexadecimal text without 0x in front'],
]

/**
 * Why a text is no token identifier, as the end of a sentence that begins with the text. It names the forms
 * in which spreadsheets destroy numbers.
 */
export function faultOf(text: string): string {
  const known = knownForms.find(([form]) => form.test(text))
  return known?.[1] ?? 'is not a whole number in decimal or 0x hexadecimal text'
}

/** Whether a text is a number with separators of thousands, such as `1,000`, or three-digit numbers of a list. */
export const isGroupedNumber = (text: string): boolean => grouped.test(text)
