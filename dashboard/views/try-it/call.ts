import type { PlayerNftsParams } from '../../../clients/typescript/src/index.ts'

/** Where the code of a call runs: on a server, with an API key, or in a game, with the id of its product (D51). */
export type CallerKind = 'server' | 'game'

/** A call for a player's NFTs, as a program makes it. Its credentials are never a part of it. */
export interface Call {
  readonly origin: string
  /** What is read: raw (4.8) or structured metadata (4.9). */
  readonly form: 'structured' | 'raw'
  readonly query: readonly [name: string, value: string][]
  readonly caller: CallerKind
  /** The product that a game names in place of an API key. */
  readonly productId: string
}

const paths = {
  structured: '/api/public/v1/player/tokens',
  raw: '/api/public/v1/player/tokens/raw',
} as const

/** What comes between the URL of a call and the encoded cursor of a page; an empty cursor is that of the first page. */
export const cursorStart = (call: Call): string =>
  urlOf(call).includes('?') ? '&cursor=' : '?cursor='

/** The URL of a call. It contains no credential, and no character that ends a literal of a language or means something in it. */
export function urlOf({ origin, form, query, caller, productId }: Call): string {
  const product: Call['query'] = caller === 'game' ? [['productId', productId]] : []
  const search = new URLSearchParams([...product, ...query]).toString()
  return origin + paths[form] + (search && `?${search}`)
}

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
