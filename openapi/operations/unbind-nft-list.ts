import { routes } from '../../lib/contract/routes.ts'
import { addressForm } from '../components/contract-address.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { tokenIdForm } from '../components/token-id.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** D50 */
export const unbindNftList: OperationDocumentation<'unbindNftList'> = {
  tag: 'Allowlist',
  summary: 'Unbind a list of NFTs',
  description:
    'Removes up to 10,000 given NFTs and leaves the contract connected, as `DELETE /api/public/v1/product/tokens` does without the limit of a URL. NFTs that are not on the list are ignored; `removed` gives the number of removed NFTs. Repeating a request is safe: after a failure, it removes the rest.',
  requests: {
    gear: {
      summary: 'Two NFTs on Polygon',
      value: {
        chain: 'POLYGON',
        contractAddress: example.contracts.gear,
        tokens: ['4', '7'],
      },
    },
  },
  answers: {
    unbound: {
      summary: 'Done',
      value: {
        data: {
          message: `2 NFTs were unbound from contract ${example.contracts.gear} on POLYGON.`,
          removed: 2,
        },
      },
    },
  },
  invalidRequest: {
    summary: 'A token identifier in scientific notation, no chain',
    sent: { body: { contractAddress: example.contracts.gear, tokens: ['4', '1e3'] } },
    detail:
      'tokens.1 must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text. There are 2 such fields.',
    errors: [
      {
        in: 'body',
        path: 'tokens.1',
        message: 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text',
      },
      { in: 'body', path: 'chain', message: 'is required' },
    ],
  },
  schemas: {
    NftListToUnbind: describedObject(
      routes.unbindNftList.body,
      'NFTs of a contract to remove from its allowlist.',
      {
        contractAddress: `Address of the contract: ${addressForm}`,
        tokens: `Token identifiers to remove: ${tokenIdForm}.`,
        chain: 'Chain on which the contract is connected.',
      },
    ),
  },
}
