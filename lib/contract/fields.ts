import * as v from 'valibot'
import { addressFault, toAddress } from '../domain/address.ts'
import type { Nft } from '../domain/allowlist.ts'
import { type Chain, chainNames } from '../domain/chain.ts'
import { codePointLength } from '../domain/text.ts'
import { maxTokenIdLength, parseTokenId, type TokenId } from '../domain/token-id.ts'
import { readListCursor } from './list-cursor.ts'

/** What a rule adds to the JSON Schema of its field, for the OpenAPI document. */
export interface Documented {
  readonly jsonSchema: Record<string, unknown>
}

/** A list whose items are judged by a later schema, for the OpenAPI document. */
export interface DocumentedList {
  readonly judgedItems: v.GenericSchema
}

/** A validation that JSON Schema has words for: the check, what it says, and those words. */
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

const oneText = v.string('must be one text')

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

/** Text of so many code points (D4). */
export const text = (minLength: number, maxLength: number) =>
  v.pipe(oneText, wellFormed, length(minLength, maxLength))

/** Text that names something: not only white space (D4). */
export const nameText = (minLength: number, maxLength: number) =>
  v.pipe(
    oneText,
    wellFormed,
    length(minLength, maxLength),
    rule({ pattern: '\\S' }, (name) => /\S/u.test(name), 'must not be blank'),
  )

/** An e-mail address: something on each side of a single `@`, and no stricter (D8). */
export const emailText = v.pipe(
  oneText,
  wellFormed,
  length(3, 300),
  rule(
    { pattern: '^[^@]+@[^@]+$' },
    (email) => /^[^@]+@[^@]+$/u.test(email),
    'must have something on each side of a single @',
  ),
)

/** A website: an http(s) URL, or text without a scheme (D7). */
export const websiteText = v.pipe(
  oneText,
  wellFormed,
  length(1, 2048),
  rule({}, isWebsite, 'must be an http or https URL, or a host name such as www.example.com'),
)

function isWebsite(website: string): boolean {
  if (/^https?:\/\//i.test(website)) return URL.canParse(website)
  // The scheme as browsers see it; a dot makes it the host of a port ("example.com:8080").
  const scheme = URL.parse(website)?.protocol ?? /^[a-z][a-z0-9+.-]*:/i.exec(website)?.[0] ?? ''
  return (scheme === '' || scheme.includes('.')) && /\S/u.test(website)
}

/** A smart contract address, read into its stored form (D14). */
export const contractAddress = v.pipe(
  oneText,
  length(2, 100),
  rule(
    { pattern: '^0x[0-9a-fA-F]{40}$' },
    (address) => addressFault(address) !== 'malformed',
    'must be 0x and 40 hexadecimal digits',
  ),
  rule(
    {},
    (address) => addressFault(address) === undefined,
    'has a wrong EIP-55 checksum: check for a typing error, or write it in lower case',
  ),
  v.transform(toAddress),
)

const oneTokenId = v.pipe(
  oneText,
  rule(
    { pattern: '^([0-9]+|0[xX][0-9a-fA-F]+)$', minLength: 1, maxLength: maxTokenIdLength },
    (tokenId) => parseTokenId(tokenId) !== undefined,
    'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text',
  ),
  v.transform((tokenId) => parseTokenId(tokenId) as TokenId),
)

/**
 * `minItems`..`maxItems` token identifiers, read into their stored form; duplicates collapse, the
 * order of first appearance stays (D15, D16, D20).
 */
export const tokenIds = (minItems: number, maxItems: number) =>
  v.pipe(
    // The size is judged before the items: a list that is far too long is not worth a look at each.
    anyList(oneTokenId),
    v.minLength(minItems, `must have at least ${minItems} token identifier`),
    v.maxLength(maxItems, `must have at most ${maxItems} token identifiers in one request`),
    v.array(oneTokenId),
    v.transform((ids) => [...new Set(ids)]),
  )

const anyList = (
  judgedItems: v.GenericSchema,
): v.ArraySchema<v.UnknownSchema, string> & DocumentedList =>
  Object.assign(v.array(v.unknown(), 'must be a list'), { judgedItems })

/** A chain name, one of those given (D11). */
export const chain = (names: readonly [Chain, ...Chain[]] = chainNames) =>
  v.picklist(names, `must be one of ${names.join(', ')}`)

/** Chain names; none means every chain (D13). */
export const chainFilter = v.pipe(
  v.array(chain()),
  v.transform((names) => [...new Set(names)].sort()),
)

/** A whole number written in a query. */
export const count = (minimum: number, maximum: number) =>
  v.pipe(
    oneText,
    rule(
      { type: 'integer', minimum, maximum },
      (digits) => /^\d{1,9}$/.test(digits) && +digits >= minimum && +digits <= maximum,
      `must be a whole number from ${minimum} to ${maximum}`,
    ),
    v.transform(Number),
  )

/** A reading position as an earlier answer gave it; whoever sealed it judges it. */
export const cursor = v.pipe(oneText, length(1, 4096))

/** A position in the allowlist as an earlier answer gave it (D18). */
export const listCursor = v.pipe(
  oneText,
  rule({}, (text) => readListCursor(text) !== undefined, 'is not a cursor that was given out here'),
  v.transform((text) => readListCursor(text) as Nft),
)
