import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundle, bundledFiles, earlyTheme, namesOf, root, withNames } from './bundle.ts'
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
  const define = { SAMPLE_PLAYERS: String(samplePlayers) }
  const entries = { connect: 'connect/main.tsx', connect_styles: 'connect/connect.css' }
  const [page, early, html, icon] = await Promise.all([
    bundle(entries, { splitting: true, define }),
    earlyTheme(),
    readFile(join(root, 'connect/connect.html'), 'utf8'),
    readFile(join(root, 'icon.svg')),
  ])
  const names = {
    ...namesOf(page, ['connect', 'connect_styles']),
    ...namesOf(early, ['theme']),
    chains: Object.entries(chainIds)
      .map(([name, chainId]) => `${name}:${chainId}`)
      .join(' '),
  }
  return new Map([
    ...bundledFiles(page, early),
    [connectFile, dashboardFile(connectFile, withNames(html, names))],
    ['/icon.svg', dashboardFile('/icon.svg', icon)],
  ])
}
