import * as v from 'valibot'
import {
  maxTokenElementLength,
  parseTokenElement,
  tokenElementText,
} from '../../domain/allowlist/token-element.ts'
import { parseAddress } from '../../domain/nft/address.ts'
import { type Chain, chainMeantBy, chainNames } from '../../domain/nft/chain.ts'
import { type DocumentedList, documented, length, parsed, string } from './rules.ts'

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
 * Chain names; an absent filter means every chain (D13). The message for an unknown one names the open chains (D56).
 */
export const chainFilter = (openChains: readonly Chain[]) =>
  v.pipe(
    v.array(v.picklist(chainNames, notOneOf(openChains))),
    v.transform((names) => [...new Set(names)].sort()),
  )
