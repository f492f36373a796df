import { originOf } from './sign-in-message.ts'

/** The network of a request whose address is not known (D54). */
export const unknownNetwork = 'unknown'

/**
 * What a browser says of the web page that makes it send a request: the headers Origin and Sec-Fetch-Site, which no page can
 * change. Other programs say nothing.
 */
export interface SendingPage {
  origin?: string | undefined
  fetchSite?: string | undefined
}

/**
 * Whether a web page of somebody else can have made the browser of its visitor send a request (D131). `domains`: the hosts of the
 * game.
 */
export const isForeignPage = (
  { origin, fetchSite = 'none' }: SendingPage,
  domains: readonly string[],
): boolean =>
  origin === undefined
    ? fetchSite !== 'none' && fetchSite !== 'same-origin'
    : domains.every((domain) => originOf(domain) !== origin)

/**
 * The network from which a game has asked for access; `undefined` if that says nothing about who asks (D131), because the page is
 * foreign. `domains`: the hosts of the game.
 */
export const askingNetwork = (
  network: string,
  page: SendingPage,
  domains: readonly string[],
): string | undefined =>
  isForeignPage(page, domains) || network === unknownNetwork ? undefined : network
