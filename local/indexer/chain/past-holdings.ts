import { compareTokenIds, type TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { Holding, Ledger, Network, World } from '../world.ts'
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
function ownersAt(
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

/** A page of the owners of a contract. */
interface OwnersPage {
  owners: { owner: Address; amounts: { tokenId: TokenId; amount: bigint }[] }[]
  /** The last owner of this page, or `undefined` if this is the last page. */
  last: Address | undefined
}

/**
 * Returns up to `limit` owners of a contract's NFTs after an address, in the order of addresses, with what each of them holds,
 * as of a block if the query has one.
 */
export function ownersAfter(
  world: World,
  { network, address, block }: { network: Network; address: Address; block?: number },
  { after, limit }: { after: Address | undefined; limit: number },
): OwnersPage {
  const all = ownersAt(world[network], address, block ?? Number.POSITIVE_INFINITY)
  const following = [...all]
    .filter(([owner, amounts]) => amounts.size > 0 && (after === undefined || owner > after))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const owners = following.slice(0, limit).map(([owner, amounts]) => ({
    owner,
    amounts: [...amounts]
      .map(([tokenId, amount]) => ({ tokenId, amount }))
      .sort((one, other) => compareTokenIds(one.tokenId, other.tokenId)),
  }))
  return { owners, last: following.length > limit ? owners.at(-1)?.owner : undefined }
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
