import type { PlayerNftsParams } from '../../../clients/typescript/src/index.ts'
import type { Call } from './call.ts'

/** What the user has chosen. It is in the address of the page; a pasted player token never is. */
export interface TrySettings {
  /** A sample player, or `undefined` for a pasted player token. */
  readonly player: string | undefined
  readonly form: Call['form']
  /** The chains; none means every chain. */
  readonly chains: readonly string[]
  /** The NFTs of a page, at most; `undefined` for as many as the service gives. */
  readonly limit: number | undefined
}

/** The page sizes to choose from. */
export const pageSizes = [10, 50, 100] as const

/** Reads the settings from the query of the page. Unknown values are ignored; without a player, it is the first one. */
export function readSettings(
  query: URLSearchParams,
  players: readonly string[],
  chains: readonly string[],
): TrySettings {
  const player = query.get('player') ?? players[0]
  const chosen = (query.get('chains') ?? '').split(',')
  return {
    player: players.find((each) => each === player),
    form: query.get('form') === 'raw' ? 'raw' : 'structured',
    chains: chains.filter((chain) => chosen.includes(chain)),
    limit: pageSizes.find((size) => String(size) === query.get('limit')),
  }
}

/** The parameters of the call for the client. */
export const paramsOf = ({ chains, limit }: TrySettings, cursor?: string): PlayerNftsParams => ({
  ...(chains.length > 0 && { chains: chains as NonNullable<PlayerNftsParams['chains']> }),
  limit,
  cursor,
})

/** The query of the call for programs, with the same parameters. */
export function queryOf({ chains, limit }: TrySettings): [string, string][] {
  const query: [string, string][] = []
  if (chains.length > 0) query.push(['chains', chains.join(',')])
  if (limit !== undefined) query.push(['limit', String(limit)])
  return query
}
