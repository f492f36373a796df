import { allowedNft } from '../components/nft-fields.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** 4.4 */
export const getAllowedNfts: OperationDocumentation<'getAllowedNfts'> = {
  tag: 'Allowlist',
  summary: 'Get allowed NFTs',
  description:
    'Lists the allowlisted NFTs of the product, over all contracts and chains, in a fixed order: chain by name, address, then token identifier as a number.\n\nA range is one entry with `a..b` as `tokenId`, in the place of its first identifier, and `*` is every token identifier. Ranges that overlap or touch are one entry, and NFTs inside a range have no entry of their own.\n\nOne response has at most 10,000 entries, or `limit`; if there are more, `nextCursor` leads to the next page. Entries on chains that are shut down stay on the list until they are unbound.',
  parameters: {
    limit: { description: 'Maximum number of entries; 10,000 if omitted.', example: 1000 },
    cursor: {
      description: 'The `nextCursor` of an earlier response. It does not expire.',
      example: example.listCursor,
    },
  },
  answers: {
    whole: {
      summary: 'The whole list',
      value: {
        data: [
          { tokenId: '2', address: example.contracts.crates, chain: 'BSC' },
          { tokenId: '7', address: example.contracts.gear, chain: 'POLYGON' },
          { tokenId: '24', address: example.contracts.gear, chain: 'POLYGON' },
        ],
      },
    },
    ranges: {
      summary: 'A whole collection; a season and one NFT beside it',
      value: {
        data: [
          { tokenId: '*', address: example.contracts.gear, chain: 'POLYGON' },
          { tokenId: '1..5000', address: example.contracts.keepers, chain: 'POLYGON' },
          { tokenId: '9001', address: example.contracts.keepers, chain: 'POLYGON' },
        ],
      },
    },
    page: {
      summary: 'A part of it (limit=1)',
      value: {
        data: [{ tokenId: '24', address: example.contracts.gear, chain: 'POLYGON' }],
        nextCursor: example.listCursor,
      },
    },
  },
  invalidRequest: {
    summary: 'Sent: limit=0',
    sent: { query: 'limit=0' },
    detail: 'limit must be a whole number from 1 to 10000.',
    errors: [{ in: 'query', path: 'limit', message: 'must be a whole number from 1 to 10000' }],
  },
  schemas: {
    AllowedNft: allowedNft,
  },
}
