import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import { type Address, toAddress } from '../../lib/domain/nft/address.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import type { ChainEvent, HashedBlock } from '../../lib/domain/ports/chain-events.ts'
import { firstWith } from '../binary-search.ts'
import { chain } from '../scenario/products.ts'

/** The number of NFTs in each wallet before the first transfer. */
const nftsPerWallet = 10

const contractCount = 3

const blockMilliseconds = chains[chain].blockSeconds * 1_000

/** The chain of a simulated day, whose nodes all have the latest block. */
export interface DayChain {
  wallets: readonly Address[]
  /** Of ERC-721. */
  contracts: readonly Address[]
  head(): HashedBlock
  /** The token identifiers of a contract, in the order of numbers. */
  tokenIdsOf(contract: Address): TokenId[]
  /** What a wallet holds, with the contract of each token, and the time of the block of its last transfer. */
  holdingsOf(wallet: Address): { tokens: ReadonlyMap<TokenId, Address>; movedAt: number }
  ownerAt(tokenId: TokenId, block: number): Address
  /** The number of tokens of a contract that a wallet held at a block. */
  countAt(contract: Address, wallet: Address, block: number): number
  /** The transfers in blocks, both ends included. */
  eventsBetween(from: number, to: number): ChainEvent[]
}

export const blockAt = (number: number): HashedBlock => ({
  number,
  at: number * blockMilliseconds,
  hash: `0x${number.toString(16).padStart(12, '0').padEnd(64, '0')}`,
})

/** The block that has a transaction of a moment. */
const blockNumberOf = (at: number): number => Math.ceil(at / blockMilliseconds)

const addressOf = (kind: string, index: number): Address =>
  toAddress(`0x${kind}${index.toString(16).padStart(39, '0')}`)

/** `transfers`: in their order; each moves the token that its giver has had for the longest time. */
export function dayChain(
  walletCount: number,
  transfers: readonly Transfer[],
  now: () => number,
): DayChain {
  const wallets = Array.from({ length: walletCount }, (_, index) => addressOf('a', index))
  const contracts = Array.from({ length: contractCount }, (_, index) => addressOf('c', index))
  const contractOf = (tokenId: TokenId) => contracts[Number(tokenId) % contractCount] as Address
  const tokenIds = Array.from(
    { length: walletCount * nftsPerWallet },
    (_, nft) => `${nft}` as TokenId,
  )
  const holdings = new Map(
    wallets.map((wallet, index) => {
      const its = tokenIds.slice(index * nftsPerWallet, (index + 1) * nftsPerWallet)
      const tokens = new Map(its.map((tokenId) => [tokenId, contractOf(tokenId)]))
      return [wallet, { tokens, movedAt: Number.NEGATIVE_INFINITY }]
    }),
  )
  const owners = new Map(
    tokenIds.map((tokenId, nft) => [tokenId, wallets[Math.floor(nft / nftsPerWallet)] as Address]),
  )
  const events: (ChainEvent & { tokenId: TokenId; from: Address; to: Address })[] = []

  const holdingOf = (wallet: Address) =>
    holdings.get(wallet) as { tokens: Map<TokenId, Address>; movedAt: number }

  /** The latest block, after the transfers in it and before it. */
  function head(): HashedBlock {
    const latest = blockAt(Math.floor(now() / blockMilliseconds))
    for (let next = transfers[events.length]; next && next.at <= latest.at; ) {
      carryOut(next)
      next = transfers[events.length]
    }
    return latest
  }

  function carryOut({ at, from: giver, to: taker }: Transfer): void {
    const [from, to] = [wallets[giver] as Address, wallets[taker] as Address]
    const [tokenId] = holdingOf(from).tokens.keys()
    if (tokenId === undefined) throw new Error(`wallet ${giver} is empty`)
    const contract = contractOf(tokenId)
    const { number, hash, at: movedAt } = blockAt(blockNumberOf(at))
    holdingOf(from).tokens.delete(tokenId)
    holdingOf(to).tokens.set(tokenId, contract)
    for (const wallet of [from, to]) holdingOf(wallet).movedAt = movedAt
    owners.set(tokenId, to)
    const tokens = [{ tokenId, amount: '1' }]
    events.push({
      ...{ contract, block: { number, hash }, index: events.length },
      ...{ tokenId, from, to },
      details: {
        transactionHash: hash,
        standard: 'ERC721',
        content: { kind: 'transfer', from, to, tokens },
      },
    })
  }

  const after = (block: number) => events.slice(firstFrom(events, block + 1))

  return {
    ...{ wallets, contracts, head },
    tokenIdsOf: (contract) => tokenIds.filter((tokenId) => contractOf(tokenId) === contract),
    holdingsOf(wallet) {
      head()
      return holdingOf(wallet)
    },
    ownerAt(tokenId, block) {
      const next = after(block).find((event) => event.tokenId === tokenId)
      return next?.from ?? (owners.get(tokenId) as Address)
    },
    countAt(contract, wallet, block) {
      const its = after(block).filter((event) => event.contract === contract)
      const gone = its.filter(({ from }) => from === wallet).length
      const come = its.filter(({ to }) => to === wallet).length
      const now = [...holdingOf(wallet).tokens.values()].filter((each) => each === contract).length
      return now + gone - come
    },
    eventsBetween: (from, to) => events.slice(firstFrom(events, from), firstFrom(events, to + 1)),
  }
}

/** The index of the first event in a block of this number or a later one. */
const firstFrom = (events: readonly ChainEvent[], number: number): number =>
  firstWith(events.length, (index) => (events[index] as ChainEvent).block.number >= number)

/** A transfer of an NFT between two wallets. */
export interface Transfer {
  at: number
  from: number
  to: number
}

export const dayMilliseconds = 86_400_000

/** In how many transfers each wallet takes part in a day: in one, or in one as giver and in one as taker. */
export type TransfersOfWallet = 1 | 2

/** The transfers of a day at random times, in their order. The wallets of each transfer are random. */
export function transfersOf(
  from: number,
  walletCount: number,
  ofWallet: TransfersOfWallet,
  random: () => number,
): Transfer[] {
  const order = shuffled(walletCount, random)
  // Every second wallet gives to the next one, or each gives to the next one in a circle.
  const givers = ofWallet === 1 ? order.filter((_, index) => index % 2 === 0) : order
  const step = ofWallet === 1 ? 2 : 1
  const transfers = givers.map((giver, index) => ({
    at: from + random() * dayMilliseconds,
    from: giver,
    to: order[(index * step + 1) % walletCount] as number,
  }))
  return transfers.sort((a, b) => a.at - b.at)
}

/** The numbers from 0 to below `count` in a random order (Fisher and Yates). */
function shuffled(count: number, random: () => number): number[] {
  const numbers = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1))
    ;[numbers[last], numbers[chosen]] = [numbers[chosen] as number, numbers[last] as number]
  }
  return numbers
}
