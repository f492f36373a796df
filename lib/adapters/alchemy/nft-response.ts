import { isUtf8 } from 'node:buffer'
import { type Metadata, maxMetadataBytes } from '../../domain/nft/owned-nft.ts'
import { type Ends, elements, isJsonObject, members, type Span } from '../../json/json-text.ts'
import { malformedResponse } from './malformed-response.ts'
import { pageKeyIn } from './page-progress.ts'

/** A longer token URI is a data: URI that repeats the document of the same entry. */
const maxTokenUriBytes = 262_144

/**
 * Reads a response of the NFT API that lists NFTs under `list`, as alchemy-sdk receives it. Metadata is copied from it byte for byte
 * (D26). Throws an IndexerUnavailable for a response that is not JSON, metadata included, that contains an
 * error, an NFT without an address, or the NFTs of a wallet without their total count (D39). All other members
 * are skipped.
 */
export function readNftResponse(body: Buffer, list: 'ownedNfts' | 'nfts') {
  return readResponse(body, list, (json, nfts, { pageKey, totalCount, validAt }) => ({
    [list]: nfts.map((nft) => reducedNft(json, nft)),
    pageKey: pageKeyOf(json, pageKey),
    ...(list === 'ownedNfts' && {
      totalCount: totalCountOf(json, totalCount),
      validAt: validAtOf(json, validAt),
    }),
  }))
}

/**
 * Reads a page of the NFTs of a contract without their metadata. The entries need not name the contract, and
 * alchemy-sdk does not pass it on, so it is checked here: throws an IndexerUnavailable for an NFT of another
 * contract, and for the responses that {@link readNftResponse} rejects.
 */
export const readContractPage = (body: Buffer, contract: string) =>
  readResponse(body, 'nfts', (json, nfts, { pageKey }) => ({
    nfts: nfts.flatMap((nft) => tokenIdsOf(json, nft, contract)),
    pageKey: pageKeyOf(json, pageKey),
  }))

/** The token identifier of an NFT; nothing for one that does not exist (D135). */
function tokenIdsOf(json: Json, span: Span, contract: string): { tokenId: string }[] {
  const nft = membersOf(json, span, ['contract', 'contractAddress', 'tokenId', 'raw', 'error'])
  const named = nft.contractAddress ?? membersOf(json, nft.contract, ['address']).address
  if (named && textOf(json, named)?.toLowerCase() !== contract.toLowerCase()) {
    throw malformedResponse('an NFT of another contract')
  }
  const tokenId = textOf(json, nft.tokenId)
  if (tokenId !== undefined) return [{ tokenId }]
  if (nonexistence(json, nft)) return []
  throw malformedResponse(`an NFT without a token identifier, of ${contract}`)
}

type Members = Partial<Record<'pageKey' | 'totalCount' | 'validAt', Span>>

function readResponse<Result>(
  body: Buffer,
  list: 'ownedNfts' | 'nfts',
  reduce: (json: Json, nfts: Span[], members: Members) => Result,
): Result {
  if (!isUtf8(body)) throw malformedResponse('not UTF-8')
  // Latin-1 has one character for each byte: positions in the text are positions in the body.
  const json: Json = { body, text: body.toString('latin1'), ends: new Map() }
  if (!isJsonObject(json.text, json.ends)) throw malformedResponse('not a JSON object')
  try {
    const whole = { start: json.text.indexOf('{'), end: json.text.length }
    const answer = membersOf(json, whole, [list, 'pageKey', 'totalCount', 'validAt', 'error'])
    if (!isNull(json, answer.error)) throw malformedResponse('an error beside the NFTs')
    const nfts = answer[list]
    if (!nfts || json.text[nfts.start] !== '[') throw malformedResponse(`no ${list}`)
    return reduce(json, Array.from(elements(json.text, nfts.start, json.ends)), answer)
  } catch (error) {
    if (error instanceof SyntaxError) throw malformedResponse('not JSON')
    throw error
  }
}

interface Json {
  body: Buffer
  text: string
  ends: Ends
}

/**
 * The part of an NFT that alchemy-sdk receives: only what the service needs. The metadata document is
 * passed as text, because the SDK walks every object recursively and trusts all keys.
 */
function reducedNft(json: Json, span: Span) {
  const nft = membersOf(json, span, [
    'contract',
    'tokenId',
    'balance',
    'tokenUri',
    'raw',
    'timeLastUpdated',
    'error',
  ])
  const contract = membersOf(json, nft.contract, ['address'])
  const raw = membersOf(json, nft.raw, ['tokenUri', 'metadata', 'error'])
  const address = textOf(json, contract.address)
  if (address === undefined) throw malformedResponse('an NFT without an address')
  return {
    contract: { address, spamClassifications: [] as const },
    tokenId: textOf(json, nft.tokenId),
    balance: textOf(json, nft.balance) ?? numberOf(json, nft.balance),
    tokenUri: textOf(json, nft.tokenUri, maxTokenUriBytes),
    timeLastUpdated: textOf(json, nft.timeLastUpdated),
    raw: {
      tokenUri: textOf(json, raw.tokenUri, maxTokenUriBytes),
      metadata: metadataOf(json, raw.metadata, !isNull(json, raw.error)),
      // Only that the token does not exist.
      error: nonexistence(json, nft),
    },
  }
}

/** What the indexer says of a token that does not exist, in the two places where its versions say it; else `undefined`. */
function nonexistence(json: Json, nft: Partial<Record<'raw' | 'error', Span>>): string | undefined {
  const { error } = membersOf(json, nft.raw, ['error'])
  return [textOf(json, error), textOf(json, nft.error)].find((text = '') =>
    /^token does not exist\.?$/i.test(text),
  )
}

/** Where the indexer has no metadata, it writes `{}` and sets `raw.error`. */
function metadataOf(json: Json, span: Span | undefined, hasError: boolean): Metadata {
  if (!span || isNull(json, span)) return { text: '{}', fault: 'not_available' }
  if (span.end - span.start > maxMetadataBytes) return { text: '{}', fault: 'too_large' }
  const text = sourceOf(json, span)
  const document = JSON.parse(text)
  if (!text.startsWith('{')) return { text: '{}', fault: 'not_an_object' }
  if (hasError && Object.keys(document).length === 0) return { text: '{}', fault: 'not_available' }
  return { text }
}

const pageKeyOf = (json: Json, span: Span | undefined): string | null =>
  pageKeyIn(isNull(json, span) ? null : (textOf(json, span) ?? ''))

function totalCountOf(json: Json, span: Span | undefined): number {
  const text = span ? sourceOf(json, span) : ''
  if (!/^\d{1,15}$/.test(text)) throw malformedResponse('a total count that is none')
  return Number(text)
}

/** The block that the indexer's data is of; a member is `undefined` if it does not have its type. */
function validAtOf(json: Json, span: Span | undefined) {
  const { blockNumber, blockTimestamp } = membersOf(json, span, ['blockNumber', 'blockTimestamp'])
  const digits = blockNumber ? sourceOf(json, blockNumber) : ''
  return {
    blockNumber: /^\d{1,15}$/.test(digits) ? Number(digits) : undefined,
    blockTimestamp: textOf(json, blockTimestamp),
  }
}

/** The positions of an object's members with these names. Of two members with one name, the last counts. */
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

/** The value of a string; `undefined` for other values and for strings over `maxBytes`. */
function textOf(
  json: Json,
  span: Span | undefined,
  maxBytes = Number.POSITIVE_INFINITY,
): string | undefined {
  if (!span || json.text[span.start] !== '"' || span.end - span.start > maxBytes) return undefined
  return JSON.parse(sourceOf(json, span))
}

/** The digits of a number, as they are written: JSON.parse would round a large one. */
const numberOf = (json: Json, span: Span | undefined): string | undefined =>
  span && /[0-9]/.test(json.text.charAt(span.start)) ? sourceOf(json, span) : undefined

/** Whether a member is absent or null. */
const isNull = ({ text }: Json, span: Span | undefined): boolean =>
  !span || text[span.start] === 'n'

const sourceOf = ({ body }: Json, { start, end }: Span): string => body.toString('utf8', start, end)
