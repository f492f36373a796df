import * as v from 'valibot'
import { unboundNfts } from '../../lib/contract/answers.ts'
import { addressForm, tokenElementForm } from '../../lib/contract/documentation/nft-fields.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { chain, contractAddress, tokenElements } from '../../lib/contract/fields/nfts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { maxTokenIdsPerUnbindingList } from '../../lib/domain/allowlist/allowlist-limits.ts'

export const row = {
  id: 'unbindNftList',
  section: 'D50',
  method: 'POST',
  paths: [`${base}/product/tokens/unbind`],
  auth: 'PRODUCT',
  body: v.object({
    contractAddress,
    tokens: tokenElements(1, maxTokenIdsPerUnbindingList),
    chain: chain(),
  }),
  answer: unboundNfts,
  problems: ['contract_not_connected', 'too_many_ranges', 'too_many_nfts', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 1, BatchGetItem: 1, BatchWriteItem: 1 },
  units: { read: 3, write: 2 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Allowlist',
  summary: 'Unbind a list of NFTs',
  description:
    'Removes up to 10,000 elements of `tokens` and leaves the contract connected, as `DELETE /api/public/v1/product/tokens` does without the limit of a URL. NFTs that are not on the list are ignored; `removed` gives the number of removed single NFTs, and `message` also names the ranges. Repeating a request is safe: after a failure, it removes the rest.',
  requests: {
    gear: {
      summary: 'Two NFTs on Polygon',
      value: {
        chain: 'POLYGON',
        contractAddress: example.contracts.gear,
        tokens: ['4', '7'],
      },
    },
    season: {
      summary: 'A season, and one NFT beside it',
      value: {
        chain: 'POLYGON',
        contractAddress: example.contracts.keepers,
        tokens: ['1..5000', '9001'],
      },
    },
  },
  answers: {
    unbound: {
      summary: 'Done',
      value: {
        message: `2 NFTs were unbound from contract ${example.contracts.gear} on POLYGON.`,
        removed: 2,
      },
    },
    season: {
      summary: 'A season, and one NFT beside it',
      value: {
        message: `1 NFT and the range 1..5000 were unbound from contract ${example.contracts.keepers} on POLYGON.`,
        removed: 1,
      },
    },
  },
  invalidRequest: {
    summary: 'A token identifier in scientific notation, no chain',
    sent: { body: { contractAddress: example.contracts.gear, tokens: ['4', '1e3'] } },
    faults: {
      'tokens.1': 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text',
      chain: 'is required',
    },
  },
  schemas: {
    NftListToUnbind: describedObject(row.body, 'NFTs of a contract to remove from its allowlist.', {
      contractAddress: `Address of the contract: ${addressForm}`,
      tokens: `Elements to remove: ${tokenElementForm}.`,
      chain: 'Chain on which the contract is connected.',
    }),
  },
})
