import { originOf } from './sign-in-message.ts'

/** The network of a request whose address is not known (D54). */
export const unknownNetwork = 'unknown'

/**
 * What a browser says of the page that sends a request (Origin, Sec-Fetch-Site). No page can change it; other programs
 * say nothing.
 */
export interface SendingPage {
  origin?: string | undefined
  fetchSite?: string | undefined
}

/** Whether a foreign web page can have made a browser send a request (D131). `domains`: the hosts of the game. */
export const isForeignPage = (
  { origin, fetchSite = 'none' }: SendingPage,
  domains: readonly string[],
): boolean =>
  origin === undefined
    ? fetchSite !== 'none' && fetchSite !== 'same-origin'
    : domains.every((domain) => originOf(domain) !== origin)

/** The network from which a game has asked for access; `undefined` if a foreign page has asked (D131). */
export const askingNetwork = (
  network: string,
  page: SendingPage,
  domains: readonly string[],
): string | undefined =>
  isForeignPage(page, domains) || network === unknownNetwork ? undefined : network
