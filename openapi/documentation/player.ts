import type { Routes } from '../../lib/contract/routes.ts'
import type { OperationDocumentation } from './documentation.ts'
import { example } from './examples.ts'

const { contracts, wallets } = example

const whichNfts =
  "NFTs that are in one of the player's wallets and allowlisted to the product: one entry for each wallet and NFT. A player without wallets, a product without contracts or a filter that leaves nothing has an empty list.\n\nAn answer that is complete in itself is in the order of the allowlist, then of owners. A large wallet comes in parts: an answer holds up to 1,000 entries, and may be shorter or even empty and still carry a `nextCursor`; only a missing `nextCursor` means the end. A cursor lives for 9 minutes and belongs to this operation, product, player and filter. NFTs that change hands while you read may be missed or repeated; nothing else may."

const parameters = {
  chains: {
    description:
      'Chains to include, repeated (`chains=BSC&chains=POLYGON`) or comma separated (`chains=BSC,POLYGON`). Omitted or empty: every chain on which the product has contracts.',
    example: ['BSC', 'POLYGON'],
  },
  limit: { description: 'The most entries to answer; 1,000 if omitted.', example: 100 },
  cursor: {
    description: 'The `nextCursor` of an earlier answer, sent with the same `chains`.',
    example: example.playerCursor,
  },
}

const crate = {
  tokenId: '2',
  address: contracts.crates,
  chain: 'BSC',
  owner: wallets.hot,
  balance: '3',
  metadataLink:
    'https://ipfs.io/ipfs/bafybeidsqk7ntii2j6k7su7coaimouka6y4pkwetwzjs242th5bsdxpmbm/2',
}
const lantern = {
  tokenId: '4',
  address: contracts.gear,
  chain: 'POLYGON',
  owner: wallets.cold,
  balance: '5',
  metadataLink: 'https://metadata.brindlewake.example/gear/4',
}
const lost = {
  tokenId: '60',
  address: contracts.keepers,
  chain: 'POLYGON',
  owner: wallets.cold,
  balance: '1',
  metadataLink: '',
  metadataError: 'not_available' as const,
}

/** 4.8 */
export const getRawMetadata: OperationDocumentation<Routes['getRawMetadata']> = {
  tag: 'Player',
  summary: 'Get NFT metadata, raw',
  description: `Answers, with their metadata unmodified, the ${whichNfts}\n\nRaw metadata is what the source wrote, byte for byte: \`5.0\` stays \`5.0\`, and integers keep every digit, so read it with a JSON parser that does too if you need them.`,
  parameters,
  answers: {
    whole: {
      summary: 'Everything the player holds',
      value: {
        data: [
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
    },
    part: {
      summary: 'A short part of a large wallet',
      value: { data: [{ ...lost, rawMetadata: {} }], nextCursor: example.playerCursor },
    },
  },
  refusal: {
    summary: 'No player token, an unknown chain',
    sent: { query: 'chains=POLYGON,SOLANA' },
    detail: 'playerToken is required. There are 2 such fields.',
    errors: [
      { in: 'query', path: 'playerToken', message: 'is required' },
      {
        in: 'query',
        path: 'chains.1',
        message: 'must be one of AMOY, BSC, BSC_TESTNET, MUMBAI, POLYGON',
      },
    ],
  },
}

/** 4.9 */
export const getStructuredMetadata: OperationDocumentation<Routes['getStructuredMetadata']> = {
  tag: 'Player',
  summary: 'Get NFT metadata, structured',
  description: `Answers, with their metadata in one form for all games, the ${whichNfts}\n\nThe image is the first usable URL of \`image\`, \`image_url\` and \`imageUrl\`, with \`ipfs:\` and \`ar:\` turned into HTTPS. Every attribute value is text.`,
  parameters,
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
  refusal: {
    summary: 'No player token, a limit past 1,000',
    sent: { query: 'limit=5000' },
    detail: 'playerToken is required. There are 2 such fields.',
    errors: [
      { in: 'query', path: 'playerToken', message: 'is required' },
      { in: 'query', path: 'limit', message: 'must be a whole number from 1 to 1000' },
    ],
  },
}

/** 4.11 */
export const createPlayerToken: OperationDocumentation<Routes['createPlayerToken']> = {
  tag: 'Player',
  summary: 'Create player token',
  description:
    "Mints a player token for the signed-in user, good for 24 hours. The platform hands it to the game, which sends it with every question about the player. A user's new token does not end the older ones.\n\nThe username and wallets of the user JWT are recorded, and what games learn of the player comes from there; a user JWT that was issued before the recorded one mints a token but changes nothing.\n\nThe token is a JWT: ES256, header `typ: player+jwt`, claims `iss`, `aud`, `sub` (the user id), `iat`, `exp`, `jti`. Game servers may verify it themselves with the key set; they must check `typ` and `aud`, since user JWTs are verified with keys of the same set.",
  answers: {
    minted: { summary: 'A new token', value: { data: { token: example.playerToken } } },
  },
}

/** 4.12 */
export const getPlayerDetails: OperationDocumentation<Routes['getPlayerDetails']> = {
  tag: 'Player',
  summary: 'Obtain player details',
  description:
    "Exchanges a player token for the player's user id, user name and balance of the service's token: the exact sum over all wallets. No other credentials are needed.\n\n`/player/details` and `/player/balance` answer alike.",
  otherPaths: {
    '/api/public/v1/player/balance': {
      operationId: 'getPlayerBalance',
      summary: 'Obtain player details (other path)',
    },
  },
  answers: {
    player: { summary: 'A player', value: { data: { ...example.player, amount: 1204.75 } } },
  },
  refusal: {
    summary: 'No player token',
    sent: { query: '' },
    detail: 'playerToken is required.',
    errors: [{ in: 'query', path: 'playerToken', message: 'is required' }],
  },
}
