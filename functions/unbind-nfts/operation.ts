import * as v from 'valibot'
import { unboundNfts } from '../../lib/contract/answers.ts'
import {
  contractAddressParameter,
  tokenElementForm,
} from '../../lib/contract/documentation/nft-fields.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { chain, contractAddress, tokenElements } from '../../lib/contract/fields/nfts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'
import { maxTokenIdsPerUnbinding } from '../../lib/domain/allowlist/allowlist-limits.ts'

export const row = {
  id: 'unbindNfts',
  section: '4.6',
  method: 'DELETE',
  paths: [`${base}/product/tokens`],
  auth: 'PRODUCT',
  query: v.object({
    contractAddress,
    tokens: tokenElements(1, maxTokenIdsPerUnbinding),
    chain: chain(),
  }),
  answer: unboundNfts,
  problems: ['contract_not_connected', 'too_many_ranges', 'too_many_nfts', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 1, DeleteItem: 2 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Allowlist',
  summary: 'Unbind allowed NFTs',
  description:
    'Removes the given NFTs and leaves the contract connected. NFTs that are not on the list are ignored; `removed` gives the number of removed single NFTs, and `message` also names the ranges.\n\nA range `a..b` or `*` removes the ranges and the single NFTs that it covers, up to 10,000 of the latter; more are `too_many_nfts`. Removing from a range leaves the rest: `*` without `5` is `0..4` and the range from `6` on. If that splits a contract into more than 100 ranges, the response is `too_many_ranges`.\n\nOne request takes 1 to 1,000 elements of `tokens`, if the request line and headers together have at most 10,240 bytes. Send longer lists in several requests.',
  parameters: {
    contractAddress: contractAddressParameter,
    tokens: {
      description: `Elements to remove, repeated (\`tokens=4&tokens=7\`) or comma separated (\`tokens=4,10..20\`): ${tokenElementForm}.`,
      example: ['4', '7'],
    },
    chain: { description: 'Chain on which the contract is connected.', example: 'POLYGON' },
  },
  answers: {
    unbound: {
      summary: 'Done',
      value: {
        message: `2 NFTs were unbound from contract ${example.contracts.gear} on POLYGON.`,
        removed: 2,
      },
    },
    range: {
      summary: 'Done, with a range (tokens=10..20)',
      value: {
        message: `0 NFTs and the range 10..20 were unbound from contract ${example.contracts.gear} on POLYGON.`,
        removed: 0,
      },
    },
  },
  invalidRequest: {
    summary: 'A token identifier in scientific notation, no chain',
    sent: { query: `contractAddress=${example.contracts.gear}&tokens=4&tokens=1e3` },
    faults: {
      'tokens.1': 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text',
      chain: 'is required',
    },
  },
  schemas: {
    UnboundNfts: describedObject(unboundNfts, 'The result of unbinding NFTs.', {
      message: 'A sentence for a person.',
      removed:
        'The number of removed single NFTs. NFTs that were not on the list do not count, and NFTs that only a range had do not either, unless the request names them alone.',
    }),
  },
})
