import { describe, expect, test } from 'vitest'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import type { UpkeepWork } from '../../../lib/domain/work/work-item.ts'
import { metadataAt } from '../../support/kept-model/memory-metadata.ts'
import { addressOf, nft } from '../../support/memory/owned-nfts.ts'
import { contract, kinds, minute, upkeepWorld } from './upkeep-world.ts'

describe('D153: upkeep', () => {
  test('sends what is due once, however often it runs, and again what was lost', async () => {
    const { upkeep, state } = upkeepWorld()
    expect(kinds(await upkeep())).toEqual(['snapshot', 'dueMetadata'])
    expect(await upkeep()).toEqual([])
    state.now += minute
    expect(kinds(await upkeep())).toEqual(['dueMetadata'])
    state.now += 9 * minute
    expect(kinds(await upkeep())).toEqual(['snapshot', 'dueMetadata'])
  })

  test('sends each item once if it runs twice at a time', async () => {
    const { upkeep, queue } = upkeepWorld()
    await Promise.all([upkeep(), upkeep()])
    expect(kinds(queue.map(({ item }) => item)).sort()).toEqual(['dueMetadata', 'snapshot'])
  })

  test('sends 20 items of a kind, and the others in its next run', async () => {
    const { upkeep, kept, state } = upkeepWorld()
    for (let number = 2; number <= 25; number += 1) {
      const address = addressOf(number)
      kept.contracts.set(address, { ...newKeptContract(address), version: 1 })
    }
    expect(kinds(await upkeep()).filter((kind) => kind === 'snapshot')).toHaveLength(20)
    state.now += minute
    expect(kinds(await upkeep()).filter((kind) => kind === 'snapshot')).toHaveLength(5)
  })

  test('asks for due metadata, which waits while the indexer is down', async () => {
    const { metadata, process, ports, state, read } = upkeepWorld()
    state.use = read()
    const notedAt = state.now - 10 * minute
    const note = { notedAt, readAt: 0, askFrom: notedAt, retries: 0 }
    metadata.notes.set(metadataAt(nft(1)), { ...nft(1), ...note })
    const { metadata: ask } = ports.indexer
    ports.indexer.metadata = () => Promise.reject(new IndexerUnavailable('down'))
    const item: UpkeepWork = { kind: 'dueMetadata', chain: 'POLYGON' }
    expect(await process(item)).toEqual({ outcome: 'unavailable', reason: 'down' })
    metadata.notes.set(metadataAt(nft(1)), { ...nft(1), ...note })
    ports.indexer.metadata = ask
    expect(await process(item)).toEqual({ outcome: 'done' })
    expect([metadata.items.size, metadata.notes.size]).toEqual([1, 0])
  })

  test('deletes lists that are not used any more', async () => {
    const { upkeep, process, state } = upkeepWorld()
    state.unused = ['3', '4']
    const [, deletion] = await upkeep()
    expect(deletion).toEqual({ kind: 'deleteLists', snapshot: { ...contract, id: '3' } })
    expect(await process(deletion as UpkeepWork)).toEqual({ outcome: 'done' })
    expect(state.deleted).toEqual(['3'])
  })
})
