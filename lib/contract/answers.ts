import * as v from 'valibot'
import { maxMetadataBytes } from '../domain/nft/owned-nft.ts'

export const shownText = v.string()

/** A whole number that can need more than 32 bits, and that a double holds exactly (RFC 8259 section 6). */
export const shownWholeNumber = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(Number.MAX_SAFE_INTEGER),
  v.metadata({ format: 'int64' }),
)

/** A whole number of at most 32 bits. */
export const smallNumber = (maximum: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maximum))

/** A period in seconds. */
export const seconds = smallNumber(2 ** 31 - 1)

export const address = v.pipe(shownText, v.regex(/^0x[0-9a-f]{40}$/))

export const decimal = v.pipe(shownText, v.regex(/^(0|[1-9][0-9]*)$/))

/** A limit, as problem details name it; a limit of a total has no period (D47). */
const shownLimit = v.object({
  name: shownText,
  count: shownWholeNumber,
  perSeconds: v.optional(seconds),
})

/**
 * 4.2: absent optional fields are left out (D7), as are `limits` and the fields of sign-in where there are none (D64,
 * D106, D115).
 */
export const productInformation = v.object({
  productId: v.pipe(shownText, v.uuid()),
  name: shownText,
  description: v.optional(shownText),
  contactEmail: shownText,
  companyName: shownText,
  companyDescription: v.optional(shownText),
  website: v.optional(shownText),
  websiteLink: v.optional(shownText),
  clientAccess: v.optional(v.boolean()),
  signIn: v.optional(v.boolean()),
  signInDomains: v.optional(v.array(shownText)),
  signInState: v.optional(v.picklist(['ON', 'WAITING'])),
  limits: v.optional(v.array(shownLimit)),
})

export const time = v.pipe(shownText, v.isoTimestamp())

/** An API key as its product sees it (D46). */
export const listedKey = v.object({
  keyId: shownText,
  label: shownText,
  scope: v.picklist(['MANAGE', 'READ']),
  last4: shownText,
  createdAt: time,
  expiresAt: v.nullable(time),
  lastUsedOn: v.nullable(v.pipe(shownText, v.isoDate())),
  endedAt: v.nullable(time),
  endReason: v.nullable(v.picklist(['deleted', 'expired', 'rotated'])),
})

/** A new API key: this response is the only one that contains the key itself (D46). */
export const newKey = v.object({ ...listedKey.entries, apiKey: shownText })

export const nft = v.object({ tokenId: decimal, address, chain: shownText })

/** A token identifier, a range `a..b`, or `*` (D57). */
export const tokenElement = v.pipe(
  shownText,
  v.regex(/^(?:(?:0|[1-9][0-9]*)(?:\.\.(?:0|[1-9][0-9]*))?|\*)$/),
)

/** 4.3, 4.4 (D57, D58) */
export const allowedNfts = v.array(v.object({ ...nft.entries, tokenId: tokenElement }))

/** 4.5 */
export const confirmation = v.object({ message: shownText })

/** 4.6 (D20, D36, D50) */
export const unboundNfts = v.object({ message: shownText, removed: shownWholeNumber })

const metadataFaults = ['not_available', 'not_an_object', 'too_large'] as const

const metadataError = v.optional(v.picklist(metadataFaults))

/** The same of an NFT of a player, whose metadata can be the only part of the answer that needs the indexer (D155). */
const ownedMetadataError = v.optional(v.picklist([...metadataFaults, 'indexer_unavailable']))

export const rawMetadata = v.looseObject({})

export const describedNft = v.object({ ...nft.entries, metadataLink: shownText, metadataError })

export const ownedNft = v.object({
  ...describedNft.entries,
  metadataError: ownedMetadataError,
  owner: address,
  balance: decimal,
})

/** What an NFT with structured metadata has in place of the document (2.4, D134). */
export const structured = v.object({
  formattedMetadata: v.object({
    name: shownText,
    description: shownText,
    image: v.nullable(shownText),
    attributes: v.array(v.object({ name: shownText, value: shownText })),
  }),
  attributesLeftOut: v.optional(smallNumber(maxMetadataBytes)),
})

/** The decimal places of an ERC-20 token, which are 8 bits (EIP-20). */
export const decimals = smallNumber(255)
