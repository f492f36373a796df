/** The message for a field that takes any known chain, and has the name of none (D56). */
export const anyChainMessage =
  'must be one of AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, BSC_TESTNET, ' +
  'ETHEREUM, FUJI, MUMBAI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA'
