import { largestTokenId, type TokenId, tokenIdOf } from '../../domain/allowlist/token-id.ts'
import { type Address, toAddress } from '../../domain/nft/address.ts'
import type { NftStandard } from '../../domain/nft/nft.ts'
import type { EventContent, Transfer } from '../../domain/nft-events/nft-event.ts'

/** An event as it stands in a log: its arguments that are indexed, and the words of the others, each of 64 hex digits. */
interface EventWords {
  indexed: readonly string[]
  data: readonly string[]
}

/** The standard that defines an event; `undefined` for new metadata (ERC-4906), which contracts of both can have. */
export const standardOf = (event: keyof typeof readers): NftStandard | undefined => standards[event]

const standards: { readonly [Event in keyof typeof readers]?: NftStandard } = {
  transfer: 'ERC721',
  consecutiveTransfer: 'ERC721',
  transferSingle: 'ERC1155',
  transferBatch: 'ERC1155',
}

/**
 * What an event says (ERC-721, ERC-2309, ERC-1155, ERC-4906); `undefined` if its data is not that of the standard. `indexed`: the topics after
 * the first, each of 32 bytes in hexadecimal.
 */
export function contentOf(
  event: keyof typeof readers,
  indexed: readonly string[],
  data: unknown,
): EventContent | undefined {
  if (typeof data !== 'string' || !/^0x([0-9a-fA-F]{64})*$/.test(data)) return undefined
  return readers[event]({
    indexed: indexed.map((topic) => topic.slice(2)),
    data: data.slice(2).match(/.{64}/g) ?? [],
  })
}

const readers = {
  transfer({ indexed, data }: EventWords): EventContent | undefined {
    const [from, to, tokenId, ...rest] = [...indexed, ...data]
    // With one or two of them indexed, nobody knows which. Contracts from before the standard index none.
    if (!from || !to || !tokenId || rest.length > 0 || ![0, 3].includes(indexed.length)) return
    return transferOf(from, to, [tokenId], ['1'])
  },

  /** A range of NFTs, which can be any number. None of them is named, so no webhook is told of them (D151). */
  consecutiveTransfer({ indexed, data }: EventWords): EventContent | undefined {
    const [first, from, to] = indexed
    const [last, ...rest] = data
    if (!first || !from || !to || !last || indexed.length !== 3 || rest.length > 0) return
    if (numberIn(first) > numberIn(last)) return
    const range = { fromTokenId: tokenIdIn(first), toTokenId: tokenIdIn(last) }
    return { ...transferOf(from, to, [], []), range }
  },

  transferSingle({ indexed, data }: EventWords): EventContent | undefined {
    const [, from, to] = indexed
    const [tokenId, amount, ...rest] = data
    if (!from || !to || !tokenId || !amount || indexed.length !== 3 || rest.length > 0) return
    return transferOf(from, to, [tokenId], [amount])
  },

  transferBatch({ indexed, data }: EventWords): EventContent | undefined {
    const [, from, to] = indexed
    const [tokenIds, amounts] = [arrayAt(data, 0), arrayAt(data, 1)]
    if (!from || !to || indexed.length !== 3 || !tokenIds || !amounts) return
    return tokenIds.length === amounts.length ? transferOf(from, to, tokenIds, amounts) : undefined
  },

  metadataUpdate({ indexed, data }: EventWords): EventContent | undefined {
    const [tokenId, ...rest] = [...indexed, ...data]
    return tokenId && rest.length === 0 ? changeOf(tokenId, tokenId) : undefined
  },

  batchMetadataUpdate({ indexed, data }: EventWords): EventContent | undefined {
    const [from, to, ...rest] = [...indexed, ...data]
    return from && to && rest.length === 0 ? changeOf(from, to) : undefined
  },
}

const transferOf = (
  from: string,
  to: string,
  tokenIds: readonly string[],
  amounts: readonly string[],
): Transfer => ({
  kind: 'transfer',
  from: accountIn(from),
  to: accountIn(to),
  tokens: tokenIds.map((tokenId, index) => ({
    tokenId: tokenIdIn(tokenId),
    amount: `${numberIn(amounts[index] ?? '0')}`,
  })),
})

function changeOf(from: string, to: string): EventContent | undefined {
  if (numberIn(from) > numberIn(to)) return undefined
  return { kind: 'metadata', fromTokenId: tokenIdIn(from), toTokenId: tokenIdIn(to) }
}

/**
 * The elements of the array whose offset in bytes is a word of the data (Solidity's ABI specification). A length that the data
 * does not have is no array: a contract can state any.
 */
function arrayAt(data: readonly string[], index: number): readonly string[] | undefined {
  const offset = Number(numberIn(data[index] ?? largest))
  const place = offset / 32
  const length = Number(numberIn(data[place] ?? largest))
  const elements = data.slice(place + 1, place + 1 + length)
  return elements.length === length ? elements : undefined
}

const numberIn = (word: string): bigint => BigInt(`0x${word}`)

const largest = largestTokenId.toString(16)

const tokenIdIn = (word: string): TokenId => tokenIdOf(numberIn(word))

/** The account in the last 20 bytes of a word, as contracts read it; `null` for the zero address. */
function accountIn(word: string): Address | null {
  const digits = word.slice(24).toLowerCase()
  return /^0+$/.test(digits) ? null : toAddress(`0x${digits}`)
}
