import type { TokenId } from '../../../lib/domain/allowlist/token-id.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { ChainState, StateQuery } from '../../../lib/domain/ports/chain-events.ts'
import type { TokenOwners } from '../../../lib/domain/ports/indexer.ts'

/** Who holds what after a block: by token, the balance of each wallet. */
export type HeldState = ReadonlyMap<TokenId, ReadonlyMap<Address, bigint>>

/** The owner of an NFT of ERC-721. */
export const ownerOf = (state: HeldState, tokenId: TokenId): Address | null =>
  [...(state.get(tokenId)?.keys() ?? [])][0] ?? null

/** Gives a wallet an amount of an NFT, or takes it away. */
export function change(of: Map<Address, bigint>, wallet: Address, amount: bigint): void {
  const balance = (of.get(wallet) ?? 0n) + amount
  if (balance > 0n) of.set(wallet, balance)
  else of.delete(wallet)
}

/** What a wallet holds, by token. */
export const tokensOf = (state: HeldState, wallet: Address): Map<TokenId, bigint> =>
  new Map(
    [...state].flatMap(([tokenId, of]) => {
      const balance = of.get(wallet)
      return balance ? [[tokenId, balance] as const] : []
    }),
  )

export const holdersIn = (state: HeldState): Address[] => [
  ...new Set([...state.values()].flatMap((of) => [...of.keys()])),
]

/** Tells everything that some owners hold, as an indexer does. */
export function tellOwners(
  state: HeldState,
  take: Parameters<TokenOwners['page']>[1],
  owners: readonly Address[] = holdersIn(state),
): void {
  for (const owner of owners)
    for (const [tokenId, amount] of tokensOf(state, owner)) take({ owner, tokenId, amount })
}

/** What a contract whose state at a block is known says of itself. */
export const chainStateOf = (
  at: (block: StateQuery['block'], call: string) => Promise<HeldState>,
): ChainState => ({
  async ownersOf({ block, tokenIds }) {
    const state = await at(block, `owners of ${tokenIds.length}`)
    return tokenIds.map((tokenId) => ownerOf(state, tokenId))
  },
  async countsOf({ block, wallets: some }) {
    const state = await at(block, `counts of ${some.length}`)
    return some.map((wallet) => BigInt([...state.values()].filter((of) => of.has(wallet)).length))
  },
  async balancesOf({ block, pairs }) {
    const state = await at(block, `balances of ${pairs.length}`)
    return pairs.map(({ wallet, tokenId }) => state.get(tokenId)?.get(wallet) ?? 0n)
  },
})
