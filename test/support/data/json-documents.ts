import { give } from '@player-nfts/local/indexer/holdings'
import { addCollection, type SourceAnswer, type World } from '@player-nfts/local/indexer/world'
import { numbers } from '@player-nfts/local/samples'
import fc from 'fast-check'
import type { ToAllowlist } from '../requests/reading.ts'
import { newAddress } from '../services/service.ts'

/** JSON white space (RFC 8259, 2), or none. */
const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/)

/** A JSON string with its characters plain, with short escapes, or as `\uXXXX`. */
const stringText = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.boolean())
  .map(([text, escaped]) => (escaped ? escapedText(text) : JSON.stringify(text)))

const escapedText = (text: string) => {
  const units = Array.from({ length: text.length }, (_, index) =>
    text.charCodeAt(index).toString(16).padStart(4, '0'),
  )
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`
}

/** A JSON number in any notation: trailing zeros, exponents, more digits than a double has. */
export const numberText = fc.stringMatching(
  /^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,8})?([eE][+-]?[0-9]{1,3})?$/,
)

/** Keys that are reordered, lost or invoked when they become keys of a JavaScript object. */
const strangeKey = fc.constantFrom(
  '"10"',
  '"2"',
  '"__proto__"',
  '"constructor"',
  '"toJSON"',
  '"then"',
  '""',
  '"rawMetadata"',
  '"ownedNfts"',
)

const scalarText = fc.oneof(
  stringText,
  numberText,
  fc.constantFrom('true', 'false', 'null', '"\\ud800"', '"\\"}],"', '"\u2028"'),
)

const { object, value } = fc.letrec<{ object: string; array: string; value: string }>((tie) => ({
  object: fc
    .tuple(
      space,
      fc.array(fc.tuple(fc.oneof(stringText, strangeKey), space, tie('value')), { maxLength: 4 }),
    )
    .map(([gap, members]) => {
      const texts = members.map(([key, around, text]) => `${around}${key}${gap}:${around}${text}`)
      return `{${texts.join(`${gap},`)}${gap}}`
    }),
  array: fc
    .tuple(space, fc.array(tie('value'), { maxLength: 4 }))
    .map(([gap, values]) => `[${gap}${values.join(`${gap},`)}]`),
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalarText,
    tie('object'),
    tie('array'),
  ),
}))

/** The text of a JSON object in any notation. */
export const objectText: fc.Arbitrary<string> = object

/** Any JSON text. */
export const jsonText: fc.Arbitrary<string> = value

/** Puts NFTs 1, 2, … of one contract with these documents into a wallet, one for each document. */
export function putDocuments(
  world: World,
  wallet: string,
  documents: readonly SourceAnswer[],
  tokenUri: (tokenId: string) => string = () => '',
): ToAllowlist {
  const contract = { network: 'polygon-mainnet', address: newAddress() } as const
  addCollection(world, {
    ...contract,
    tokenType: 'ERC721',
    name: 'Documents',
    symbol: 'DOC',
    totalSupply: documents.length,
    tokenUri,
    metadata: (tokenId) => documents[Number(tokenId) - 1],
  })
  const tokenIds = numbers(1, documents.length)
  for (const tokenId of tokenIds) give(world, { ...contract, tokenId }, wallet)
  return { chain: 'POLYGON', address: contract.address, tokenIds }
}
