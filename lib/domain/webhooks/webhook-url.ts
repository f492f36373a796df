/** Why a text is not the URL of a webhook. */
export type WebhookUrlFault =
  | 'too_long'
  | 'not_a_url'
  | 'not_https'
  | 'has_credentials'
  | 'has_fragment'
  | 'port_not_permitted'
  | 'host_not_public'
  | 'own_host'

/** A text read as the URL of a webhook: the URL as it is called, or what is wrong with the text. */
type ParsedWebhookUrl =
  | { url: URL; fault?: undefined }
  | { url?: undefined; fault: WebhookUrlFault }

/** What a deployment says of the URLs of its webhooks. */
export interface WebhookUrlRules {
  /** The hosts of the deployment, in lower case. */
  ownHosts: readonly string[]
  /** Whether `http` on 127.0.0.1 is permitted, too: on a machine of a developer only. */
  permitsLoopback: boolean
}

/** The most characters of a URL. */
export const maxWebhookUrlLength = 500

/** The ports that a webhook can have, as URLs write them: that of HTTPS is empty. */
const ports: readonly string[] = ['', '8443']

/** The ends of names that lead to no public host (RFC 6761, RFC 6762, RFC 7686, RFC 8375, RFC 9476, and ICANN's `internal`). */
const privateSuffixes = [
  ...['alt', 'arpa', 'corp', 'home', 'internal', 'intranet', 'invalid', 'lan', 'local'],
  ...['localdomain', 'localhost', 'mail', 'onion', 'private', 'test'],
]

/**
 * Reads the URL of a webhook. It is judged on what WHATWG's URL standard makes of the text, which is what is called: so the forms in
 * which an address can be written are one. A name says nothing about the addresses that it leads to; each attempt judges these.
 */
export function parseWebhookUrl(
  text: string,
  { ownHosts, permitsLoopback }: WebhookUrlRules,
): ParsedWebhookUrl {
  if (text.length > maxWebhookUrlLength) return { fault: 'too_long' }
  const url = URL.parse(text)
  if (!url) return { fault: 'not_a_url' }
  if (url.href.length > maxWebhookUrlLength) return { fault: 'too_long' }
  if (permitsLoopback && isLoopback(url)) return { url }
  if (url.protocol !== 'https:') return { fault: 'not_https' }
  if (url.username !== '' || url.password !== '') return { fault: 'has_credentials' }
  if (url.hash !== '' || text.includes('#')) return { fault: 'has_fragment' }
  if (!ports.includes(url.port)) return { fault: 'port_not_permitted' }
  if (!isPublicName(url.hostname)) return { fault: 'host_not_public' }
  if (ownHosts.includes(url.hostname)) return { fault: 'own_host' }
  return { url }
}

const isLoopback = ({ protocol, hostname, username, password, hash }: URL): boolean =>
  protocol === 'http:' &&
  hostname === '127.0.0.1' &&
  username === '' &&
  password === '' &&
  hash === ''

/** Whether a host is a name with a dot, and not an address or a name of a private network. */
function isPublicName(hostname: string): boolean {
  // The standard writes every form of an IPv4 address in decimal digits.
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname)
  const labels = hostname.split('.')
  return (
    !isAddress &&
    labels.length > 1 &&
    labels.every((label) => label !== '') &&
    !privateSuffixes.includes(labels.at(-1) ?? '')
  )
}
