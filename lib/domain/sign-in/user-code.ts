/** The letters of user codes: no vowels, so that no code is a word, and no letters that look alike (RFC 8628, section 6.1). */
export const userCodeLetters = 'BCDFGHJKLMNPQRSTVWXZ'

/** The number of letters of a user code: 34 bits. */
export const userCodeLength = 8

const form = new RegExp(`^[${userCodeLetters}]{${userCodeLength}}$`)

/**
 * Reads a user code as people type it: any case, with spaces and dashes anywhere. Returns its eight letters; `undefined` for a
 * text that is no user code.
 */
export function parseUserCode(text: string): string | undefined {
  const letters = text.replaceAll(/[\s-]/g, '').toUpperCase()
  return form.test(letters) ? letters : undefined
}

/** A user code as it is shown: `BCDF-GHJK`. */
export const userCodeText = (userCode: string): string =>
  `${userCode.slice(0, 4)}-${userCode.slice(4)}`
