import { type Attribute, attributesOf } from './attributes.ts'
import { type Gateways, imageUrl } from './image-url.ts'
import { memberTexts, scalarText } from './json-fields.ts'

/** Metadata in one form for all games (specification 2.4; D134). */
export interface StructuredMetadata {
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
