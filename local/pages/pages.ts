import { connectFile, connectPath } from '@player-nfts/dashboard/build/build-connect'
import type { DashboardFile } from '@player-nfts/dashboard/build/dashboard-files'
import { appSecurityHeaders } from '@player-nfts/dashboard/build/security-headers'
import type { DashboardConfig } from '@player-nfts/dashboard/shell/dashboard-config'
import { pageAt } from '@player-nfts/dashboard/shell/page-paths'
import type { GatewayOptions, PageRequest } from '../api-gateway/api-gateway.ts'
import type { GatewayResponse } from '../api-gateway/function-response.ts'
import { type DashboardBuild, dashboardBuild } from './dashboard-build.ts'

/** What the pages need to know of the stack that serves them. */
interface PageSettings {
  /** The configuration of the dashboard at the time of the request. */
  config(): DashboardConfig
  /** Creates a player token for a sample player; `undefined` if there is none of this name. */
  playerTokenFor(player: string): Promise<string | undefined>
  /** Rebuilds the dashboard after changes of its code, and lets pages reload (`npm run dev`). */
  isWatching?: boolean
}

/**
 * Returns the pages for people: the dashboard, the site of the docs below `/docs/`, and `/connect`, on which players sign in with their
 * wallets (D114). They are built when one is first requested. `/config.json` has the key of the sample product, so the gateway must refuse a foreign Host.
 */
export function localPages(settings: PageSettings): NonNullable<GatewayOptions['page']> {
  const build = dashboardBuild(settings)
  return async (request) => {
    if (request.method === 'POST') return await samplePlayersRoute(request, settings)
    if (!['GET', 'HEAD'].includes(request.method)) return undefined
    if (/^\/docs\/?$/.test(request.path)) return toDocs
    return await builtPage(request, build)
  }
}

async function builtPage(
  { path }: PageRequest,
  build: DashboardBuild,
): Promise<GatewayResponse | undefined> {
  if (path === '/dev/reload') return build.reloadStream()
  try {
    const file = await build.file(fileAt(path))
    return file && response(file)
  } catch (error) {
    const body = Buffer.from(`The page could not be built.\n\n${(error as Error).message}\n`)
    return { status: 500, headers: { 'content-type': 'text/plain; charset=utf-8' }, body }
  }
}

function fileAt(path: string): string {
  if (path === connectPath) return connectFile
  return pageAt(path) ? '/index.html' : path
}

const response = ({ body, contentType, cacheControl }: DashboardFile): GatewayResponse => ({
  status: 200,
  headers: {
    'content-type': contentType,
    'cache-control': cacheControl,
    ...appSecurityHeaders({ localPictures: true }),
  },
  body: Buffer.from(body),
})

/** Links of the site are relative, so its start needs a file name. */
const toDocs: GatewayResponse = {
  status: 307,
  headers: { location: '/docs/index.html' },
  body: Buffer.alloc(0),
}

/**
 * Responds to `POST /sample-players/<player>/token` with a player token, so that the dashboard can show what a game sees.
 * Only a page of this stack may ask for it (D62): a browser sends `Sec-Fetch-Site` and `Origin`, which pages cannot change.
 * Returns `undefined` for other paths, and for players that do not exist.
 */
async function samplePlayersRoute(
  { path, headers }: PageRequest,
  { playerTokenFor }: { playerTokenFor(player: string): Promise<string | undefined> },
): Promise<GatewayResponse | undefined> {
  const [, player] = /^\/sample-players\/([^/]+)\/token$/.exec(path) ?? []
  if (player === undefined) return undefined
  if (!isOwnPage(headers)) return json(403, { message: 'Only the dashboard may ask for it.' })
  const playerToken = await playerTokenFor(player)
  return playerToken === undefined ? undefined : json(200, { playerToken })
}

/** Whether a page of the stack has sent the request; its Host was verified before. */
const isOwnPage = ({ host, origin, 'sec-fetch-site': site }: PageRequest['headers']): boolean =>
  site === 'same-origin' && (origin === undefined || origin === `http://${host}`)

const json = (status: number, value: unknown): GatewayResponse => ({
  status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body: Buffer.from(JSON.stringify(value)),
})
