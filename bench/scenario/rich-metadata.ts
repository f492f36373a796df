import { createHash } from 'node:crypto'

/** The size of a document, in bytes. */
const size = 1_500

/**
 * A document of 1.5 KB that is as hard to compress as those of real collections: texts that all have, and digests that
 * only one has. The same for the same token identifier.
 */
export function richMetadata(tokenId: string): string {
  const digest = (name: string) => createHash('sha256').update(`${name} ${tokenId}`).digest('hex')
  const attributes = traits.map((trait_type) => ({
    trait_type,
    value: `${digest(trait_type).slice(0, 10)} of the north wall`,
  }))
  const document = {
    name: `Lamp Keeper #${tokenId}`,
    image: `ipfs://${digest('image')}/${tokenId}.png`,
    animation_url: `https://images.brindlewake.example/${digest('animation')}/${tokenId}.mp4`,
    attributes,
    provenance: ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'].map(digest),
    description: '',
  }
  const room = size - JSON.stringify(document).length
  return JSON.stringify({ ...document, description: description.slice(0, room) })
}

const traits = ['Watch', 'Lamp Oil', 'Steadiness', 'Companion', 'Lantern', 'Boots', 'Oath', 'Stair']

const description =
  'Keepers tend the lamps of Brindlewake from dusk to dawn. This one has walked the north wall since the long '.repeat(
    6,
  )
