import * as v from 'valibot'

const text = v.string()

/** A whole number that can need more than 32 bits, and that a double holds exactly (RFC 8259 section 6). */
export const wholeNumber = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(0),
  v.maxValue(Number.MAX_SAFE_INTEGER),
  v.metadata({ format: 'int64' }),
)

/** A whole number of at most 32 bits. */
const smallNumber = (maximum: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maximum))

/** A period in seconds. */
export const seconds = smallNumber(2 ** 31 - 1)

const address = v.pipe(text, v.regex(/^0x[0-9a-f]{40}$/))
const decimal = v.pipe(text, v.regex(/^(0|[1-9][0-9]*)$/))

/** 4.1 */
export const productKey = v.object({
  apiKey: v.pipe(text, v.uuid()),
  productId: v.pipe(text, v.uuid()),
})

/** A limit, as problem details name it; a limit of a total has no period (D47). */
const shownLimit = v.object({ name: text, count: wholeNumber, perSeconds: v.optional(seconds) })

/** 4.2: absent optional fields are left out (D7); `limits` is absent without limits (D64). */
export const productInformation = v.object({
  productId: v.pipe(text, v.uuid()),
  name: text,
  description: v.optional(text),
  contactEmail: text,
  companyName: text,
  companyDescription: v.optional(text),
  website: v.optional(text),
  websiteLink: v.optional(text),
  clientAccess: v.optional(v.boolean()),
  limits: v.optional(v.array(shownLimit)),
})

const time = v.pipe(text, v.isoTimestamp())

/** An API key as its product sees it (D46). */
export const listedKey = v.object({
  keyId: text,
  label: text,
  scope: v.picklist(['MANAGE', 'READ']),
  last4: v.nullable(text),
  createdAt: time,
  expiresAt: v.nullable(time),
  lastUsedOn: v.nullable(v.pipe(text, v.isoDate())),
  endedAt: v.nullable(time),
  endReason: v.nullable(v.picklist(['deleted', 'expired', 'rotated'])),
})

export const listedKeys = v.array(listedKey)

/** A new API key: this response is the only one that contains the key itself (D46). */
export const newKey = v.object({ ...listedKey.entries, apiKey: text })

const nft = v.object({ tokenId: decimal, address, chain: text })

/** A token identifier, a range `a..b`, or `*` (D57). */
const tokenElement = v.pipe(text, v.regex(/^(?:(?:0|[1-9][0-9]*)(?:\.\.(?:0|[1-9][0-9]*))?|\*)$/))

/** 4.3, 4.4 (D57, D58) */
export const allowedNfts = v.array(v.object({ ...nft.entries, tokenId: tokenElement }))

/** The connected contracts (D37): `nftCount` is absent above 1,000; `ranges` is absent without ranges (D58). */
export const connectedContracts = v.array(
  v.object({
    chain: text,
    address,
    description: text,
    connectedAt: v.pipe(text, v.isoTimestamp()),
    nftCount: v.optional(wholeNumber),
    ranges: v.optional(v.array(tokenElement)),
  }),
)

/**
 * The changes of a product (D49). Each entry has every field; null: the operator made the change, or the
 * change is not about a contract or a number of NFTs.
 */
export const productEvents = v.array(
  v.object({
    eventId: text,
    at: v.pipe(text, v.isoTimestamp()),
    keyId: v.nullable(text),
    action: text,
    newKeyId: v.nullable(text),
    endedKeyId: v.nullable(text),
    chain: v.nullable(text),
    contractAddress: v.nullable(address),
    count: v.nullable(wholeNumber),
    ranges: v.nullable(v.array(tokenElement)),
    outcome: v.picklist(['done', 'failed', 'unknown']),
  }),
)

/** The usage of a product, today first (D55). */
export const productUsage = v.array(
  v.object({
    day: v.pipe(text, v.isoDate()),
    calls: v.array(v.object({ operation: text, outcome: text, count: wholeNumber })),
    indexerCalls: wholeNumber,
    players: wholeNumber,
    playersEstimated: v.boolean(),
    limited: v.array(v.object({ limit: text, count: wholeNumber })),
  }),
)

/** 4.5 */
export const confirmation = v.object({ message: text })

/** 4.6 (D20, D36, D50) */
export const unboundNfts = v.object({ message: text, removed: wholeNumber })

const metadataError = v.optional(v.picklist(['not_available', 'not_an_object', 'too_large']))
const rawMetadata = v.looseObject({})

const describedNft = v.object({ ...nft.entries, metadataLink: text, metadataError })
const ownedNft = v.object({ ...describedNft.entries, owner: address, balance: decimal })

const failedNft = v.object({
  ...nft.entries,
  reason: v.picklist(['no_link', 'not_available']),
  metadataLink: v.optional(text),
})

/** 4.7 (D31, D36) */
export const refreshReport = v.object({
  smartContract: address,
  chains: v.array(text),
  checked: wholeNumber,
  changed: wholeNumber,
  failed: wholeNumber,
  pending: wholeNumber,
  refreshedAt: v.pipe(text, v.isoTimestamp()),
  failures: v.array(failedNft),
  tokens: v.array(v.object({ ...describedNft.entries, rawMetadata })),
  omitted: v.optional(wholeNumber),
})

const formattedMetadata = v.object({
  name: text,
  description: text,
  image: v.nullable(text),
  attributes: v.array(v.object({ name: text, value: text })),
})

/** The allowlisted NFTs with their metadata (D60) */
export const describedNfts = v.array(v.object({ ...describedNft.entries, formattedMetadata }))

/** 4.8 (D24, D26) */
export const rawNfts = v.array(v.object({ ...ownedNft.entries, rawMetadata }))

/** 4.9 (D24, D28) */
export const structuredNfts = v.array(v.object({ ...ownedNft.entries, formattedMetadata }))

/** 4.10: base64 of the DER SubjectPublicKeyInfo (D32). */
export const publicKey = v.object({ publicKey: v.pipe(text, v.base64()) })

/** 4.11 */
export const playerToken = v.object({ token: text })

/** The decimal places of an ERC-20 token, which are 8 bits (EIP-20). */
const decimals = smallNumber(255)

/** 4.12: `amount` is a JSON number with all its digits, `amountText` the same as text (D29, D36). */
export const playerDetails = v.object({
  userId: wholeNumber,
  username: text,
  amountText: v.pipe(text, v.regex(/^(0|[1-9][0-9]*)(\.[0-9]+)?$/)),
  token: v.object({ chain: text, address, decimals, symbol: v.optional(text) }),
  amount: v.pipe(v.number(), v.metadata({ format: 'double' })),
})

/** The JWK set (RFC 7517 section 5; D32). */
export const keySet = v.object({
  keys: v.array(v.looseObject({ kty: text, kid: text, alg: text, use: v.literal('sig') })),
})

/** The OpenAPI document (D33). */
export const openApiDocument = v.looseObject({ openapi: text })
