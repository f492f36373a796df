import { confirmation } from '../components/confirmation.ts'
import { contractAddressParameter } from '../components/contract-address.ts'
import { example } from '../examples.ts'
import type { OperationDocumentation } from '../operation-documentation.ts'

/** 4.5 */
export const unbindContract: OperationDocumentation<'unbindContract'> = {
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
        data: {
          message: `Contract ${example.contracts.gear} on POLYGON and its NFTs were unbound.`,
        },
      },
    },
  },
  invalidRequest: {
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
        message:
          'must be one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, BSC_TESTNET, ETHEREUM, FUJI, MUMBAI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA',
      },
    ],
  },
  schemas: {
    Confirmation: confirmation,
  },
}
