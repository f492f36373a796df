import { describe, expect, test } from 'vitest'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { type KeptContract, newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { RefreshedMetadataPorts } from '../../../lib/domain/refresh/keep-refreshed.ts'
import { refreshProductContract } from '../../../lib/domain/refresh/refresh.ts'
import { processWorkItem } from '../../../lib/domain/work/process-work-item.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import {
  emptyMetadataTable,
  memoryTokenMetadata,
  metadataAt,
} from '../../../simulation/memory-metadata.ts'
import { memoryPorts } from '../../support/memory/memory-ports.ts'
import { actor, nft } from '../../support/memory/owned-nfts.ts'
import { countsOf, refreshable } from '../../support/memory/refreshing.ts'

const unavailable = async () => {
  throw new ServiceUnavailable('test')
}

/** Refreshes 250 NFTs of a contract, 50 of them in the background, beside the ports of what is kept. */
async function refreshed(
  contract: KeptContract | undefined,
  changes: Partial<RefreshedMetadataPorts> = {},
) {
  const [memory, kept] = [refreshable(250), emptyMetadataTable()]
  let reads = 0
  const refreshedMetadata: RefreshedMetadataPorts = {
    keptChains: ['POLYGON'],
    keptContracts: {
      contract: async () => {
        reads += 1
        return contract
      },
    },
    tokenMetadata: memoryTokenMetadata(kept),
    ...changes,
  }
  const ports = { ...memoryPorts(memory), refreshedMetadata }
  const until = Date.now() + 25_000
  await refreshProductContract(actor, { address: addressOf(1) }, until, ports)
  const inRequest = kept.items.size
  for (const item of memory.queue.splice(0) as ProductWork[])
    await processWorkItem(item, until, ports)
  const [state] = memory.refreshes.values()
  return { kept: kept.items, inRequest, reads, state }
}

const contract = newKeptContract(addressOf(1))

describe('4.7 Refresh metadata of a kept contract', () => {
  test('D31: the request and the background write what they have read, with one read of the contract for each batch', async () => {
    const begunAt = Date.now()
    const { kept, inRequest, reads } = await refreshed(contract)
    const failed = (count: number) => countsOf(count).failed
    expect([inRequest, kept.size]).toEqual([200 - failed(200), 250 - failed(250)])
    expect(reads).toBe(3)
    const item = kept.get(metadataAt(nft(10)))
    expect(item).toEqual({
      ...nft(10),
      ...{ metadataLink: '', metadata: { text: '{"level":2}' } },
      ...{ readAt: expect.any(Number), retries: 0, changedAt: undefined },
    })
    expect(item?.readAt).toBeGreaterThanOrEqual(begunAt)
    expect(item?.readAt).toBeLessThanOrEqual(Date.now())
  })

  test('D31: the latest known change of a token is written with its metadata', async () => {
    const changed = [
      { fromTokenId: nft(2).tokenId, toTokenId: nft(10).tokenId, at: 20 },
      { fromTokenId: nft(10).tokenId, toTokenId: nft(11).tokenId, at: 10 },
    ]
    const { kept } = await refreshed({ ...contract, changed })
    const changes = [1, 2, 10, 11, 12].map((id) => kept.get(metadataAt(nft(id)))?.changedAt)
    expect(changes).toEqual([undefined, 20, 20, 10, undefined])
  })

  test.each<[string, Parameters<typeof refreshed>]>([
    ['of a contract that is not kept', [undefined]],
    ['of a contract that was let go', [{ ...contract, ended: { reason: 'letGo', at: 1 } }]],
    ['on a chain that is not followed', [contract, { keptChains: ['BSC'] }]],
    ['if the contract cannot be read', [contract, { keptContracts: { contract: unavailable } }]],
    ['if it cannot be written', [contract, { tokenMetadata: { put: unavailable } }]],
  ])('D31: writes nothing %s, and is not less complete', async (_, [of, changes]) => {
    const { kept, state } = await refreshed(of, changes)
    expect(kept.size).toBe(0)
    expect(state).toMatchObject({ ...countsOf(250), pending: 0 })
  })
})
