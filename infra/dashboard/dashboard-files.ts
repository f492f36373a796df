import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildConnect } from '@player-nfts/dashboard/build/build-connect'
import { buildDashboard } from '@player-nfts/dashboard/build/build-dashboard'
import type { DashboardFiles } from '@player-nfts/dashboard/build/dashboard-files'
import { buildSite } from '@player-nfts/dashboard/site/build-site'
import { chainIdsOf } from '../../lib/domain/nft/chain.ts'
import { ARWEAVE_GATEWAY, IPFS_GATEWAY } from '../../lib/settings/indexer.ts'
import {
  filesFolder,
  type ListedFile,
  manifestName,
} from '../custom-resources/dashboard-upload/packed-files.ts'
import type { Settings } from '../settings/settings.ts'
import { packageFolder } from './dashboard-site.ts'

/** Builds the pages, and writes them beside the code that uploads them. Rejects if the code does not compile. */
export async function writeDashboardFiles(settings: Settings, functionsDir: string): Promise<void> {
  const folder = packageFolder(functionsDir)
  const files: DashboardFiles = new Map([
    ...(settings.dashboard ? await dashboardOf(settings) : []),
    ...(settings.walletSignIn ? await connectOf(settings) : []),
  ])
  const listed: ListedFile[] = []
  for (const [path, { body, contentType, cacheControl }] of files) {
    const key = path.slice(1)
    const file = join(folder, filesFolder, key)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, body)
    listed.push({ key, contentType, cacheControl })
  }
  await writeFile(join(folder, manifestName), JSON.stringify(listed))
}

const dashboardOf = async (settings: Settings): Promise<DashboardFiles> =>
  new Map([...(await buildDashboard(configOf(settings))), ...(await buildSite())])

const connectOf = ({ allowlistChains }: Settings): Promise<DashboardFiles> =>
  buildConnect({ chainIds: chainIdsOf(allowlistChains) })

/** The configuration that the dashboard reads. It is public. */
const configOf = ({ stage, ipfsGateway, arweaveGateway, allowlistChains }: Settings) => ({
  stage,
  ipfsGateway: ipfsGateway ?? IPFS_GATEWAY.default,
  arweaveGateway: arweaveGateway ?? ARWEAVE_GATEWAY.default,
  chains: allowlistChains,
})
