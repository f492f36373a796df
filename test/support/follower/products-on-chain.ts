import { dynamoAllowedTokenIds } from '../../../lib/adapters/dynamodb/allowed-token-ids.ts'
import { dynamoContracts } from '../../../lib/adapters/dynamodb/contracts.ts'
import type { Table } from '../../../lib/adapters/dynamodb/table.ts'
import { type TokenId, tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import { rangeWith, type TokenRange } from '../../../lib/domain/allowlist/token-ranges.ts'
import type { Address } from '../../../lib/domain/nft/address.ts'
import type { NftEvent } from '../../../lib/domain/nft-events/nft-event.ts'
import type { ProductId } from '../../../lib/domain/product/product.ts'
import { addressOf, type memoryChain } from '../../../simulation/memory-chain.ts'
import { alice, bob } from './followed.ts'

/** A part of the NFTs of a contract. */
interface Part {
  address: Address
  ranges?: TokenRange[]
  tokenIds?: readonly string[]
}

type MemoryChain = ReturnType<typeof memoryChain>

export const chain = 'POLYGON'

const addresses = [0xc1, 0xc2, 0xc3].map(addressOf) as [Address, Address, Address]
const [one, two, three] = addresses
const everything = [{ first: 0n, last: 2n ** 256n - 1n }]

/** Three products: on all of two contracts, on parts of them, and on a part of a third. */
const products: Readonly<Record<string, readonly Part[]>> = {
  all: [
    { address: one, ranges: everything },
    { address: two, ranges: everything },
  ],
  part: [
    { address: one, tokenIds: ['1', '3', '250', '400'] },
    { address: two, ranges: [{ first: 100n, last: 299n }], tokenIds: ['7'] },
  ],
  other: [{ address: three, ranges: [{ first: 0n, last: 49n }] }],
}

export const productIds = Object.keys(products) as ProductId[]

/** Random numbers below a bound, always the same ones. */
export function sameRandom(): (bound: number) => number {
  let state = 20_251_127
  return (bound) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * bound)
  }
}

/** Allowlists the NFTs of the products. */
export async function allowlistAll(table: Table): Promise<void> {
  const contracts = dynamoContracts(table)
  for (const [name, parts] of Object.entries(products)) {
    for (const { address, ranges = [], tokenIds = [] } of parts) {
      const connected = await contracts.connect(name as ProductId, { chain, address }, ranges)
      const ids = tokenIds as TokenId[]
      if (connected) await dynamoAllowedTokenIds(table).add(connected.bindingId, ids)
    }
  }
}

/** What moves NFTs of the contracts, up to nine at once. */
export function movements(events: MemoryChain, next: (bound: number) => number) {
  let emitted = 0
  const emit = (address: Address) => {
    const tokens = Array.from({ length: 1 + next(9) }, () => ({
      tokenId: tokenIdOf(BigInt(next(500))),
      amount: '1',
    }))
    emitted += tokens.length
    const content = { kind: 'transfer', from: alice, to: bob, tokens } as const
    const details = { transactionHash: `0x${emitted}`, content }
    events.emit({ contract: address, details })
  }
  return {
    emitted: () => emitted,
    /** Moves NFTs of any of the contracts. */
    move: () => emit(addresses[next(3)] as Address),
    /** Replaces blocks whose events come again in other blocks. */
    replace() {
      const before = events.logs
      events.replace(1 + next(8))
      for (const replaced of before.filter((each) => !events.logs.includes(each))) {
        emit(replaced.contract)
      }
    },
  }
}

const isAllowed = (parts: readonly Part[], address: Address, tokenId: string) =>
  parts.some(
    (part) =>
      part.address === address &&
      (rangeWith(part.ranges ?? [], BigInt(tokenId)) !== undefined ||
        part.tokenIds?.includes(tokenId)),
  )

/** The transfers on the chain that a product must be told, as texts and in their order. */
export const happenedTo = (productId: ProductId, events: MemoryChain): string[] =>
  events.logs
    .toSorted((a, b) => a.block.number - b.block.number || a.index - b.index)
    .flatMap(({ contract: address, block, index, details }) =>
      details.content?.kind === 'transfer'
        ? details.content.tokens
            .map(({ tokenId }, place) => ({
              tokenId,
              text: `${address} ${block.number} ${block.hash} ${index} ${place} ${tokenId}`,
            }))
            .filter(({ tokenId }) => isAllowed(products[productId] ?? [], address, tokenId))
            .map(({ text }) => text)
        : [],
    )

/** The transfers among events, as the same texts. */
export const transfersIn = (events: readonly NftEvent[]): string[] =>
  events.flatMap(({ contract, block, logIndex, place, content }) =>
    content.kind === 'transfer'
      ? [`${contract} ${block.number} ${block.hash} ${logIndex} ${place} ${content.tokenId}`]
      : [],
  )
