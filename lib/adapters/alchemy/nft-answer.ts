import { isUtf8 } from 'node:buffer'
import { type Metadata, maxMetadataBytes } from '../../domain/owned-nft.ts'
import { type Ends, elements, isJsonObject, members, type Span } from '../../json/json-text.ts'
import { malformedAnswer } from './malformed-answer.ts'

/**
 * What alchemy-sdk is given of an NFT: only what the service needs, and text rather than whatever the
 * contract's owner wrote, because the SDK walks all it gets, recursively and trusting every key.
 */
export interface ReducedNft {
  contract: { address: string; spamClassifications: [] }
  tokenId: string
  balance: string | undefined
  tokenUri: string | undefined
  raw: { tokenUri: string | undefined; metadata: Metadata }
}

/** An answer of the NFT API, as alchemy-sdk is given it. */
export interface ReducedAnswer {
  ownedNfts?: ReducedNft[]
  nfts?: ReducedNft[]
  pageKey: string | null
}

/** A token URI longer than this repeats a document that the entry holds anyway. */
const maxTokenUriBytes = 262_144

/**
 * Reads an answer of the NFT API that lists NFTs under `list`. Metadata is cut from it byte for byte
 * (D26). An answer that is not JSON, metadata included, or that lacks what an NFT cannot be without,
 * throws an IndexerUnavailable; members that are not needed are skipped, whatever they hold.
 */
export function readNftAnswer(body: Buffer, list: 'ownedNfts' | 'nfts'): ReducedAnswer {
  if (!isUtf8(body)) throw malformedAnswer('not UTF-8')
  // One character for each byte, so that positions in the text are positions in the body.
  const json: Json = { body, text: body.toString('latin1'), ends: new Map() }
  if (!isJsonObject(json.text, json.ends)) throw malformedAnswer('not a JSON object')
  try {
    const whole = { start: json.text.indexOf('{'), end: json.text.length }
    const answer = membersOf(json, whole, [list, 'pageKey'])
    const nfts = answer[list]
    if (!nfts || json.text[nfts.start] !== '[') throw malformedAnswer(`no ${list}`)
    return {
      [list]: Array.from(elements(json.text, nfts.start, json.ends), (nft) =>
        reducedNft(json, nft),
      ),
      pageKey: pageKeyOf(json, answer.pageKey),
    }
  } catch (error) {
    if (error instanceof SyntaxError) throw malformedAnswer('not JSON')
    throw error
  }
}

interface Json {
  body: Buffer
  text: string
  ends: Ends
}

function reducedNft(json: Json, span: Span): ReducedNft {
  const nft = membersOf(json, span, ['contract', 'tokenId', 'balance', 'tokenUri', 'raw'])
  const contract = membersOf(json, nft.contract, ['address'])
  const raw = membersOf(json, nft.raw, ['tokenUri', 'metadata', 'error'])
  const address = textOf(json, contract.address)
  const tokenId = textOf(json, nft.tokenId)
  if (address === undefined || tokenId === undefined) throw malformedAnswer('an NFT without a name')
  return {
    contract: { address, spamClassifications: [] },
    tokenId,
    balance: textOf(json, nft.balance),
    tokenUri: textOf(json, nft.tokenUri, maxTokenUriBytes),
    raw: {
      tokenUri: textOf(json, raw.tokenUri, maxTokenUriBytes),
      metadata: metadataOf(json, raw.metadata, !isNull(json, raw.error)),
    },
  }
}

/** The indexer writes `{}` where it has no metadata, and says in `raw.error` that it is none. */
function metadataOf(json: Json, span: Span | undefined, hasError: boolean): Metadata {
  if (!span || isNull(json, span)) return { text: '{}', fault: 'not_available' }
  if (span.end - span.start > maxMetadataBytes) return { text: '{}', fault: 'too_large' }
  const text = sourceOf(json, span)
  const document = JSON.parse(text)
  if (!text.startsWith('{')) return { text: '{}', fault: 'not_an_object' }
  if (hasError && Object.keys(document).length === 0) return { text: '{}', fault: 'not_available' }
  return { text }
}

function pageKeyOf(json: Json, span: Span | undefined): string | null {
  if (isNull(json, span)) return null
  const pageKey = textOf(json, span)
  if (!pageKey) throw malformedAnswer('a page key that is none')
  return pageKey
}

/** Where an object's members of these names are; of two with the same name the last one counts. */
function membersOf<Name extends string>(
  { text, ends }: Json,
  object: Span | undefined,
  names: readonly Name[],
): Partial<Record<Name, Span>> {
  const found: Partial<Record<Name, Span>> = {}
  if (!object || text[object.start] !== '{') return found
  for (const { key, start, end } of members(text, object.start, ends)) {
    const name = names.find((one) => one === key)
    if (name) found[name] = { start, end }
  }
  return found
}

/** A string's value; `undefined` for anything else and for more bytes than `maxBytes`. */
function textOf(json: Json, span: Span | undefined, maxBytes = Number.POSITIVE_INFINITY) {
  if (!span || json.text[span.start] !== '"' || span.end - span.start > maxBytes) return undefined
  return JSON.parse(sourceOf(json, span)) as string
}

/** Whether a member is absent or null. */
const isNull = ({ text }: Json, span: Span | undefined): boolean =>
  !span || text[span.start] === 'n'

/** A value as the source wrote it. */
const sourceOf = ({ body }: Json, { start, end }: Span): string => body.toString('utf8', start, end)
