import {
  type Attribute,
  attributesOf,
  elementTexts,
  memberTexts,
  scalarText,
} from './attributes.ts'

/** Metadata in one form for all games (specification 2.4; D134). */
interface StructuredMetadata {
  name: string
  description: string
  image: string | null
  attributes: Attribute[]
}

/**
 * Reads structured metadata from the JSON text of one object, in the forms of docs/metadata.md (D134). It is read from the
 * text, because values keep the spelling of the source: `5.0` becomes `"5.0"`. `attributesLeftOut` is the number of entries
 * of attributes in no known form; absent if it is 0.
 */
export function structuredMetadata(
  json: string,
  tokenId: string,
  gateways: Gateways,
): { formattedMetadata: StructuredMetadata; attributesLeftOut?: number } {
  const fields = memberTexts(json)
  const { attributes, leftOut } = attributesOf(fields)
  const formattedMetadata = {
    name: nameOf(fields),
    description: scalarText(fields.get('description')) ?? '',
    image: imageUrl(fields, tokenId, gateways),
    attributes,
  }
  return { formattedMetadata, ...(leftOut > 0 && { attributesLeftOut: leftOut }) }
}

/** The title of the schema in ERC-721 and ERC-1155, which collections copy. */
const titleOfSchema = 'Asset Metadata'

function nameOf(fields: ReadonlyMap<string, string>): string {
  const [name, capitalized, title] = ['name', 'Name', 'title'].map((field) =>
    scalarText(fields.get(field)),
  )
  return name || capitalized || (title === titleOfSchema ? '' : title) || ''
}

/** A longer URI is a `data:` URI, which contains the document. */
const maxLength = 2_048

/**
 * A URI of at most 2,048 characters with the token identifier as 64 hex digits in lower case for `{id}` or `%7Bid%7D`
 * (ERC-1155, D134); a longer one as is.
 */
export const withTokenId = (uri: string, tokenId: string): string =>
  uri.length > maxLength
    ? uri
    : uri.replace(/(?:\{|%7[Bb])id(?:\}|%7[Dd])/g, () =>
        BigInt(tokenId).toString(16).padStart(64, '0'),
      )

/** The HTTPS gateways that stand in for `ipfs:` and `ar:` URLs, each ending in a slash (D134). */
export interface Gateways {
  ipfs: string
  arweave: string
}

const imageFields = ['image', 'image_url', 'imageUrl', 'image_data']

/**
 * The URL of the image of a document: the first in a known form, as `http:`, `https:` or `data:` URL; `null` without
 * one (D134).
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
