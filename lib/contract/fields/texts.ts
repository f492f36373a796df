import * as v from 'valibot'
import { unseenCharacterIn, unseenFault } from '../../domain/unseen-characters.ts'
import { length, rule, string, wellFormed } from './rules.ts'

/** Text of `minLength` to `maxLength` code points (D4). */
export const text = (minLength: number, maxLength: number) =>
  v.pipe(string(), wellFormed, length(minLength, maxLength))

/** The C0 and C1 control characters and DEL (Unicode category Cc), in a class of a regular expression. */
const controls = '\\u0000-\\u001f\\u007f-\\u009f'

const withoutControls = new RegExp(`^[^${controls}]*$`, 'u')

/** Text without control characters, with which a name could forge a line of a mail or of a terminal (D53). */
const printable = rule<string>(
  {},
  (text) => withoutControls.test(text),
  'must not contain control characters, such as line breaks',
)

/** Text that is not blank (D4) and has no control characters (D53): a name that can be stored already (D133). */
export const storedNameText = (minLength: number, maxLength: number) =>
  v.pipe(
    string(),
    wellFormed,
    length(minLength, maxLength),
    rule(
      { pattern: `^[^${controls}]*[^\\s${controls}][^${controls}]*$` },
      (name) => /\S/u.test(name),
      'must not be blank',
    ),
    printable,
  )

/** A new name: text in which everything is seen, because it could look like another or turn the text after it round (D133). */
export const nameText = (minLength: number, maxLength: number) =>
  v.pipe(
    storedNameText(minLength, maxLength),
    rule<string>(
      {},
      (name) => unseenCharacterIn(name) === undefined,
      (name) => unseenFault(unseenCharacterIn(name)),
    ),
  )

/** An e-mail address: something on each side of a single `@`, no control characters, and no stricter (D8, D53). */
export const emailText = v.pipe(
  string('studio@example.com'),
  wellFormed,
  length(3, 300),
  rule(
    { pattern: `^[^@${controls}]+@[^@${controls}]+$` },
    (email) => /^[^@]+@[^@]+$/u.test(email),
    'must have something on each side of a single @',
  ),
  printable,
)

/** A website: an http(s) URL, or text without a scheme (D7). */
export const websiteText = v.pipe(
  string('https://www.example.com'),
  wellFormed,
  length(1, 2048),
  rule({}, isWebsite, 'must be an http or https URL, or a host name such as www.example.com'),
)

function isWebsite(website: string): boolean {
  if (/^https?:\/\//i.test(website)) return URL.canParse(website)
  // The scheme as browsers parse it; with a dot it is the host of a port ("example.com:8080").
  const scheme = URL.parse(website)?.protocol ?? /^[a-z][a-z0-9+.-]*:/i.exec(website)?.[0] ?? ''
  return (scheme === '' || scheme.includes('.')) && /\S/u.test(website)
}
