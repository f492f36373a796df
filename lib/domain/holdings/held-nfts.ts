import { compareTokenIds, type TokenId } from '../allowlist/token-id.ts'
import type { Address } from '../nft/address.ts'
import {
  type ContractWithRanges,
  compareContracts,
  compareNfts,
  contractKeyOf,
  type Nft,
} from '../nft/nft.ts'
import type { OwnedNft } from '../nft/owned-nft.ts'
import { compareTexts } from '../text.ts'
import type { Holdings } from './holdings.ts'

type Place = Pick<OwnedNft, 'chain' | 'address' | 'tokenId' | 'owner'>

/** The order of the NFTs of wallets (D24). */
export const comparePlaces = (a: Place, b: Place): number =>
  compareNfts(a, b) || compareTexts(a.owner, b.owner)

/** The place of an NFT in the order of D24, as text. */
export const placeOf = ({ chain, address, tokenId, owner }: Place): string =>
  [chain, address, tokenId, owner].join(' ')

/** The place of a text of {@link placeOf}. */
export function placeIn(text: string): Place {
  const [chain, address, tokenId, owner] = text.split(' ')
  return { chain, address, tokenId, owner } as Place
}

/** An NFT of a wallet without its metadata. */
export interface HeldNft extends Nft {
  owner: Address
  balance: string
  contract: ContractWithRanges
}

export interface HeldContract {
  contract: ContractWithRanges
  ofWallets: ReadonlyMap<Address, Holdings>
}

export const countHeld = (held: readonly HeldContract[]): number =>
  held.reduce(
    (sum, { ofWallets }) => [...ofWallets.values()].reduce((of, { size }) => of + size, sum),
    0,
  )

/** The first NFTs after one, up to a number, and whether there are no more. */
export type HeldNfts = (
  last: HeldNft | undefined,
  count: number,
) => { nfts: HeldNft[]; isEnd: boolean }

/**
 * The NFTs of wallets after a place, in the order of D24. The one of the place is not shown again, unless several
 * wallets can hold it.
 */
export function heldNfts(
  held: readonly HeldContract[],
  place: Place | undefined,
  hasOneOwner: (nft: Nft) => boolean,
): HeldNfts {
  const contracts = held.toSorted((a, b) => compareContracts(a.contract, b.contract))
  const isNext = (nft: Place, last: Place | undefined) =>
    !(last && comparePlaces(nft, last) <= 0) &&
    !(
      place &&
      (comparePlaces(nft, place) <= 0 || (compareNfts(nft, place) === 0 && hasOneOwner(nft)))
    )

  function* after(
    { contract, ofWallets }: HeldContract,
    last: Place | undefined,
    bounds: Bounds,
  ): Generator<HeldNft> {
    const from = [last, place].find((each) => each && compareContracts(contract, each) === 0)
    for (const [owner, holdings] of ofWallets) {
      for (const tokenId of holdings.keys()) {
        // A large wallet has many times more than a page, so that nothing is made of what the page does not show.
        if (isBefore(tokenId, from?.tokenId) || isBefore(bounds.end?.tokenId, tokenId)) continue
        const nft = { ...contractKeyOf(contract), tokenId, owner }
        if (isNext(nft, last)) yield { ...nft, balance: `${holdings.get(tokenId)}`, contract }
      }
    }
  }

  return (last, count) => {
    const from = last ?? place
    const nfts: HeldNft[] = []
    for (const each of contracts) {
      if (from && compareContracts(each.contract, from) < 0) continue
      if (nfts.length > count) break
      const bounds: Bounds = {}
      nfts.push(...firstOf(after(each, last, bounds), count + 1 - nfts.length, bounds))
    }
    return { nfts: nfts.slice(0, count), isEnd: nfts.length <= count }
  }
}

const isBefore = (a: TokenId | undefined, b: TokenId | undefined): boolean =>
  a !== undefined && b !== undefined && compareTokenIds(a, b) < 0

/** The last NFT of a contract that can be among the first ones, once there are enough. */
interface Bounds {
  end?: HeldNft | undefined
}

/** The first ones of NFTs in their order, up to a number: of what strangers have sent to wallets, only this part is sorted. */
function firstOf(nfts: Iterable<HeldNft>, count: number, bounds: Bounds): HeldNft[] {
  let first: HeldNft[] = []
  for (const nft of nfts) {
    first.push(nft)
    if (first.length < 2 * count) continue
    first = first.sort(comparePlaces).slice(0, count)
    bounds.end = first.at(-1)
  }
  return first.sort(comparePlaces).slice(0, count)
}
