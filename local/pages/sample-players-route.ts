import type { PageRequest } from '../api-gateway/api-gateway.ts'
import type { GatewayResponse } from '../api-gateway/function-response.ts'

/**
 * Responds to `POST /sample-players/<player>/token` with a player token, so that the dashboard can show what a game sees.
 * Only a page of this stack may ask for it (D62): a browser sends `Sec-Fetch-Site` and `Origin`, which pages cannot change.
 * Returns `undefined` for other paths, and for players that do not exist.
 */
export async function samplePlayersRoute(
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
