import * as v from 'valibot'
import { confirmation } from '../../lib/contract/answers.ts'
import { confirmationSchema } from '../../lib/contract/documentation/confirmation.ts'
import { contractAddressParameter } from '../../lib/contract/documentation/nft-fields.ts'
import { type Documentation, example } from '../../lib/contract/documentation.ts'
import { chain, contractAddress } from '../../lib/contract/fields/nfts.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'unbindContract',
  section: '4.5',
  method: 'DELETE',
  paths: [`${base}/product/contract`],
  auth: 'PRODUCT',
  query: v.object({ contractAddress, chain: chain() }),
  answer: confirmation,
  problems: ['contract_not_connected', 'service_unavailable'],
} as const satisfies Route

export const requests: OperationRequests = {
  each: { GetItem: 1, DeleteItem: 1, SendMessage: 1 },
  recordsChange: true,
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Allowlist',
  summary: 'Unbind smart contract',
  description:
    'Removes a contract and all of its allowlisted NFTs, however many. The removal takes effect with the next request. If the contract is connected again later, its list is empty: old entries never come back.',
  parameters: {
    contractAddress: contractAddressParameter,
    chain: { description: 'Chain on which the contract is connected.', example: 'POLYGON' },
  },
  answers: {
    unbound: {
      summary: 'Done',
      value: {
        message: `Contract ${example.contracts.gear} on POLYGON and its NFTs were unbound.`,
      },
    },
  },
  invalidRequest: {
    summary: 'An address with a typing error and a chain in lower case',
    sent: { query: 'contractAddress=0x22D518c449312143BE64cD547c510A1A4EbED201&chain=polygon' },
    faults: {
      contractAddress:
        'has a wrong EIP-55 checksum: check for a typing error, or write it in lower case',
      chain:
        'must be one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, BSC_TESTNET, ETHEREUM, FUJI, MUMBAI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA',
    },
  },
  schemas: {
    Confirmation: confirmationSchema,
  },
})
