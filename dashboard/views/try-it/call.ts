/** Where the code of a call runs: on a server, with an API key, or in a game, with the id of its product (D51). */
export type CallerKind = 'server' | 'game'

/** A call for a player's NFTs, as a program makes it. Its credentials are never a part of it. */
export interface Call {
  /** The origin of the service, for example `https://nfts.example`. */
  readonly origin: string
  /** What is read: raw (4.8) or structured metadata (4.9). */
  readonly form: 'structured' | 'raw'
  /** The parameters of the query, in order. */
  readonly query: readonly (readonly [name: string, value: string])[]
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

/** The URL of a call. It consists of ASCII characters and contains no credential. */
export function urlOf({ origin, form, query, caller, productId }: Call): string {
  const parameters = caller === 'game' ? [['productId', productId] as const, ...query] : query
  const search = new URLSearchParams(
    [...parameters].map(([name, value]): [string, string] => [name, value]),
  ).toString()
  return origin + paths[form] + (search && `?${search}`)
}
