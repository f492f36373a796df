import { existsSync, watch } from 'node:fs'
import { join } from 'node:path'
import { buildConnect } from '@player-nfts/dashboard/build/build-connect'
import {
  buildDashboardPage,
  configFile,
  configPath,
} from '@player-nfts/dashboard/build/build-dashboard'
import type { DashboardFile, DashboardFiles } from '@player-nfts/dashboard/build/dashboard-files'
import type { DashboardConfig } from '@player-nfts/dashboard/shell/dashboard-config'
import { chainIdsOf } from '../../lib/domain/nft/chain.ts'
import type { GatewayResponse } from '../api-gateway/function-response.ts'
import { withSamplePlayers } from './sample-players/sample-players.ts'

const root = join(import.meta.dirname, '../..')

/** The folders whose changes rebuild the dashboard and the site of the docs. */
const sources = ['dashboard', 'clients', 'docs', 'examples']

/** The dashboard, the page on which players sign in, and the site of the docs, as they are built now. */
export type DashboardBuild = ReturnType<typeof dashboardBuild>

/** Builds the dashboard, or the site, with the first request for a file of it, and, if it is watched, again after each change. */
export function dashboardBuild({
  config,
  isWatching = false,
}: {
  config(): DashboardConfig
  isWatching?: boolean
}) {
  let version = Date.now()
  let files: Promise<DashboardFiles> | undefined
  let site: Promise<DashboardFiles> | undefined
  if (isWatching) {
    onChange(() => {
      version += 1
      files = undefined
      site = undefined
    })
  }
  return {
    /** Returns a file by its path, or `undefined`. Rejects with esbuild's error if the code does not compile. */
    async file(path: string): Promise<DashboardFile | undefined> {
      if (path === configPath) return configFile({ ...config(), ...(isWatching && { isWatching }) })
      if (path.startsWith('/docs/')) {
        site ??= buildDocs()
        return (await site).get(path)
      }
      files ??= buildPages(config())
      return (await files).get(path)
    },
    /** An event stream that names the present build, or `undefined` if the sources are not watched. */
    reloadStream: () => (isWatching ? versionEvent(version) : undefined),
  }
}

/** The files of the dashboard, and of the page on which players sign in. */
async function buildPages({ chains, samplePlayers }: DashboardConfig): Promise<DashboardFiles> {
  const [dashboard, connect] = await Promise.all([
    buildDashboardPage(),
    buildConnect({ chainIds: chainIdsOf(chains), samplePlayers: samplePlayers !== undefined }),
  ])
  return new Map([...dashboard, ...(samplePlayers ? await withSamplePlayers(connect) : connect)])
}

/** The site of the docs. Its generator is loaded only when somebody asks for it. */
async function buildDocs(): Promise<DashboardFiles> {
  const { buildSite } = await import('@player-nfts/dashboard/site/build-site')
  return await buildSite()
}

function onChange(changed: () => void): void {
  // The pages at the root, such as README.md.
  watch(root, (_event, name) => {
    if (name?.endsWith('.md')) changed()
  }).unref()
  for (const folder of sources.filter((name) => existsSync(join(root, name)))) {
    // The process ends without waiting for changes.
    watch(join(root, folder), { recursive: true }, changed).unref()
  }
}

/**
 * One event with the version. The browser asks again for the next event, so the page sees each change, also one that
 * restarts the stack.
 */
const versionEvent = (version: number): GatewayResponse => ({
  status: 200,
  headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
  body: Buffer.from(`retry: 700\ndata: ${version}\n\n`),
})
