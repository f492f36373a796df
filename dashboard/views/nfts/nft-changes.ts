import type { DescribedNft } from '../../../clients/typescript/src/types.ts'

/** What the dashboard compares of an NFT. */
export type ComparedNft = Pick<DescribedNft, 'metadataLink' | 'formattedMetadata'>

/** A field of an NFT that a refresh has changed. */
export interface FieldChange {
  /** `name`, `description`, `image`, `metadataLink`, or the name of an attribute. */
  field: string
  isAttribute: boolean
  /** The value before; `undefined` if the NFT did not have the field. */
  before: string | undefined
  after: string | undefined
}

/** The fields in which two states of an NFT differ: its texts first, then its attributes in their order. */
export function changesOf(before: ComparedNft, after: ComparedNft): FieldChange[] {
  const [from, to] = [fieldsOf(before), fieldsOf(after)]
  const changes: FieldChange[] = []
  for (const key of new Set([...from.keys(), ...to.keys()])) {
    const [old, now] = [from.get(key), to.get(key)]
    if (old?.value === now?.value) continue
    const { field, isAttribute } = (now ?? old) as Field
    changes.push({ field, isAttribute, before: old?.value, after: now?.value })
  }
  return changes
}

interface Field {
  field: string
  isAttribute: boolean
  value: string
}

function fieldsOf({ formattedMetadata, metadataLink }: ComparedNft): Map<string, Field> {
  const { name, description, image, attributes } = formattedMetadata
  const fields = new Map<string, Field>()
  const texts = { name, description, image: image ?? '', metadataLink }
  for (const [field, value] of Object.entries(texts)) {
    if (value !== '') fields.set(field, { field, isAttribute: false, value })
  }
  const counts = new Map<string, number>()
  for (const { name: field, value } of attributes) {
    // An NFT can have several attributes of one name.
    const index = counts.get(field) ?? 0
    counts.set(field, index + 1)
    fields.set(`attribute ${index} ${field}`, { field, isAttribute: true, value })
  }
  return fields
}
