import * as v from 'valibot'
import { describedNft, structured } from '../../lib/contract/answers.ts'
import {
  describedNftFields,
  structuredFields,
} from '../../lib/contract/documentation/nft-fields.ts'
import {
  type Documentation,
  describedObject,
  example,
  refusedNumber,
} from '../../lib/contract/documentation.ts'
import { listCursor } from '../../lib/contract/fields/cursors.ts'
import { chain, contractAddress } from '../../lib/contract/fields/nfts.ts'
import { count } from '../../lib/contract/fields/numbers.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { maxNftsPerPage } from '../../lib/domain/allowlist/allowlist-limits.ts'

export const row = {
  id: 'getNfts',
  section: 'D60',
  method: 'GET',
  paths: [`${base}/product/nfts`],
  auth: 'PRODUCT',
  limits: ['indexer_calls_by_minute', 'indexer_calls_by_day'],
  query: v.object({
    chain: v.optional(chain()),
    contractAddress: v.optional(contractAddress),
    limit: v.optional(count(1, maxNftsPerPage)),
    cursor: v.optional(listCursor),
  }),
  answer: v.array(v.object({ ...describedNft.entries, ...structured.entries })),
  form: 'paged',
  problems: ['indexer_unavailable', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { Query: 2, getNFTMetadataBatch: 1 },
  first: { GetSecretValue: 1 },
}

export const documentation = (): Documentation<typeof row> => {
  const lantern = {
    tokenId: '24',
    address: example.contracts.gear,
    chain: 'POLYGON',
    metadataLink: 'https://metadata.brindlewake.example/gear/24',
    formattedMetadata: {
      name: 'Brass Storm Lantern of Stairfoot',
      description: 'Burns an hour longer than the oil allows.',
      image: 'https://assets.brindlewake.example/gear/24.webp',
      attributes: [
        { name: 'maker', value: 'Stairfoot' },
        { name: 'tier', value: '1' },
      ],
    },
  }

  const missing = {
    tokenId: '9001',
    address: example.contracts.gear,
    chain: 'POLYGON',
    metadataLink: '',
    metadataError: 'not_available' as const,
    formattedMetadata: { name: '', description: '', image: null, attributes: [] },
  }

  return {
    tag: 'Allowlist',
    summary: 'Get allowed NFTs with metadata',
    description:
      'Lists the allowlisted NFTs of the product with their structured metadata, in the order of the allowlist: chain by name, address, then token identifier as a number. Of a range and of `*`, the NFTs that exist are listed. A single token identifier is listed also if its NFT does not exist, with `metadataError`.\n\nOne response has at most 100 NFTs, or `limit`. It can be shorter or even empty and still have a `nextCursor`; only a missing `nextCursor` means the end. The service asks the indexer for the NFTs, so a call counts for the limits of indexer calls.',
    parameters: {
      chain: {
        description: 'Only NFTs on this chain. Omitted: on every chain.',
        example: 'POLYGON',
      },
      contractAddress: {
        description:
          'Only NFTs of this contract, on each chain where the product has it. Omitted: of every contract. The list is empty for a contract that is not connected.',
        example: example.contracts.gear,
      },
      limit: { description: 'Maximum number of NFTs; 100 if omitted.', example: 50 },
      cursor: {
        description:
          'The `nextCursor` of an earlier response, sent with the same `chain` and `contractAddress`. It does not expire.',
        example: example.listCursor,
      },
    },
    answers: {
      whole: {
        summary: 'The whole list',
        value: [lantern, missing],
      },
      page: {
        summary: 'A part of it (limit=1)',
        value: [lantern],
        nextCursor: example.listCursor,
      },
    },
    invalidRequest: refusedNumber('limit', 101, 100),
    schemas: {
      DescribedNft: describedObject(row.answer.item, 'An allowlisted NFT with its metadata.', {
        ...describedNftFields,
        ...structuredFields,
      }),
    },
  }
}
