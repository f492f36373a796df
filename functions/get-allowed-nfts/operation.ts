import * as v from 'valibot'
import { allowedNfts } from '../../lib/contract/answers.ts'
import { allowedNft } from '../../lib/contract/documentation/nft-fields.ts'
import {
  type Documentation,
  example,
  lastingCursor,
  refusedNumber,
} from '../../lib/contract/documentation.ts'
import { listCursor } from '../../lib/contract/fields/cursors.ts'
import { count } from '../../lib/contract/fields/numbers.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { maxAllowedNftsPerPage } from '../../lib/domain/allowlist/allowlist-limits.ts'

export const row = {
  id: 'getAllowedNfts',
  section: '4.4',
  method: 'GET',
  paths: [`${base}/product/tokens`],
  auth: 'PRODUCT',
  query: v.object({
    limit: v.optional(count(1, maxAllowedNftsPerPage)),
    cursor: v.optional(listCursor),
  }),
  shifted: true,
  answer: allowedNfts,
  form: 'paged',
} as const satisfies Route

export const requests: OperationRequests = { each: { Query: 2 } }

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Allowlist',
  summary: 'Get allowed NFTs',
  description:
    'Lists the allowlisted NFTs of the product, over all contracts and chains, in a fixed order: chain by name, address, then token identifier as a number.\n\nA range is one entry with `a..b` as `tokenId`, in the place of its first identifier, and `*` is every token identifier. Ranges that overlap or touch are one entry, and NFTs inside a range have no entry of their own.\n\nOne response has at most 10,000 entries, or `limit`; if there are more, `nextCursor` leads to the next page. Entries on chains that are shut down stay on the list until they are unbound.',
  parameters: {
    limit: { description: 'Maximum number of entries; 10,000 if omitted.', example: 1000 },
    cursor: lastingCursor(example.listCursor),
  },
  answers: {
    whole: {
      summary: 'The whole list',
      value: [
        { tokenId: '2', address: example.contracts.crates, chain: 'BSC' },
        { tokenId: '7', address: example.contracts.gear, chain: 'POLYGON' },
        { tokenId: '24', address: example.contracts.gear, chain: 'POLYGON' },
      ],
    },
    ranges: {
      summary: 'A whole collection; a season and one NFT beside it',
      value: [
        { tokenId: '*', address: example.contracts.gear, chain: 'POLYGON' },
        { tokenId: '1..5000', address: example.contracts.keepers, chain: 'POLYGON' },
        { tokenId: '9001', address: example.contracts.keepers, chain: 'POLYGON' },
      ],
    },
    page: {
      summary: 'A part of it (limit=1)',
      value: [{ tokenId: '24', address: example.contracts.gear, chain: 'POLYGON' }],
      nextCursor: example.listCursor,
    },
  },
  invalidRequest: refusedNumber('limit', 0, 10000),
  schemas: {
    AllowedNft: allowedNft,
  },
})
