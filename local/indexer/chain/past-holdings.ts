import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Holding, Ledger } from '../world.ts'
import type { ChainEvent, Movement } from './chain-state.ts'

/**
 * Returns a wallet's holdings at a block, by contract: those of now without the movements of later blocks. Changes without
 * an event count as if they had always been.
 */
export function holdingsAt(
  { wallets, chain }: Ledger,
  owner: Address,
  block: number,
): Map<Address, Holding> {
  const held = new Map(wallets.get(owner))
  const copies = new Map<Address, Map<TokenId, bigint>>()
  for (const { address, movements } of eventsAfter(chain.events, block)) {
    for (const moved of movements) {
      if (moved.from === moved.to || (moved.from !== owner && moved.to !== owner)) continue
      const amounts = copies.get(address) ?? new Map(held.get(address)?.amounts)
      undo(amounts, moved, owner)
      copies.set(address, amounts)
    }
  }
  for (const [address, amounts] of copies) held.set(address, { amounts, order: undefined })
  return held
}

/**
 * Returns what each wallet holds of a contract at a block, as {@link holdingsAt} does of each contract that a wallet holds.
 * Wallets without an NFT of it can be in it, without amounts.
 */
export function ownersAt(
  { wallets, chain }: Ledger,
  address: Address,
  block: number,
): Map<Address, Map<TokenId, bigint>> {
  const owners = new Map<Address, Map<TokenId, bigint>>()
  const amountsOf = (owner: Address) => {
    const amounts = owners.get(owner) ?? new Map(wallets.get(owner)?.get(address)?.amounts)
    owners.set(owner, amounts)
    return amounts
  }
  for (const owner of wallets.keys()) amountsOf(owner)
  for (const moved of movementsAfter(chain.events, address, block)) {
    if (moved.from === moved.to) continue
    for (const owner of [moved.from, moved.to]) if (owner) undo(amountsOf(owner), moved, owner)
  }
  return owners
}

/** Returns the movements of a contract after a block, the latest first. */
export const movementsAfter = (
  events: readonly ChainEvent[],
  contract: Address,
  block: number,
): readonly Movement[] =>
  eventsAfter(events, block)
    .filter(({ address }) => address === contract)
    .flatMap(({ movements }) => movements.toReversed())

const eventsAfter = (events: readonly ChainEvent[], block: number): readonly ChainEvent[] =>
  events.slice(events.findLastIndex((event) => event.block <= block) + 1).reverse()

function undo(amounts: Map<TokenId, bigint>, moved: Movement, owner: Address): void {
  const { from, tokenId, amount } = moved
  const before = (amounts.get(tokenId) ?? 0n) + (from === owner ? amount : -amount)
  if (before === 0n) amounts.delete(tokenId)
  else amounts.set(tokenId, before)
}
