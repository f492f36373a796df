import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundlePage, root, withNames } from './bundle.ts'
import { type DashboardFiles, dashboardFile } from './dashboard-files.ts'

/** Where players find the page, and its file. */
export const connectPath = '/connect'
export const connectFile = '/connect.html'

/**
 * Builds all files of the page on which players sign in with their wallets (D114). It needs none of the dashboard. `chainIds`:
 * those of the chains that the deployment opens, by their names. `samplePlayers`: whether it knows those of `npm start`. Rejects with
 * esbuild's error if the code does not compile.
 */
export async function buildConnect({
  chainIds,
  samplePlayers = false,
}: {
  chainIds: Readonly<Record<string, number>>
  samplePlayers?: boolean
}): Promise<DashboardFiles> {
  const { files, names } = await bundlePage(
    { connect: 'connect/main.tsx', connect_styles: 'connect/connect.css' },
    { SAMPLE_PLAYERS: String(samplePlayers) },
  )
  const chains = Object.entries(chainIds).map(([name, chainId]) => `${name}:${chainId}`)
  const html = await readFile(join(root, 'connect/connect.html'), 'utf8')
  const page = withNames(html, { ...names, chains: chains.join(' ') })
  files.set(connectFile, dashboardFile(connectFile, page))
  return files
}
