import * as v from 'valibot'
import {
  maxTokenElementLength,
  parseTokenElement,
  tokenElementText,
} from '../domain/allowlist/token-element.ts'
import { parseAddress } from '../domain/nft/address.ts'
import { type Chain, chainMeantBy, chainNames } from '../domain/nft/chain.ts'
import { parseProductId } from '../domain/product/product.ts'
import { codePointLength } from '../domain/text.ts'
import { readContractCursor } from './contract-cursor.ts'
import { readEventCursor } from './event-cursor.ts'
import { readListCursor } from './list-cursor.ts'

/** An action of a field with its keywords of JSON Schema, for the OpenAPI document. */
export interface Documented {
  readonly jsonSchema: Record<string, unknown>
}

/** A list whose items a later schema validates, for the OpenAPI document. */
export interface DocumentedList {
  readonly itemSchema: v.GenericSchema
}

/** A validation with its message, and the same validation as JSON Schema, as far as that can express it. */
function rule<Input>(
  jsonSchema: Record<string, unknown>,
  holds: (input: Input) => boolean,
  message: string | ((input: Input) => string),
): v.CheckAction<Input, (issue: v.CheckIssue<Input>) => string> & Documented {
  const say = typeof message === 'string' ? () => message : message
  return Object.assign(
    v.check(holds, (issue: v.CheckIssue<Input>) => say(issue.input)),
    { jsonSchema },
  )
}

/** The JSON Schema of the {@link parsed} that follows: a conversion to JSON Schema ends before it. */
const documented = (jsonSchema: Record<string, unknown>) =>
  Object.assign(v.metadata<string, Record<string, never>>({}), { jsonSchema })

/**
 * Parses and validates a text in one step. `parse` returns the value, or calls `addFault` with a message
 * and returns its result.
 */
const parsed = <Output>(
  parse: (text: string, addFault: (message: string) => never) => Output,
): v.RawTransformAction<string, Output> =>
  v.rawTransform(({ dataset, addIssue, NEVER }) =>
    parse(dataset.value, (message) => {
      addIssue({ message })
      return NEVER
    }),
  )

/** Any text. A field that takes a certain form shows an example of it in the message. */
const string = (example?: string) =>
  v.string(`must be a string${example === undefined ? '' : `, such as "${example}"`}`)

const wellFormed = rule<string>(
  {},
  (text) => text.isWellFormed(),
  'must be well-formed Unicode (it has a lone surrogate)',
)

const length = (minLength: number, maxLength: number) =>
  rule<string>(
    { minLength, maxLength },
    (text) => {
      const count = codePointLength(text)
      return count >= minLength && count <= maxLength
    },
    `must be ${minLength} to ${maxLength} characters long`,
  )

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

/** Text that is not blank (D4) and has no control characters (D53). */
export const nameText = (minLength: number, maxLength: number) =>
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

const addressMessages = {
  malformed: 'must be 0x and 40 hexadecimal digits',
  bad_checksum: 'has a wrong EIP-55 checksum: check for a typing error, or write it in lower case',
}

/** A smart contract address, read into its stored form (D14). */
export const contractAddress = v.pipe(
  string('0x22d518c449312143be64cd547c510a1a4ebed207'),
  length(2, 100),
  documented({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  parsed((text, addFault) => {
    const { address, fault } = parseAddress(text)
    return fault ? addFault(addressMessages[fault]) : address
  }),
)

/** The id of a product, read into its stored form (D52). */
export const productId = v.pipe(
  string('0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'),
  documented({ format: 'uuid' }),
  parsed((text, addFault) => parseProductId(text) ?? addFault('must be a UUID')),
)

const tokenIdPattern = '([0-9]+|0[xX][0-9a-fA-F]+)'

const tokenElement = v.pipe(
  string('2'),
  documented({
    pattern: `^(${tokenIdPattern}(\\.\\.${tokenIdPattern})?|\\*)$`,
    minLength: 1,
    maxLength: maxTokenElementLength,
  }),
  parsed(
    (text, addFault) =>
      parseTokenElement(text) ??
      addFault(
        text.includes('..')
          ? 'must be a range a..b of two token identifiers, and a must not be larger than b'
          : 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text',
      ),
  ),
)

/**
 * `minItems`..`maxItems` token identifiers and ranges, read into their stored form. Duplicates collapse; the order
 * of first appearance stays (D15, D16, D20, D57).
 */
export const tokenElements = (minItems: number, maxItems: number) =>
  v.pipe(
    // The size is validated first, so that the items of a list that is too long are not validated.
    anyList(tokenElement),
    v.minLength(minItems, `must have at least ${minItems} token identifier`),
    v.maxLength(maxItems, `must have at most ${maxItems} token identifiers in one request`),
    v.array(tokenElement),
    v.transform((elements) => [
      ...new Map(elements.map((element) => [tokenElementText(element), element])).values(),
    ]),
  )

const anyList = (
  itemSchema: v.GenericSchema,
): v.ArraySchema<v.UnknownSchema, string> & DocumentedList =>
  Object.assign(v.array(v.unknown(), 'must be a list'), { itemSchema })

/** The message for a text that is no chain. It names chains, and the chain that the text resembles (D56). */
const notOneOf = (named: readonly Chain[]) => {
  const message = `must be one of ${named.join(', ')}`
  return ({ input }: { input: unknown }) => {
    const meant = typeof input === 'string' ? chainMeantBy(input) : undefined
    return meant && named.includes(meant) ? `${message}; ${input} is called ${meant} here` : message
  }
}

/** A chain name, one of `names` (D56). */
export const chain = (names: readonly [Chain, ...Chain[]] = chainNames) =>
  v.picklist(names, notOneOf(names))

/**
 * Chain names; an absent filter means every chain (D13). Every known chain is accepted, and the message for
 * any other text names the open chains (D56).
 */
export const chainFilter = (openChains: readonly Chain[]) =>
  v.pipe(
    v.array(v.picklist(chainNames, notOneOf(openChains))),
    v.transform((names) => [...new Set(names)].sort()),
  )

const timeForm = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/

/** A time after now (RFC 3339), read into UTC with milliseconds. */
export const futureTime = v.pipe(
  string('2027-01-31T12:00:00Z'),
  documented({ format: 'date-time' }),
  parsed((text, addFault) => {
    const time = timeForm.test(text) ? Date.parse(text) : Number.NaN
    if (Number.isNaN(time)) return addFault('must be a time such as "2027-01-31T12:00:00Z"')
    return time > Date.now() ? new Date(time).toISOString() : addFault('must be in the future')
  }),
)

/** A whole number in a body. */
export const wholeNumber = (minimum: number, maximum: number) =>
  v.pipe(
    v.number(`must be a whole number from ${minimum} to ${maximum}`),
    rule<number>(
      { type: 'integer', minimum, maximum },
      (number) => Number.isInteger(number) && number >= minimum && number <= maximum,
      `must be a whole number from ${minimum} to ${maximum}`,
    ),
  )

/** A whole number written in a query. */
export const count = (minimum: number, maximum: number) =>
  v.pipe(
    string(),
    documented({ type: 'integer', minimum, maximum }),
    parsed((digits, addFault) => {
      const number = /^\d{1,9}$/.test(digits) ? Number(digits) : Number.NaN
      return number >= minimum && number <= maximum
        ? number
        : addFault(`must be a whole number from ${minimum} to ${maximum}`)
    }),
  )

/** A cursor as an earlier response gave it; the adapter that sealed it verifies it. */
export const cursor = v.pipe(string(), length(1, 4096))

/** The fault of a cursor that its operation did not write. */
export const foreignCursor = 'is not a cursor that was given out here'

/** A cursor that is not sealed, and whose form alone says whether it can be one. */
const plainCursor = <Position extends string | object>(
  read: (cursor: string) => Position | undefined,
) =>
  v.pipe(
    string(),
    parsed((text, addFault) => read(text) ?? addFault(foreignCursor)),
  )

/** A cursor of the allowlist as an earlier response gave it (D18). */
export const listCursor = plainCursor(readListCursor)

/** A cursor of the connected contracts as an earlier response gave it (D37). */
export const contractCursor = plainCursor(readContractCursor)

/** A cursor of the events as an earlier response gave it, read into the id of the last event (D49). */
export const eventCursor = plainCursor(readEventCursor)
