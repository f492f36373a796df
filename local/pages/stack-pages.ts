import type { DashboardConfig } from '@player-nfts/dashboard/shell/dashboard-config'
import { ARWEAVE_GATEWAY, IPFS_GATEWAY } from '../../lib/settings/indexer.ts'
import type { LocalStack } from '../local-stack.ts'
import { samplePlayerNamed, samplePlayerToken } from '../samples/sample-player-token.ts'
import type { SampleProduct } from '../samples/sample-product.ts'
import { type SampleCollection, type SamplePlayer, samples } from '../samples/samples.ts'
import { hasSamples, type LocalSettings } from '../settings.ts'
import { localPages } from './pages.ts'

/** The pages of a stack that is starting. */
export type StackPages = ReturnType<typeof stackPages>

/** Returns the pages of a stack with these settings. `isWatching`: see PageSettings. */
export function stackPages(
  settings: LocalSettings,
  { isWatching = false }: { isWatching?: boolean } = {},
) {
  let config = configOf(settings)
  let running: LocalStack | undefined
  const page = localPages({
    isWatching,
    config: () => config,
    async playerTokenFor(name) {
      const player = hasSamples(settings) ? samplePlayerNamed(name) : undefined
      return running && player ? await samplePlayerToken(running, player) : undefined
    },
  })
  return {
    page,
    /** Tells the pages the stack that serves them, and its sample product. */
    complete(stack: LocalStack, product?: SampleProduct) {
      running = stack
      const { IPFS_GATEWAY: ipfsGateway, ARWEAVE_GATEWAY: arweaveGateway } = stack.gateways
      config = { ...config, ipfsGateway, arweaveGateway }
      if (!product) return
      const { apiKey: sampleApiKey, usageUntil } = product
      config = { ...config, sampleApiKey, ...(usageUntil && { sampleUsageUntil: usageUntil }) }
    },
  }
}

function configOf(settings: LocalSettings): DashboardConfig {
  const { ALLOWLIST_CHAINS } = settings.passed
  // The gateways of a stack are known when it runs.
  return {
    stage: 'local',
    ipfsGateway: IPFS_GATEWAY.default,
    arweaveGateway: ARWEAVE_GATEWAY.default,
    chains: ALLOWLIST_CHAINS.split(',').map((name) => name.trim()),
    ...(hasSamples(settings) && sampleWorldEntries()),
  }
}

const sampleWorldEntries = () => ({
  samplePlayers: Object.values<SamplePlayer>(samples.players).map(
    ({ username, userId, wallets }) => ({ player: username, userId, wallets: wallets.length }),
  ),
  sampleCollections: Object.values<SampleCollection>(samples.collections).map(
    ({ chain, address, name }) => ({ chain, address, name }),
  ),
})
