import type { DashboardConfig } from '../shell/dashboard-config.ts'

/** Where pictures may come from without a question. */
type PictureGateways = Pick<DashboardConfig, 'ipfsGateway' | 'arweaveGateway'>

/**
 * What the dashboard does with the picture of an NFT (D62, D79): loads it, asks before it loads it from a foreign host,
 * asks before it decodes a large one, or shows none, with the reason.
 */
type PictureSource =
  | { kind: 'loads'; url: string }
  | { kind: 'asks'; url: string; host: string }
  | { kind: 'is large'; url: string; size: string }
  | { kind: 'none'; reason: string }

/** The length of a `data:` URL up to which the dashboard decodes the picture without a question (D79). */
const maxLoadedLength = 100_000

const none = (reason: string): PictureSource => ({ kind: 'none', reason })

/**
 * Judges the URL of a picture, which anybody can have written. `origin` is that of the dashboard. Foreign hosts see
 * the address of the user who loads a picture, so they are asked only after a click.
 */
export function pictureSource(
  image: string | null | undefined,
  gateways: PictureGateways,
  origin: string,
): PictureSource {
  if (!image) return none('No picture')
  // No URL object: it would copy a picture of a megabyte.
  if (/^data:image\//i.test(image)) return pictureInside(image)
  const url = parseUrl(image, gateways)
  if (!url) return none('The link of the picture is not a URL')
  if (loadsByItself(url, gateways, origin)) return { kind: 'loads', url: url.href }
  if (url.protocol === 'https:') return { kind: 'asks', url: url.href, host: url.host }
  return none(
    url.protocol === 'http:'
      ? 'The picture is not on HTTPS'
      : 'The link of the picture is not a web address',
  )
}

const pictureInside = (url: string): PictureSource =>
  url.length > maxLoadedLength
    ? { kind: 'is large', url, size: sizeText(url.length) }
    : { kind: 'loads', url }

function sizeText(bytes: number): string {
  const kilobytes = Math.ceil(bytes / 1_000)
  return kilobytes < 1_000 ? `${kilobytes}\u00a0KB` : `${(bytes / 1_000_000).toFixed(1)}\u00a0MB`
}

function parseUrl(
  image: string,
  { ipfsGateway, arweaveGateway }: PictureGateways,
): URL | undefined {
  const [, scheme = '', path = ''] = /^(ipfs|ar):\/\/(.+)$/i.exec(image) ?? []
  if (scheme.toLowerCase() === 'ipfs') return toUrl(ipfsGateway + path.replace(/^ipfs\//, ''))
  if (scheme.toLowerCase() === 'ar') return toUrl(arweaveGateway + path)
  return toUrl(image)
}

const toUrl = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

function loadsByItself(
  { protocol, origin: from, href, username, password }: URL,
  { ipfsGateway, arweaveGateway }: PictureGateways,
  origin: string,
): boolean {
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false
  if (from === origin) return true
  return [ipfsGateway, arweaveGateway].some(
    (gateway) => gateway !== '' && href.startsWith(toUrl(gateway)?.href ?? ' '),
  )
}

/** A link to a document of an NFT that the dashboard offers: only http and https, with its host. */
export function safeLink(text: string): { url: string; host: string } | undefined {
  const url = toUrl(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return undefined
  return { url: url.href, host: url.host }
}
