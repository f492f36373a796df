import { join } from 'node:path'
import { connectFile } from '@player-nfts/dashboard/build/build-connect'
import { type DashboardFiles, dashboardFile } from '@player-nfts/dashboard/build/dashboard-files'
import { build } from 'esbuild'

const scriptPath = '/connect/sample-players.js'

/**
 * Returns the files of the page /connect with the wallets of the sample players, whose keys are in one more script (D114). Only
 * `npm start` calls it: the build of a deployment knows neither the script nor its page.
 */
export async function withSamplePlayers(files: DashboardFiles): Promise<DashboardFiles> {
  const page = files.get(connectFile)
  if (!page) throw new Error('there is no page to add sample players to')
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'script.ts')],
    bundle: true,
    format: 'iife',
    platform: 'browser',
    minify: true,
    write: false,
    logLevel: 'silent',
  })
  const html = new TextDecoder()
    .decode(page.body)
    .replace('</head>', `  <script src="${scriptPath}"></script>\n  </head>`)
  return new Map([
    ...files,
    [connectFile, dashboardFile(connectFile, html)],
    [scriptPath, dashboardFile(scriptPath, outputFiles[0]?.contents ?? '')],
  ])
}
