import type { Address } from '../nft/address.ts'
import { type Chain, isCovered } from '../nft/chain.ts'
import type { ContractKey } from '../nft/nft.ts'
import type { OwnedNft } from '../nft/owned-nft.ts'
import { addressesOn, type Wallet } from '../nft/wallet.ts'
import { type Indexer, maxContractsPerCall } from '../ports/indexer.ts'
import { batchesOf } from '../some-at-once.ts'
import type { Deadline } from '../time-budget.ts'
import type { ReadingPosition, ReadingProgress } from './reading-position.ts'

/** A page of a wallet's NFTs, before the allowlist selects from it. */
export interface WalletPage {
  nfts: readonly OwnedNft[]
  next?: string | undefined
  progress?: ReadingProgress | undefined
  /** The moment of which it speaks, in milliseconds since 1970 (D156). */
  moment: number
}

/** Reads pages of a wallet for one request. `askedAt`: milliseconds since 1970. Throws the failures of the indexer. */
export function walletReading(
  { chain, owner, contracts }: Slice<ContractKey>,
  deadline: Deadline,
  indexer: Pick<Indexer, 'ownedNfts'>,
): (position: ReadingPosition) => Promise<WalletPage & { askedAt: number }> {
  const seen = new Set<string>()
  const addresses: Address[] = contracts.map(({ address }) => address)
  return async ({ pageKey, progress }) => {
    const askedAt = Date.now()
    const page = await indexer.ownedNfts({
      ...{ chain, owner, contracts: addresses, seen, deadline },
      ...(pageKey !== undefined && { pageKey }),
      ...(progress && { progress }),
    })
    const { nfts, pageKey: next, progress: after, block } = page
    return { nfts, next, progress: after, moment: block?.at ?? askedAt, askedAt }
  }
}

/** The part of a reading that one indexer call covers: one wallet and at most 45 contracts on one chain. */
export interface Slice<Contract extends ContractKey> {
  chain: Chain
  contracts: readonly Contract[]
  owner: Address
}

/** The contracts whose NFTs the indexer can list, on all or some chains. */
export const readableContracts = <Contract extends ContractKey>(
  contracts: readonly Contract[],
  chains?: readonly Chain[],
): Contract[] =>
  contracts.filter(({ chain }) => isCovered(chain) && (chains?.includes(chain) ?? true))

/** Slices by chain, then by runs of at most 45 contracts by address, then by wallet (D25), of those that count on the chain. */
export function slicesOf<Contract extends ContractKey>(
  contracts: readonly Contract[],
  wallets: readonly Wallet[],
): Slice<Contract>[] {
  return [...Map.groupBy(contracts, ({ chain }) => chain)].flatMap(([chain, onChain]) => {
    const owners = addressesOn(chain, wallets)
    return batchesOf(onChain, maxContractsPerCall).flatMap((run) =>
      owners.map((owner) => ({ chain, contracts: run, owner })),
    )
  })
}
