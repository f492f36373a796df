import * as v from 'valibot'
import { ownedNft, structured } from '../../lib/contract/answers.ts'
import { ownedNftFields, structuredFields } from '../../lib/contract/documentation/nft-fields.ts'
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
import { readingPlayerNfts, requestsOfPlayerNfts } from '../../lib/contract/player-nfts-row.ts'
import { base, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'getStructuredMetadata',
  section: '4.9',
  paths: [`${base}/player/tokens`],
  ...readingPlayerNfts,
  shifted: true,
  answer: v.array(v.object({ ...ownedNft.entries, ...structured.entries })),
} as const satisfies Route

export const requests = requestsOfPlayerNfts

export const documentation = (): Documentation<typeof row> => {
  const structuredMetadata = structured.entries.formattedMetadata

  return {
    tag: 'Player',
    summary: 'Get NFT metadata, structured',
    description: `Returns, with metadata in one form for all games, the ${chosenNfts}\n\n${answerAge}\n\nThe image is the first usable one of \`image\`, \`image_url\`, \`imageUrl\` and \`image_data\`, with \`ipfs:\` and \`ar:\` converted to HTTPS. The attributes are those of \`attributes\`, \`traits\` or \`properties\`, in the forms of ERC-721, ERC-1155 and other common ones; \`attributesLeftOut\` counts the entries in other forms, which only raw metadata has. Every attribute value is text.`,
    parameters: playerNftsParameters,
    answers: {
      whole: {
        summary: 'Everything the player holds',
        value: [
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
      part: {
        summary: 'A part without entries, and more to come',
        value: [],
        nextCursor: example.playerCursor,
      },
    },
    invalidRequest: {
      summary: 'No player token, a limit past 1,000',
      sent: { query: 'limit=5000' },
      faults: { ...missingPlayerToken, limit: 'must be a whole number from 1 to 1000' },
    },
    schemas: {
      StructuredNft: describedObject(
        row.answer.item,
        'An NFT of a player, with structured metadata.',
        {
          ...ownedNftFields,
          ...structuredFields,
        },
      ),
      StructuredMetadata: describedObject(
        structuredMetadata,
        'Metadata in one form for all games.',
        {
          name: 'Its name, `""` if there is none.',
          description: 'Its description, `""` if there is none.',
          image:
            'URL of its image (`https:`, `http:` or `data:`), `null` if there is none. SVG markup is in a `data:` URL. It is whatever the metadata says, and can be an SVG document, which can contain scripts: show it only as an image, for example with `<img>`.',
          attributes: 'Its attributes, in the order of the metadata.',
        },
      ),
      Attribute: describedObject(
        structuredMetadata.entries.attributes.item,
        'An attribute of an NFT.',
        {
          name: 'Its `name` in the metadata, else its `trait_type` or `key`.',
          value:
            'Its value as text, numbers as the indexer sends them: `2` is `"2"`, `5.0` is `"5.0"`.',
        },
      ),
    },
  }
}
