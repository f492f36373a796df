import * as v from 'valibot'
import { formattedMetadata, ownedNft } from '../../lib/contract/answers.ts'
import { example } from '../../lib/contract/documentation/examples.ts'
import { missingPlayerToken } from '../../lib/contract/documentation/missing-player-token.ts'
import { ownedNftFields } from '../../lib/contract/documentation/nft-fields.ts'
import type { OperationDocumentation } from '../../lib/contract/documentation/operation-documentation.ts'
import {
  answerAge,
  chosenNfts,
  crate,
  lantern,
  lost,
  playerNftsParameters,
} from '../../lib/contract/documentation/player-nfts.ts'
import { describedObject } from '../../lib/contract/documentation/schema-documentation.ts'
import { readingPlayerNfts, requestsOfPlayerNfts } from '../../lib/contract/player-nfts-row.ts'
import { base, type Route } from '../../lib/contract/route.ts'

/** 4.9 (D24, D28) */
const structuredNfts = v.array(v.object({ ...ownedNft.entries, formattedMetadata }))

/** 4.9 */
export const row = {
  id: 'getStructuredMetadata',
  section: '4.9',
  paths: [`${base}/player/tokens`],
  ...readingPlayerNfts,
  answer: structuredNfts,
} as const satisfies Route

/** What a call asks of AWS and of the indexer. */
export const requests = requestsOfPlayerNfts

/** What the OpenAPI document says of the operation. */
export const documentation = (): OperationDocumentation<typeof row> => {
  const structuredMetadata = structuredNfts.item.entries.formattedMetadata

  return {
    tag: 'Player',
    summary: 'Get NFT metadata, structured',
    description: `Returns, with metadata in one form for all games, the ${chosenNfts}\n\n${answerAge}\n\nThe image is the first usable URL of \`image\`, \`image_url\` and \`imageUrl\`, with \`ipfs:\` and \`ar:\` converted to HTTPS. Every attribute value is text.`,
    parameters: playerNftsParameters,
    answers: {
      whole: {
        summary: 'Everything the player holds',
        value: {
          data: [
            {
              ...crate,
              formattedMetadata: {
                name: 'Lamplighting Crate',
                description: 'Salvage of the Lamplighting season, nailed shut. Do not shake.',
                image: 'https://assets.brindlewake.example/crates/2.png',
                attributes: [],
              },
            },
            {
              ...lantern,
              formattedMetadata: {
                name: 'Brass Storm Lantern of Stairfoot',
                description: 'Burns an hour longer than the oil allows.',
                image: 'https://assets.brindlewake.example/gear/4.webp',
                attributes: [
                  { name: 'maker', value: 'Stairfoot' },
                  { name: 'weight', value: '2.5' },
                  { name: 'tier', value: '1' },
                ],
              },
            },
            {
              ...lost,
              formattedMetadata: { name: '', description: '', image: null, attributes: [] },
            },
          ],
        },
      },
      part: {
        summary: 'A part without entries, and more to come',
        value: { data: [], nextCursor: example.playerCursor },
      },
    },
    invalidRequest: {
      summary: 'No player token, a limit past 1,000',
      sent: { query: 'limit=5000' },
      detail: `playerToken ${missingPlayerToken.message}. There are 2 such fields.`,
      errors: [
        missingPlayerToken,
        { in: 'query', path: 'limit', message: 'must be a whole number from 1 to 1000' },
      ],
    },
    schemas: {
      StructuredNft: describedObject(
        structuredNfts.item,
        'An NFT of a player, with structured metadata.',
        {
          ...ownedNftFields,
          formattedMetadata: 'The metadata, in one form for all games.',
        },
      ),
      StructuredMetadata: describedObject(
        structuredMetadata,
        'Metadata in one form for all games.',
        {
          name: 'Its name, `""` if there is none.',
          description: 'Its description, `""` if there is none.',
          image:
            'URL of its image (`https:`, `http:` or `data:`), `null` if there is none. It is whatever the metadata says, and can be an SVG document, which can contain scripts: show it only as an image, for example with `<img>`.',
          attributes: 'Its attributes, in the order of the source.',
        },
      ),
      Attribute: describedObject(
        structuredMetadata.entries.attributes.item,
        'An attribute of an NFT.',
        {
          name: 'Its `name` at the source, else its `trait_type`.',
          value:
            'Its value as text, numbers as the source wrote them: `2` is `"2"`, `5.0` is `"5.0"`.',
        },
      ),
    },
  }
}
