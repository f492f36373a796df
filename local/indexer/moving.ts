import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import { ApiError, addressFrom, type Nft, nftFrom } from './api-error.ts'
import { transfer } from './chain/movements.ts'
import type { Transaction } from './minting.ts'
import type { Collection, Ledger } from './world.ts'

interface Moving {
  contractAddress: string
  /** The wallet that holds the token, or several wallets: the first one that holds enough is taken. */
  from: string | readonly string[]
  to: string
  /** Decimal or hexadecimal. */
  tokenId: string
  /** The amount of an ERC-1155 token, decimal; 1 by default. */
  amount?: string
}

/**
 * Moves a token from one wallet to another, as a transaction on the chain would, and returns the wallet that held it. The
 * indexer has it at once, and the next block has its event. Throws an {@link ApiError} 400 if the arguments are invalid
 * or no wallet holds enough.
 */
export function move(
  { world, network, now }: Transaction,
  moving: unknown,
): { from: Address; tokenId: TokenId } {
  const { contractAddress, from, to, tokenId: given, amount } = (moving ?? {}) as Partial<Moving>
  const nft = { network, ...nftFrom(contractAddress, given) }
  const wallets = [from].flat().map((wallet) => addressFrom(wallet, 'from'))
  if (wallets.length === 0) throw new ApiError(400, 'from must name a wallet')
  const recipient = addressFrom(to, 'to')
  const collection = world[network].collections.get(nft.address)
  if (!collection) throw new ApiError(400, `There is no contract at ${nft.address}`)
  const count = amountFrom(amount ?? '1', collection)
  const holder = holderOf(world[network], nft, { wallets, count })
  transfer(world, nft, { from: holder, to: recipient, amount: count }, now)
  return { from: holder, tokenId: nft.tokenId }
}

function amountFrom(value: unknown, { tokenType }: Collection): bigint {
  if (!/^[1-9]\d{0,77}$/.test(String(value))) {
    throw new ApiError(400, 'amount must be a positive number')
  }
  if (tokenType === 'ERC1155' || String(value) === '1') return BigInt(String(value))
  throw new ApiError(400, 'amount must be 1, because there is one of each token of ERC-721')
}

function holderOf(
  ledger: Ledger,
  { address, tokenId }: Nft,
  { wallets, count }: { wallets: readonly Address[]; count: bigint },
): Address {
  const amountOf = (wallet: Address) => ledger.wallets.get(wallet)?.get(address)?.get(tokenId) ?? 0n
  const holder = wallets.find((wallet) => amountOf(wallet) >= count)
  if (holder !== undefined) return holder
  const none = wallets.length > 1 ? 'None of the wallets holds' : `${wallets} does not hold`
  throw new ApiError(400, `${none} ${count} of token ${tokenId}`)
}
