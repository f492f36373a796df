import { give, take } from '../holdings.ts'
import {
  canonicalAddress,
  canonicalTokenId,
  collectionOf,
  type Network,
  type NftRef,
  type World,
} from '../world.ts'
import type { Movement } from './chain-state.ts'
import { logEvent, transferBatchEvent, transferEvent } from './event-log.ts'

/** The wallets of a transfer. Without `from` the tokens are minted, and without `to` they are burned. */
interface Parties {
  from?: string
  to?: string
}

/**
 * Transfers an amount, by default 1, of an NFT, and writes the `Transfer` or `TransferSingle` event into the next
 * block. The holdings change at once; `now` is in milliseconds since 1970. Throws a RangeError if the sender holds
 * less, or if the token is of ERC-721 and the amount is not 1.
 */
export function transfer(
  world: World,
  nft: NftRef,
  { amount = 1n, ...parties }: Parties & { amount?: bigint },
  now: number,
): void {
  const { address, tokenType } = collectionOf(world, nft)
  if (tokenType === 'ERC721' && amount !== 1n)
    throw new RangeError(`the amount is not 1: ${amount}`)
  const moved = { ...ownersOf(parties), tokenId: canonicalTokenId(nft.tokenId), amount }
  moveHoldings(world, { network: nft.network, address }, moved)
  const event = { ...transferEvent(tokenType, moved), movements: [moved] }
  logEvent(world, { network: nft.network, address }, event, now)
}

/**
 * Transfers amounts of several tokens of an ERC-1155 contract, and writes the `TransferBatch` event into the next block.
 * The holdings change at once; `now` is in milliseconds since 1970. Throws a RangeError if the sender holds less, or the
 * contract is of ERC-721.
 */
export function transferBatch(
  world: World,
  contract: { network: Network; address: string },
  { tokens, ...parties }: Parties & { tokens: readonly { tokenId: string; amount: bigint }[] },
  now: number,
): void {
  const { address, tokenType } = collectionOf(world, contract)
  if (tokenType !== 'ERC1155') throw new RangeError(`${address} is not an ERC-1155 contract`)
  const owners = ownersOf(parties)
  const movements: Movement[] = []
  try {
    for (const { tokenId, amount } of tokens) {
      const moved = { ...owners, tokenId: canonicalTokenId(tokenId), amount }
      moveHoldings(world, { network: contract.network, address }, moved)
      movements.push(moved)
    }
  } catch (error) {
    // A transaction that fails changes nothing.
    for (const { from, to, ...token } of movements.reverse()) {
      moveHoldings(world, contract, { from: to, to: from, ...token })
    }
    throw error
  }
  const event = { ...transferBatchEvent(owners, movements), movements }
  logEvent(world, { network: contract.network, address }, event, now)
}

function moveHoldings(
  world: World,
  contract: { network: Network; address: string },
  { from, to, tokenId, amount }: Movement,
): void {
  const nft = { ...contract, tokenId }
  if (from) take(world, nft, from, amount)
  if (to) give(world, nft, to, amount)
}

const ownersOf = ({ from, to }: Parties): Pick<Movement, 'from' | 'to'> => ({
  from: from === undefined ? undefined : canonicalAddress(from),
  to: to === undefined ? undefined : canonicalAddress(to),
})
