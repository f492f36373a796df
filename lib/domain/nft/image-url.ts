import { elementTexts, memberTexts } from './json-fields.ts'
import { withTokenId } from './token-uri.ts'

/** The HTTPS gateways that stand in for `ipfs:` and `ar:` URLs, each ending in a slash (D134). */
export interface Gateways {
  ipfs: string
  arweave: string
}

const imageFields = ['image', 'image_url', 'imageUrl', 'image_data']

/**
 * The URL of the image of a document, whose members are given as JSON text: the first in a known form, as `http:`, `https:`
 * or `data:` URL. `null` without one (D134).
 */
export function imageUrl(
  fields: ReadonlyMap<string, string>,
  tokenId: string,
  gateways: Gateways,
): string | null {
  for (const field of imageFields) {
    for (const text of textsIn(fields.get(field))) {
      const image = embedded(text)
      if (image !== undefined) return image
      const url = link(text, gateways)
      if (url !== undefined) return withTokenId(url, tokenId)
    }
  }
  return null
}

/** The texts of a field without the white space around them: a text, that of `{"url"}`, or a list of these. */
function textsIn(json = ''): string[] {
  const values = json.startsWith('[') ? elementTexts(json) : [json]
  return values.flatMap((value) => {
    const text = value.startsWith('{') ? (memberTexts(value).get('url') ?? '') : value
    return text.startsWith('"') ? [JSON.parse(text).trim()] : []
  })
}

/** The `data:` URL of an image that is in the text itself. */
function embedded(text: string): string | undefined {
  if (/^data:image\/[^,]*; *base64 *,/i.test(text)) return text
  if (/^data:image\/./i.test(text)) return escaped(text)
  if (!/^<(svg|\?xml|!--|!doctype svg)/i.test(text) || !/<svg[\s/>]/i.test(text)) return undefined
  const escapedMarkup = encodeURI(text.toWellFormed()).replaceAll('#', '%23')
  return `data:image/svg+xml;charset=utf-8,${escapedMarkup}`
}

const cid = 'Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{56}'
const bareCid = new RegExp(`^(?:${cid})$`)
const ipfsPath = new RegExp(`^/ipfs/(?:${cid})(?![^/?])`)

function link(text: string, { ipfs, arweave }: Gateways): string | undefined {
  if (/^https?:\/\/./i.test(text)) return text
  if (bareCid.test(text)) return ipfs + text
  if (ipfsPath.test(text)) return ipfs + escaped(text.slice('/ipfs/'.length))
  const path = text.replace(/^(ipfs:\/*(ipfs\/+)?|ar:\/*)/i, '')
  if (path === '' || path === text) return undefined
  return (/^ipfs:/i.test(text) ? ipfs : arweave) + escaped(path)
}

/** A URL with escapes in place of what ends or breaks it. Its own escapes stay. */
const escaped = (url: string): string =>
  url.replace(/[#\s]|%(?![0-9a-f]{2})/gi, (character) => encodeURIComponent(character))
