import * as v from 'valibot'
import { ownedNft, rawMetadata, shownText } from '../../lib/contract/answers.ts'
import { ownedNftFields, rawMetadataField } from '../../lib/contract/documentation/nft-fields.ts'
import {
  answerAge,
  chosenNfts,
  crate,
  lantern,
  lost,
  missingPlayerToken,
  playerNftsParameters,
} from '../../lib/contract/documentation/player-nfts.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import {
  rawNftsRange,
  readingPlayerNfts,
  requestsOfPlayerNfts,
} from '../../lib/contract/player-nfts-row.ts'
import { base, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'getRawMetadata',
  section: '4.8',
  paths: [`${base}/player/tokens/raw`],
  ...readingPlayerNfts,
  query: rawNftsRange,
  shifted: true,
  /** 4.8 (D24, D26): the metadata in the form that the request names (D130). */
  answer: v.array(
    v.object({
      ...ownedNft.entries,
      rawMetadata: v.optional(rawMetadata),
      rawMetadataText: v.optional(shownText),
    }),
  ),
} as const satisfies Route

export const requests = requestsOfPlayerNfts

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Player',
  summary: 'Get NFT metadata, raw',
  description: `Returns, with unmodified metadata, the ${chosenNfts}\n\n${answerAge}\n\nRaw metadata is the document as the indexer sends it, byte for byte: \`5.0\` stays \`5.0\`, and integers keep every digit. If you need all digits, use a JSON parser that keeps them.`,
  parameters: {
    ...playerNftsParameters,
    rawMetadata: {
      description: `\`text\`: the entries have \`rawMetadataText\`, a string, in place of \`rawMetadata\`. Use it if your JSON parser refuses what JSON permits: half of a surrogate pair (\`"\\ud83e"\`), 200 levels, or a number such as \`1E400\`. Anybody can make an NFT with such a document, and a page with one is refused whole. Pages are measured in the form that is sent, and a \`cursor\` is valid for both forms.`,
      example: 'text',
    },
  },
  answers: {
    whole: {
      summary: 'Everything the player holds',
      value: [
        {
          ...crate,
          rawMetadata: {
            name: 'Lamplighting Crate',
            description: 'Salvage of the Lamplighting season, nailed shut. Do not shake.',
            imageUrl: 'https://assets.brindlewake.example/crates/2.png',
            maxSupply: 5000,
            pack: {
              name: 'Lamplighting',
              description: 'Three pieces of equipment, one of them at least rare.',
              totalAmount: 3,
              symbol: 'BWC2',
              symbolImage: 'https://assets.brindlewake.example/crates/symbols/2.svg',
              releaseDate: '2025-03-14',
            },
          },
        },
        {
          ...lantern,
          rawMetadata: {
            name: 'Brass Storm Lantern of Stairfoot',
            description: 'Burns an hour longer than the oil allows.',
            imageUrl: 'https://assets.brindlewake.example/gear/4.webp',
            maxSupply: 1250,
            attributes: [
              { trait_type: 'Maker', name: 'maker', value: 'Stairfoot' },
              { trait_type: 'Weight', name: 'weight', value: 2.5 },
              { trait_type: 'Tier', name: 'tier', value: 1, display_type: 'number' },
            ],
            brindlewakeItem: {
              name: 'Brass Storm Lantern',
              description: 'Burns an hour longer than the oil allows.',
              rarity: 'RARE',
              parentItem: 'Lantern',
              attributes: [{ name: 'Brightness', value: 14 }],
              enchantments: [{ name: 'Fogcutter', value: 2 }],
            },
          },
        },
        { ...lost, rawMetadata: {} },
      ],
    },
    part: {
      summary: 'A short part of a large wallet',
      value: [{ ...lost, rawMetadata: {} }],
      nextCursor: example.playerCursor,
    },
  },
  invalidRequest: {
    summary: 'No player token, an unknown chain',
    sent: { query: 'chains=POLYGON,SOLANA' },
    faults: { ...missingPlayerToken, 'chains.1': 'must be one of POLYGON, BSC' },
  },
  schemas: {
    RawNft: describedObject(row.answer.item, 'An NFT of a player, with raw metadata.', {
      ...ownedNftFields,
      rawMetadata: rawMetadataField,
      rawMetadataText:
        'In place of `rawMetadata`, with `rawMetadata=text`: the same document as a string, `{}` if there is a `metadataError`. Parse it by itself: a document that your parser refuses then costs one NFT, and not the page.',
    }),
  },
})
