import * as v from 'valibot'
import { allowedNfts } from '../../lib/contract/answers.ts'
import {
  addressForm,
  allowedNft,
  tokenElementForm,
} from '../../lib/contract/documentation/nft-fields.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { chain, contractAddress, tokenElements } from '../../lib/contract/fields/nfts.ts'
import { text } from '../../lib/contract/fields/texts.ts'
import type { OperationRequests } from '../../lib/contract/route.ts'
import { base, type OpenChains, type Route } from '../../lib/contract/route.ts'
import { maxTokenIdsPerAllowlisting } from '../../lib/domain/allowlist/allowlist-limits.ts'
import { chainsOpenByDefault } from '../../lib/domain/nft/chain.ts'

const allowlistingOn = (openChains: OpenChains) =>
  v.object({
    chain: v.optional(chain(openChains)),
    contractAddress,
    contractDescription: v.optional(text(10, 2000)),
    tokens: tokenElements(1, maxTokenIdsPerAllowlisting),
  })

/**
 * The body of 4.3: its chain is one of those that the deployment opens for allowlisting (D56). The
 * description is required for a contract that is not connected yet (D37).
 */
const allowlisting = Object.assign(allowlistingOn(chainsOpenByDefault), {
  withOpenChains: allowlistingOn,
})

export const row = {
  id: 'allowlistNfts',
  section: '4.3',
  method: 'POST',
  paths: [`${base}/product/tokens`],
  auth: 'PRODUCT',
  limits: ['allowlisted_nfts', 'nfts'],
  body: allowlisting,
  answer: allowedNfts,
  problems: ['too_many_ranges', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 1, PutItem: 1, BatchWriteItem: 1 },
  units: { write: 4 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Allowlist',
  summary: 'Allowlist contract and NFTs',
  description: `Connects a contract to the product and adds to its allowlist: 1 to 10,000 elements of \`tokens\`. From then on the NFTs appear in the metadata of players who hold them.\n\nElements are ${tokenElementForm}. So \`*\` is the whole collection, also its NFTs that are minted later, and \`1..5000\` is a season. A contract has up to 100 ranges and a product up to 2,000, after ranges that overlap or touch are merged; more are \`too_many_ranges\`.\n\nAllowlisting more NFTs of a connected contract adds to its list and replaces the description. Repeating a request is safe, also when several callers send it concurrently: the list is the union. The response has one entry for each requested element, in the order of the request and in canonical form.\n\nA product can have 500 contracts. The maximum size of the body is 1 MiB. \`POLYGON\` and \`BSC\` are open for allowlisting unless the deployment opens other chains.`,
  requests: {
    gear: {
      summary: 'Three NFTs on Polygon',
      value: {
        chain: 'POLYGON',
        contractAddress: example.contracts.gear,
        contractDescription: 'Equipment of the lamp keepers of Brindlewake (ERC-1155).',
        tokens: ['4', '7', '0x10'],
      },
    },
    withoutChain: {
      summary: 'Polygon is meant when no chain is named',
      value: {
        contractAddress: example.contracts.keepers,
        contractDescription: 'The lamp keepers of Brindlewake (ERC-721).',
        tokens: ['7'],
      },
    },
    collection: {
      summary: 'A whole collection, also its NFTs that are minted later',
      value: {
        contractAddress: example.contracts.keepers,
        contractDescription: 'The lamp keepers of Brindlewake (ERC-721).',
        tokens: ['*'],
      },
    },
    season: {
      summary: 'A season, and one NFT beside it',
      value: {
        contractAddress: example.contracts.keepers,
        contractDescription: 'The lamp keepers of the first season (ERC-721).',
        tokens: ['1..5000', '9001'],
      },
    },
  },
  answers: {
    gear: {
      summary: 'Three NFTs on Polygon',
      value: [
        { tokenId: '4', address: example.contracts.gear, chain: 'POLYGON' },
        { tokenId: '7', address: example.contracts.gear, chain: 'POLYGON' },
        { tokenId: '16', address: example.contracts.gear, chain: 'POLYGON' },
      ],
    },
    season: {
      summary: 'A season, and one NFT beside it',
      value: [
        { tokenId: '1..5000', address: example.contracts.keepers, chain: 'POLYGON' },
        { tokenId: '9001', address: example.contracts.keepers, chain: 'POLYGON' },
      ],
    },
  },
  invalidRequest: {
    summary: 'A short address and a token identifier that is no whole number',
    sent: {
      body: {
        contractAddress: '0x22d518c4',
        contractDescription: 'Equipment of the lamp keepers of Brindlewake (ERC-1155).',
        tokens: ['4', '1.0'],
      },
    },
    faults: {
      contractAddress: 'must be 0x and 40 hexadecimal digits',
      'tokens.1': 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text',
    },
  },
  schemas: {
    Allowlisting: describedObject(row.body, 'A contract to connect and NFTs to allowlist.', {
      chain: 'Chain name; `POLYGON` if omitted. A deployment may have other chains open.',
      contractAddress: `Contract address: ${addressForm}`,
      contractDescription: 'What the contract is; replaces an earlier description.',
      tokens:
        'Token identifiers: unsigned 256-bit integers, decimal or `0x` hexadecimal; ranges `a..b` of them; or `*`.',
    }),
    AllowedNft: allowedNft,
  },
})
