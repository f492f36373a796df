import type { Routes } from '../../lib/contract/routes.ts'
import type { OperationDocumentation } from './documentation.ts'
import { example } from './examples.ts'
import { addressProse } from './schemas.ts'

const { contracts } = example

const contractAddress = {
  description: `Address of the contract: ${addressProse}`,
  example: contracts.gear,
}
const tokenIdProse =
  'unsigned 256-bit integers, as decimal or `0x` hexadecimal text; leading zeros and duplicates do no harm'

/** 4.3 */
export const allowlistNfts: OperationDocumentation<Routes['allowlistNfts']> = {
  tag: 'Allowlist',
  summary: 'Allowlist contract and NFTs',
  description: `Connects a contract to the product and allowlists 1 to 10,000 of its NFTs. From then on they appear in the metadata of players who hold them.\n\nToken identifiers are ${tokenIdProse}. Allowlisting more NFTs of a connected contract adds to its list and replaces the description. Repeating a request is safe, also at the same time from several callers: the list is the union. The answer holds one entry for each NFT that was asked for, in the order asked for, in canonical form.\n\nA product may have 500 contracts. A body may have 1 MiB. \`POLYGON\` and \`BSC\` are open for allowlisting, unless the deployment has opened others.`,
  requests: {
    gear: {
      summary: 'Three NFTs on Polygon',
      value: {
        chain: 'POLYGON',
        contractAddress: contracts.gear,
        contractDescription: 'Equipment of the lamp keepers of Brindlewake (ERC-1155).',
        tokens: ['4', '7', '0x10'],
      },
    },
    withoutChain: {
      summary: 'Polygon is meant when no chain is named',
      value: {
        contractAddress: contracts.keepers,
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
          { tokenId: '4', address: contracts.gear, chain: 'POLYGON' },
          { tokenId: '7', address: contracts.gear, chain: 'POLYGON' },
          { tokenId: '16', address: contracts.gear, chain: 'POLYGON' },
        ],
      },
    },
  },
  refusal: {
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
}

/** 4.4 */
export const getAllowedNfts: OperationDocumentation<Routes['getAllowedNfts']> = {
  tag: 'Allowlist',
  summary: 'Get allowed NFTs',
  description:
    'Lists what the product has allowlisted, over all contracts and chains, in a fixed order: chain by name, address, then token identifier as a number. The whole list is answered as long as it has at most 10,000 entries; past that, or past `limit`, there is a `nextCursor` to read on with. Entries on chains that have been shut down stay on the list until they are unbound.',
  parameters: {
    limit: { description: 'The most entries to answer; 10,000 if omitted.', example: 1000 },
    cursor: {
      description: 'The `nextCursor` of an earlier answer. It does not expire.',
      example: example.listCursor,
    },
  },
  answers: {
    whole: {
      summary: 'The whole list',
      value: {
        data: [
          { tokenId: '2', address: contracts.crates, chain: 'BSC' },
          { tokenId: '7', address: contracts.gear, chain: 'POLYGON' },
          { tokenId: '24', address: contracts.gear, chain: 'POLYGON' },
        ],
      },
    },
    page: {
      summary: 'A part of it (limit=1)',
      value: {
        data: [{ tokenId: '24', address: contracts.gear, chain: 'POLYGON' }],
        nextCursor: example.listCursor,
      },
    },
  },
  refusal: {
    summary: 'Sent: limit=0',
    sent: { query: 'limit=0' },
    detail: 'limit must be a whole number from 1 to 10000.',
    errors: [{ in: 'query', path: 'limit', message: 'must be a whole number from 1 to 10000' }],
  },
}

/** 4.5 */
export const unbindContract: OperationDocumentation<Routes['unbindContract']> = {
  tag: 'Allowlist',
  summary: 'Unbind smart contract',
  description:
    'Removes a contract and every NFT that was allowlisted under it, however many, in effect for the next request. Connecting the contract again later starts with an empty list: old entries never come back.',
  parameters: {
    contractAddress,
    chain: { description: 'Chain on which the contract is connected.', example: 'POLYGON' },
  },
  answers: {
    unbound: {
      summary: 'Done',
      value: {
        data: { message: `Contract ${contracts.gear} on POLYGON and its NFTs were unbound.` },
      },
    },
  },
  refusal: {
    summary: 'An address with a typing error and a chain in lower case',
    sent: { query: 'contractAddress=0x22D518c449312143BE64cD547c510A1A4EbED201&chain=polygon' },
    detail:
      'contractAddress has a wrong EIP-55 checksum: check for a typing error, or write it in lower case. There are 2 such fields.',
    errors: [
      {
        in: 'query',
        path: 'contractAddress',
        message: 'has a wrong EIP-55 checksum: check for a typing error, or write it in lower case',
      },
      {
        in: 'query',
        path: 'chain',
        message: 'must be one of AMOY, BSC, BSC_TESTNET, MUMBAI, POLYGON',
      },
    ],
  },
}

/** 4.6 */
export const unbindNfts: OperationDocumentation<Routes['unbindNfts']> = {
  tag: 'Allowlist',
  summary: 'Unbind allowed NFTs',
  description:
    'Removes the listed NFTs and leaves the contract connected. Those that were not on the list are passed over; the message says how many were removed.\n\nOne request takes 1 to 1,000 token identifiers, as far as the request line and headers stay within 10,240 bytes. Send longer lists in several requests.',
  parameters: {
    contractAddress,
    tokens: {
      description: `Token identifiers to remove, repeated (\`tokens=4&tokens=7\`) or comma separated (\`tokens=4,7\`): ${tokenIdProse}.`,
      example: ['4', '7'],
    },
    chain: { description: 'Chain on which the contract is connected.', example: 'POLYGON' },
  },
  answers: {
    unbound: {
      summary: 'Done',
      value: {
        data: { message: `2 NFTs were unbound from contract ${contracts.gear} on POLYGON.` },
      },
    },
  },
  refusal: {
    summary: 'A token identifier in scientific notation, no chain',
    sent: { query: `contractAddress=${contracts.gear}&tokens=4&tokens=1e3` },
    detail:
      'tokens.1 must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text. There are 2 such fields.',
    errors: [
      {
        in: 'query',
        path: 'tokens.1',
        message: 'must be an unsigned 256-bit integer, as decimal or 0x hexadecimal text',
      },
      { in: 'query', path: 'chain', message: 'is required' },
    ],
  },
}
