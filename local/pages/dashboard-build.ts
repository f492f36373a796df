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

/** The folders whose changes rebuild the dashboard. */
const sources = ['dashboard', 'clients/typescript/src']

/** The dashboard, and the page on which players sign in, as they are built now. */
export interface DashboardBuild {
  /** Returns a file by its path, or `undefined`. Rejects with esbuild's error if the code does not compile. */
  file(path: string): Promise<DashboardFile | undefined>
  /** An event stream that names the present build, or `undefined` if the sources are not watched. */
  reloadStream(): GatewayResponse | undefined
}

/** Builds the dashboard with the first request for a file, and, if it is watched, again after each change. */
export function dashboardBuild({
  config,
  isWatching = false,
}: {
  config(): DashboardConfig
  isWatching?: boolean
}): DashboardBuild {
  let version = Date.now()
  let files: Promise<DashboardFiles> | undefined
  if (isWatching) {
    onChange(() => {
      version += 1
      files = undefined
    })
  }
  return {
    async file(path) {
      if (path === configPath) return configFile({ ...config(), ...(isWatching && { isWatching }) })
      files ??= buildPages(config())
      return (await files).get(path)
    },
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

function onChange(changed: () => void): void {
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
