import { type Address, checksumAddress } from '../../lib/domain/nft/address.ts'
import { VerbatimJson } from '../../lib/json/verbatim-json.ts'
import { tokenAt, unreadable } from './metadata-cache.ts'
import type { Collection, SourceAnswer } from './world.ts'

/** Returns an NFT in the format of the NFT API v3, with the members that say something of it, and those that alchemy-sdk needs. */
export function nftJson(
  contract: { address: Address; collection: Collection | undefined },
  tokenId: string,
) {
  const { address, collection } = contract
  const token = collection && tokenAt(collection, tokenId)
  const answer = token?.cached ?? (collection ? noSuchToken : noSuchContract)
  const tokenUri = token?.tokenUri ?? ''
  const { name, description, image } = summaryOf(answer)
  return {
    contract: collection ? contractJson(collection) : noContractJson(address),
    tokenId,
    tokenType: collection?.tokenType ?? 'NOT_A_CONTRACT',
    name,
    description,
    tokenUri: verbatim(gatewayUrl(tokenUri) ?? null),
    image,
    raw: {
      tokenUri: verbatim(tokenUri),
      metadata: new VerbatimJson(answer.metadata),
      error: answer.error ?? null,
    },
    timeLastUpdated: new Date(token?.cachedAt ?? 0).toISOString(),
  }
}

/** JSON that can have half of a surrogate pair, as links and documents can. */
const verbatim = (value: unknown) => new VerbatimJson(JSON.stringify(value))

const noSuchToken = unreadable('Token does not exist')
const noSuchContract = unreadable('Contract does not have any code')

const contractJson = ({ address, name, totalSupply, tokenType }: Collection) => ({
  address: checksummedAddress(address),
  name,
  totalSupply: tokenType === 'ERC721' ? String(totalSupply) : null,
  tokenType,
  spamClassifications: [],
})

const noContractJson = (address: Address) => ({
  address: checksummedAddress(address),
  tokenType: 'NOT_A_CONTRACT',
  spamClassifications: [],
})

/** The members that the indexer takes from a document, serialized once. */
type Summary = Record<'name' | 'description' | 'image', VerbatimJson>

const summaries = new WeakMap<SourceAnswer, Summary>()

function summaryOf(answer: SourceAnswer): Summary {
  const found = summaries.get(answer) ?? summarize(JSON.parse(answer.metadata))
  summaries.set(answer, found)
  return found
}

function summarize(document: unknown): Summary {
  const members = new Map<string, unknown>(Object.entries(document ?? {}))
  const text = (...names: string[]) =>
    names.map((name) => members.get(name)).find((value) => typeof value === 'string')
  const originalUrl = text('image', 'image_url', 'imageUrl')
  const image = {
    cachedUrl: gatewayUrl(originalUrl ?? '') ?? null,
    thumbnailUrl: null,
    pngUrl: null,
    contentType: null,
    size: null,
    originalUrl: originalUrl ?? null,
  }
  return {
    name: verbatim(text('name') ?? null),
    description: verbatim(text('description') ?? null),
    image: verbatim(image),
  }
}

const gateways: readonly (readonly [scheme: string, gateway: string])[] = [
  ['ipfs://ipfs/', 'https://ipfs.example.com/ipfs/'],
  ['ipfs://', 'https://ipfs.example.com/ipfs/'],
  ['ar://', 'https://arweave.example.com/'],
]

/** Returns the HTTP URL of a URI at the indexer's gateways, or `undefined` if there is none. */
function gatewayUrl(uri: string): string | undefined {
  if (/^https?:\/\//i.test(uri)) return uri
  const found = gateways.find(([scheme]) => uri.startsWith(scheme))
  return found && found[1] + uri.slice(found[0].length)
}

const known = new Map<Address, string>()

/** Returns an address in the mixed case of EIP-55, as Alchemy does for contracts. Hashes each address once. */
function checksummedAddress(address: Address): string {
  const found = known.get(address) ?? checksumAddress(address)
  known.set(address, found)
  return found
}
