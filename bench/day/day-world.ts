import type { TokenId } from '../../lib/domain/allowlist/token-id.ts'
import { type Address, toAddress } from '../../lib/domain/nft/address.ts'
import { chains } from '../../lib/domain/nft/chain.ts'
import type { OwnedNft } from '../../lib/domain/nft/owned-nft.ts'
import type { ChainEvent, ChainEvents, HashedBlock } from '../../lib/domain/ports/chain-events.ts'
import type { Indexer } from '../../lib/domain/ports/indexer.ts'
import { chain } from '../scenario/products.ts'

/** The indexer's calls. */
export const indexerMethods = ['getNFTsForOwner', 'eth_getLogs', 'eth_getBlockByNumber'] as const

export type IndexerMethod = (typeof indexerMethods)[number]

/** A transfer of an NFT between two wallets. */
export interface Transfer {
  at: number
  from: number
  to: number
}

/** The chain and the indexer of a simulated day. */
export interface DayWorld {
  wallets: readonly Address[]
  contracts: readonly Address[]
  indexer: Pick<Indexer, 'ownedNfts'>
  chainEvents: ChainEvents
  /** The token identifiers that a wallet holds, and the time of its last transfer. */
  holdingsOf(wallet: number): { tokenIds: ReadonlySet<TokenId>; movedAt: number }
  /** The calls of the indexer since the previous time. */
  takeCalls(): Record<IndexerMethod, number>
}

/** The number of NFTs in each wallet before the first transfer. */
const nftsPerWallet = 10

const contractCount = 3

const blockMilliseconds = chains[chain].blockSeconds * 1_000

const blockAt = (number: number): HashedBlock => ({
  number,
  at: number * blockMilliseconds,
  hash: `0x${number.toString(16).padStart(64, '0')}`,
})

/** The block that has a transaction of a moment. */
const blockNumberOf = (at: number): number => Math.ceil(at / blockMilliseconds)

const addressOf = (kind: string, index: number): Address =>
  toAddress(`0x${kind}${index.toString(16).padStart(39, '0')}`)

const noCalls = () => ({ getNFTsForOwner: 0, eth_getLogs: 0, eth_getBlockByNumber: 0 })

/** A world whose indexer states the latest block and knows everything up to it. `transfers` are in order. */
export function dayWorld(
  walletCount: number,
  transfers: readonly Transfer[],
  now: () => number,
): DayWorld {
  const wallets = Array.from({ length: walletCount }, (_, index) => addressOf('a', index))
  const contracts = Array.from({ length: contractCount }, (_, index) => addressOf('c', index))
  const indexOf = new Map(wallets.map((wallet, index) => [wallet, index]))
  const holdings = wallets.map((_, wallet) => ({
    tokenIds: new Set(
      Array.from(
        { length: nftsPerWallet },
        (_, nft) => `${wallet * nftsPerWallet + nft}` as TokenId,
      ),
    ),
    movedAt: Number.NEGATIVE_INFINITY,
  }))
  const contractOf = (tokenId: TokenId) => contracts[Number(tokenId) % contractCount] as Address
  const events: ChainEvent[] = []
  let calls = noCalls()
  let carriedOut = 0

  /** The latest block, after the transfers in it and before it. */
  function head(): HashedBlock {
    const latest = blockAt(Math.floor(now() / blockMilliseconds))
    for (let next = transfers[carriedOut]; next && next.at <= latest.at; ) {
      carryOut(next, carriedOut)
      carriedOut += 1
      next = transfers[carriedOut]
    }
    return latest
  }

  function carryOut({ at, from, to }: Transfer, index: number): void {
    const [giver, taker] = [holdings[from], holdings[to]] as const
    const [tokenId] = giver?.tokenIds ?? []
    if (!giver || !taker || tokenId === undefined) throw new Error(`wallet ${from} is empty`)
    giver.tokenIds.delete(tokenId)
    taker.tokenIds.add(tokenId)
    const { number, hash, at: movedAt } = blockAt(blockNumberOf(at))
    giver.movedAt = movedAt
    taker.movedAt = movedAt
    const touched = [wallets[from], wallets[to]] as Address[]
    events.push({ contract: contractOf(tokenId), block: { number, hash }, index, wallets: touched })
  }

  return {
    wallets,
    contracts,
    holdingsOf(wallet) {
      head()
      return holdings[wallet] as (typeof holdings)[number]
    },
    takeCalls() {
      const taken = calls
      calls = noCalls()
      return taken
    },
    indexer: {
      async ownedNfts({ owner }) {
        calls.getNFTsForOwner += 1
        const block = head()
        const { tokenIds } = holdings[indexOf.get(owner) as number] as (typeof holdings)[number]
        const nfts = [...tokenIds].map(
          (tokenId): OwnedNft => ({
            chain,
            address: contractOf(tokenId),
            tokenId,
            owner,
            balance: '1',
            metadataLink: '',
            metadata: { text: '{}' },
          }),
        )
        return { nfts, block }
      },
    },
    chainEvents: {
      async head() {
        calls.eth_getBlockByNumber += 1
        return head()
      },
      async block(_, number) {
        calls.eth_getBlockByNumber += 1
        return blockAt(number)
      },
      async events({ contracts: asked, from, to }) {
        calls.eth_getLogs += 1
        const first = firstFrom(events, from)
        const found: ChainEvent[] = []
        for (
          let index = first;
          (events[index]?.block.number ?? Number.POSITIVE_INFINITY) <= to;
          index += 1
        ) {
          const event = events[index] as ChainEvent
          if (asked.includes(event.contract)) found.push(event)
        }
        return found
      },
    },
  }
}

/** The index of the first event in a block of this number or a later one, by binary search. */
function firstFrom(events: readonly ChainEvent[], number: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((events[middle] as ChainEvent).block.number < number) low = middle + 1
    else high = middle
  }
  return low
}
