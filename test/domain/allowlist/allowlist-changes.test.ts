import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxContractsPerProduct } from '../../../lib/domain/allowlist/allowlist-limits.ts'
import { allowlist } from '../../../lib/domain/allowlist/allowlist-nfts.ts'
import { listAllowedNfts } from '../../../lib/domain/allowlist/list-allowed-nfts.ts'
import type { AllowlistEntry } from '../../../lib/domain/allowlist/token-element.ts'
import { disconnectContract } from '../../../lib/domain/allowlist/unbind-contract.ts'
import { removeAllowedNfts } from '../../../lib/domain/allowlist/unbind-nfts.ts'
import {
  ContractNotConnected,
  InvalidInput,
  ServiceUnavailable,
} from '../../../lib/domain/failures.ts'
import { compareNfts, type Nft } from '../../../lib/domain/nft/nft.ts'
import { processWorkItem } from '../../../lib/domain/work/process-work-item.ts'
import {
  emptyMemory,
  type Memory,
  memoryPorts,
  type Tap,
} from '../../support/memory/memory-ports.ts'
import {
  actor,
  addressOf,
  allow,
  connect,
  nft,
  productId,
} from '../../support/memory/owned-nfts.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

const contract = { chain: 'POLYGON', address: addressOf(1) } as const
const tokenIds = (...numbers: number[]) => numbers.map((number) => nft(number).tokenId)

const put = (memory: Memory, numbers: number[], tap?: Tap) =>
  allowlist(
    actor,
    { contract, description: 'kites', elements: tokenIds(...numbers) },
    memoryPorts(memory, tap),
  )

const unbind = (memory: Memory, tap?: Tap, deadline = Number.POSITIVE_INFINITY) =>
  disconnectContract(actor, contract, deadline, memoryPorts(memory, tap))

/** The token identifiers on the product's allowlist, as numbers. */
async function listed(memory: Memory): Promise<number[]> {
  const { entries } = await listAllowedNfts(productId, {}, memoryPorts(memory))
  return entries.map(({ tokenId }) => Number(tokenId))
}

/** Every sweep message delivered, after all requests have ended. */
async function sweepAll(memory: Memory): Promise<void> {
  for (const item of memory.queue.splice(0)) await processWorkItem(item, 0, memoryPorts(memory))
}

describe('4.3 Allowlist contract and NFTs', () => {
  test('D17: returns the requested NFTs, adds them to the list and replaces the description', async () => {
    const memory = emptyMemory()
    expect(await put(memory, [5, 1])).toEqual([nft(5), nft(1)])
    expect(await put(memory, [1, 9])).toEqual([nft(1), nft(9)])
    expect(await listed(memory)).toEqual([1, 5, 9])
    expect([...memory.descriptions.values()]).toEqual(['kites'])
  })

  test('D16: the 500th contract is accepted and the next is refused; connected contracts still accept NFTs', async () => {
    const memory = emptyMemory()
    const many = Array.from({ length: maxContractsPerProduct - 1 }, (_, index) => nft(0, index + 2))
    connect(memory, many)
    await put(memory, [1])
    memory.contracts.delete(`${productId} POLYGON ${addressOf(1)}`)
    connect(memory, [nft(0, 1000)])
    await expect(put(memory, [1])).rejects.toThrow(InvalidInput)
    memory.contracts.delete(`${productId} POLYGON ${addressOf(1000)}`)
    connect(memory, [nft(0, 1)])
    expect(await put(memory, [1])).toEqual([nft(1)])
  })
})

describe('4.5 Unbind smart contract', () => {
  test('D19: the contract and all its NFTs are gone, and their items are swept', async () => {
    const memory = emptyMemory()
    await put(memory, [1, 2])
    await unbind(memory)
    expect(await listed(memory)).toEqual([])
    await sweepAll(memory)
    expect(memory.allowed.size).toBe(0)
    await expect(unbind(memory)).rejects.toThrow(ContractNotConnected)
  })
})

describe('4.5 Unbind smart contract after the deadline', () => {
  test('D19: a request that has failed takes no effect afterwards', async () => {
    const memory = emptyMemory()
    await put(memory, [1])
    await expect(unbind(memory, undefined, 0)).rejects.toBeInstanceOf(ServiceUnavailable)
    expect(await listed(memory)).toEqual([1])
  })
})

describe('4.6 Unbind allowed NFTs', () => {
  test('D20: removes the listed NFTs, returns their number, and leaves the contract connected', async () => {
    const memory = emptyMemory()
    await put(memory, [1, 2, 3])
    const remove = (...numbers: number[]) =>
      removeAllowedNfts(actor, contract, tokenIds(...numbers), memoryPorts(memory))
    expect(await remove(2, 3, 4)).toEqual({ removed: 2, ranges: [] })
    expect(await remove(2, 3, 4)).toEqual({ removed: 0, ranges: [] })
    expect(await listed(memory)).toEqual([1])
    expect(await remove(1)).toEqual({ removed: 1, ranges: [] })
    expect(memory.contracts.size).toBe(1)
  })
})

describe('4.4 Get allowed NFTs', () => {
  const listing = fc.record({
    nfts: fc.uniqueArray(
      fc
        .tuple(
          fc.nat(200),
          fc.integer({ min: 1, max: 12 }),
          fc.constantFrom('BSC', 'BSC_TESTNET', 'MUMBAI'),
        )
        .map(([tokenId, number, chain]) => nft(tokenId, number, chain)),
      { maxLength: 80, size: 'max', comparator: (a, b) => compareNfts(a, b) === 0 },
    ),
    limit: fc.integer({ min: 1, max: 30 }),
  })

  test('D18: the pages are the whole list in its order, for every limit', async () => {
    await checkAsync(
      fc.asyncProperty(listing, async ({ nfts, limit }) => {
        const memory = emptyMemory()
        connect(memory, nfts)
        // Contracts without an NFT do not appear.
        connect(memory, [nft(0, 0, 'AMOY'), nft(0, 13, 'BSC'), nft(0, 99, 'POLYGON')])
        allow(memory, nfts)
        const read: Nft[] = []
        for (;;) {
          const page = await listAllowedNfts(
            productId,
            { after: read.at(-1), limit },
            memoryPorts(memory),
          )
          read.push(...(page.entries as (AllowlistEntry & Nft)[]))
          expect(page.entries.length).toBe(
            Math.min(limit, nfts.length - read.length + page.entries.length),
          )
          expect(page.next).toEqual(read.length < nfts.length ? read.at(-1) : undefined)
          if (!page.next) break
        }
        expect(read).toEqual(nfts.toSorted(compareNfts))
      }),
    )
  })

  test('D18: a cursor continues after an NFT or a contract that was removed', async () => {
    const memory = emptyMemory()
    connect(memory, [nft(0, 1), nft(0, 3)])
    allow(memory, [nft(1, 1), nft(9, 1), nft(5, 3)])
    const behind = async (gone: Nft) => {
      const { entries } = await listAllowedNfts(productId, { after: gone }, memoryPorts(memory))
      return entries
    }
    expect(await behind(nft(4, 1))).toEqual([nft(9, 1), nft(5, 3)])
    expect(await behind(nft(4, 2))).toEqual([nft(5, 3)])
    expect(await behind(nft(0, 1, 'BSC'))).toHaveLength(3)
    expect(await behind(nft(5, 3))).toEqual([])
  })
})
