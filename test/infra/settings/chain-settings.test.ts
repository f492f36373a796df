import { describe, expect, test } from 'vitest'
import { deploymentSettings, InvalidDeploymentSettings } from '../../../infra/settings/settings.ts'
import { coveredChains } from '../../../lib/domain/nft/chain.ts'

const address = `0x${'a'.repeat(40)}`

const covered =
  'AMOY, ARBITRUM, ARBITRUM_SEPOLIA, AVALANCHE, BASE, BASE_SEPOLIA, BSC, ETHEREUM, FUJI, OPTIMISM, OPTIMISM_SEPOLIA, POLYGON, RONIN, SAIGON, SEPOLIA'

/** Chains that a deployment cannot open, and their faults. */
const unopened = [
  ['polygon', '"polygon" is not the name of a chain'],
  ['SOLANA', '"SOLANA" is not the name of a chain'],
  ['ETH', '"ETH" is not the name of a chain, ETHEREUM is'],
  ['bnb-mainnet', '"bnb-mainnet" is not the name of a chain, BSC is'],
  ['BSC_TESTNET', 'BSC_TESTNET is not covered by the indexer'],
  ['MUMBAI', 'MUMBAI was shut down'],
] as const

describe('D56: the chains of a deployment', () => {
  test.each(coveredChains)('%s can be opened, and have the service token', (chain) => {
    const settings = { allowlistChains: [chain], serviceToken: `${chain}:${address}:18` }
    expect(deploymentSettings(settings)).toMatchObject(settings)
  })

  test.each(unopened)('%s is refused by name', (chain, fault) => {
    const settings = { allowlistChains: ['BSC', chain], serviceToken: `${chain}:${address}:18` }
    expect(() => deploymentSettings(settings)).toThrow(
      new InvalidDeploymentSettings(
        [
          'The settings cannot be deployed:',
          `allowlistChains.1 must be one of ${covered}: ${fault}`,
          `serviceToken must have one of ${covered}: ${fault}`,
        ].join('\n- '),
      ),
    )
  })
})

test('D152: every covered chain can be followed, also if it is named twice', () => {
  const followedChains = [...coveredChains, ...coveredChains]
  expect(deploymentSettings({ followedChains })).toMatchObject({ followedChains })
})
