import { give, take } from '../holdings.ts'
import {
  canonicalAddress,
  canonicalTokenId,
  collectionOf,
  type NftRef,
  type World,
} from '../world.ts'
import { logEvent, transferEvent } from './event-log.ts'

/**
 * Transfers an amount, by default 1, of an NFT, and writes the `Transfer` or `TransferSingle` event into the next
 * block. Without `from` it is minted, and without `to` burned. The holdings change at once; `now` is in milliseconds since
 * 1970. Throws a RangeError if the sender holds less, or if the token is of ERC-721 and the amount is not 1.
 */
export function transfer(
  world: World,
  nft: NftRef,
  { from, to, amount = 1n }: { from?: string; to?: string; amount?: bigint },
  now: number,
): void {
  const { address, tokenType } = collectionOf(world, nft)
  if (tokenType === 'ERC721' && amount !== 1n)
    throw new RangeError(`the amount is not 1: ${amount}`)
  const movement = {
    from: from === undefined ? undefined : canonicalAddress(from),
    to: to === undefined ? undefined : canonicalAddress(to),
    tokenId: canonicalTokenId(nft.tokenId),
    amount,
  }
  if (movement.from) take(world, nft, movement.from, amount)
  if (movement.to) give(world, nft, movement.to, amount)
  const event = { ...transferEvent(tokenType, movement), movement }
  logEvent(world, { network: nft.network, address }, event, now)
}
