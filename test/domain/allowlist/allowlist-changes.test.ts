import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allowlist } from '../../../lib/domain/allowlist/allowlist-nfts.ts'
import { listAllowedNfts } from '../../../lib/domain/allowlist/list-allowed-nfts.ts'
import type { AllowlistEntry } from '../../../lib/domain/allowlist/token-element.ts'
import { disconnectContract } from '../../../lib/domain/allowlist/unbind-contract.ts'
import { InvalidInput, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { compareNfts, type Nft } from '../../../lib/domain/nft/nft.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { emptyMemory, type Memory, memoryPorts } from '../../support/memory/memory-ports.ts'
import { actor, allow, connect, nft, productId } from '../../support/memory/owned-nfts.ts'
import { checkAsync } from '../../support/vitest/seeded.ts'

const contract = { chain: 'POLYGON', address: addressOf(1) } as const

/** Allowlists the NFT 1 of the contract. */
const put = (memory: Memory) =>
  allowlist(
    actor,
    { contract, description: 'kites', elements: [nft(1).tokenId] },
    memoryPorts(memory),
  )

describe('4.3, 4.5: what the model of the allowlist does not reach', () => {
  test('D16: the 500th contract is accepted and the next is refused; connected contracts still accept NFTs', async () => {
    const memory = emptyMemory()
    const many = Array.from({ length: 499 }, (_, index) => nft(0, index + 2))
    connect(memory, many)
    await put(memory)
    memory.contracts.delete(`${productId} POLYGON ${addressOf(1)}`)
    connect(memory, [nft(0, 1000)])
    await expect(put(memory)).rejects.toThrow(InvalidInput)
    memory.contracts.delete(`${productId} POLYGON ${addressOf(1000)}`)
    connect(memory, [nft(0, 1)])
    expect(await put(memory)).toEqual([nft(1)])
  })

  test('D19: unbinding a contract after the deadline fails, and takes no effect afterwards', async () => {
    const memory = emptyMemory()
    await put(memory)
    const unbinding = disconnectContract(actor, contract, 0, memoryPorts(memory))
    await expect(unbinding).rejects.toBeInstanceOf(ServiceUnavailable)
    expect(await listAllowedNfts(productId, {}, memoryPorts(memory))).toEqual({ entries: [nft(1)] })
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
