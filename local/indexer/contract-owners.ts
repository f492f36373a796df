import { compareTokenIds, type TokenId } from '../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../lib/domain/nft/address.ts'
import { ownersAt } from './chain/past-holdings.ts'
import type { Network, World } from './world.ts'

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
