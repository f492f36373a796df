import { parseTokenId, type TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import { ApiError, addressFrom } from './api-error.ts'
import { transfer } from './chain/movements.ts'
import { indexToken, tokenAt } from './metadata-cache.ts'
import { addCollection, type Collection, type Network, type World } from './world.ts'

interface Minting {
  contractAddress: string
  to: string
  /** Decimal or hexadecimal; by default the first identifier after the supply that no token has. */
  tokenId?: string
  /** The name of the contract if there is none at the address: a new ERC-721 contract. */
  newContract?: string
}

/** A transaction: the state of the indexer, and the time in milliseconds since 1970. */
export interface Transaction {
  world: World
  network: Network
  now: number
}

/**
 * Mints a token to a wallet, as a transaction on the chain would, and returns its identifier. The indexer has it at
 * once, with the document of `minted`, and the next block has its transfer from the zero address. A token of an ERC-1155
 * contract can be minted again, which adds 1 to the wallet. Throws an {@link ApiError} 400 if the arguments are invalid or
 * the token cannot be minted.
 */
export function mint({ world, network, now }: Transaction, minting: unknown): { tokenId: TokenId } {
  const {
    contractAddress,
    to,
    tokenId: requested,
    newContract,
  } = (minting ?? {}) as Partial<Minting>
  const address = addressFrom(contractAddress, 'contractAddress')
  const wallet = addressFrom(to, 'to')
  const requestedId = requested === undefined ? undefined : parseTokenId(String(requested))
  if (requested !== undefined && requestedId === undefined)
    throw new ApiError(400, 'tokenId must be a valid token identifier')
  const known = world[network].collections.get(address)
  const isNew = known === undefined && typeof newContract === 'string'
  const collection = isNew ? deployContract(world, network, { address, name: newContract }) : known
  if (!collection) throw new ApiError(400, `No contract is at ${address}`)
  if (!collection.minted) throw new ApiError(400, `${collection.name} has no further NFTs to mint`)
  const tokenId = requestedId ?? nextTokenId(collection)
  if (tokenAt(collection, tokenId)) {
    if (collection.tokenType === 'ERC721')
      throw new ApiError(400, `Token ${tokenId} exists already`)
  } else {
    indexToken(collection, tokenId, collection.minted(tokenId), now)
    collection.totalSupply += 1
  }
  transfer(world, { network, address, tokenId }, { to: wallet }, now)
  return { tokenId }
}

function nextTokenId(collection: Collection): TokenId {
  let next = collection.totalSupply + 1
  while (tokenAt(collection, String(next))) next += 1
  return String(next) as TokenId
}

/** Deploys an ERC-721 contract without tokens, whose minted tokens have a name, a picture and a number. */
const deployContract = (
  world: World,
  network: Network,
  { address, name }: { address: Address; name: string },
): Collection =>
  addCollection(world, {
    network,
    address,
    tokenType: 'ERC721',
    name,
    totalSupply: 0,
    tokenUri: (tokenId) => `https://metadata.example/${address}/${tokenId}.json`,
    metadata: () => undefined,
    minted: (tokenId) => ({
      metadata: JSON.stringify({
        name: `${name} ${tokenId}`,
        description: 'Minted on this machine.',
        image: pictureOf(address, tokenId),
        attributes: [],
      }),
    }),
  })

/** A drawing in a color of the contract, with a number of the token's own. */
function pictureOf(address: Address, tokenId: string): string {
  const hue = Number.parseInt(address.slice(2, 8), 16) % 360
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="hsl(${hue} 45% 30%)"/><circle cx="50" cy="46" r="30" fill="hsl(${hue} 60% 62%)"/><text x="50" y="92" font-family="sans-serif" font-size="12" text-anchor="middle" fill="white">${tokenId.slice(0, 12)}</text></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
