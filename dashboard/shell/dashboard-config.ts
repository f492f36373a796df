/** The configuration of a dashboard, from `/config.json`. It is public, so it contains no secret. */
export interface DashboardConfig {
  /** The stage of the deployment, such as `prod`; `local` for `npm start`. */
  stage: string
  /** The base URL of the gateway for `ipfs://` links, with a slash at the end. */
  ipfsGateway: string
  /** The base URL of the gateway for `ar://` links, with a slash at the end. */
  arweaveGateway: string
  /** The chains on which NFTs can be allowlisted. */
  chains: readonly string[]
  /** The players whose player tokens the local stack gives out. Only the local stack has them. */
  samplePlayers?: readonly SamplePlayerEntry[]
  /** The collections of the sample world. Only the local stack has them. */
  sampleCollections?: readonly SampleCollectionEntry[]
  /** The API key of the sample product, which `npm start` also prints. Only the local stack has it. */
  sampleApiKey?: string
  /** The last day, `2026-11-25`, of the invented usage of the sample product. Only the local stack has it. */
  sampleUsageUntil?: string
  /** Whether the page reloads after a change of its code (`npm run dev`). */
  isWatching?: boolean
}

interface SamplePlayerEntry {
  player: string
  userId: number
  wallets: number
}

/** A contract of the sample world as the dashboard suggests it. */
export interface SampleCollectionEntry {
  chain: string
  address: string
  name: string
}
