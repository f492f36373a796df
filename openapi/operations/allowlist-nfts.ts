import { routes } from '../../lib/contract/routes.ts'
import { addressForm } from '../components/contract-address.ts'
import { allowedNft } from '../components/nft-fields.ts'
import { describedObject } from '../components/schema-documentation.ts'
import { tokenIdForm } from '../components/token-id.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** 4.3 */
export const allowlistNfts: OperationDocumentation<'allowlistNfts'> = {
  tag: 'Allowlist',
  summary: 'Allowlist contract and NFTs',
  description: `Connects a contract to the product and allowlists 1 to 10,000 of its NFTs. From then on they appear in the metadata of players who hold them.\n\nToken identifiers are ${tokenIdForm}. Allowlisting more NFTs of a connected contract adds to its list and replaces the description. Repeating a request is safe, also when several callers send it concurrently: the list is the union. The response has one entry for each requested NFT, in the order of the request and in canonical form.\n\nA product can have 500 contracts. The maximum size of the body is 1 MiB. \`POLYGON\` and \`BSC\` are open for allowlisting unless the deployment opens other chains.`,
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
  },
  answers: {
    gear: {
      summary: 'Three NFTs on Polygon',
      value: {
        data: [
          { tokenId: '4', address: example.contracts.gear, chain: 'POLYGON' },
          { tokenId: '7', address: example.contracts.gear, chain: 'POLYGON' },
          { tokenId: '16', address: example.contracts.gear, chain: 'POLYGON' },
        ],
      },
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
    detail: 'contractAddress must be 0x and 40 hexadecimal digits. There are 2 such fields.',
    errors: [
      {
        in: 'body',
        path: 'contractAddress',
        message: 'must be 0x and 40 hexadecimal digits',
      },
      {
        in: 'body',
        path: 'tokens.1',
        message: 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text',
      },
    ],
  },
  schemas: {
    Allowlisting: describedObject(
      routes.allowlistNfts.body,
      'A contract to connect and NFTs to allowlist.',
      {
        chain: 'Chain name; `POLYGON` if omitted. A deployment may have other chains open.',
        contractAddress: `Contract address: ${addressForm}`,
        contractDescription: 'What the contract is; replaces an earlier description.',
        tokens: 'Token identifiers: unsigned 256-bit integers, decimal or `0x` hexadecimal.',
      },
    ),
    AllowedNft: allowedNft,
  },
}
