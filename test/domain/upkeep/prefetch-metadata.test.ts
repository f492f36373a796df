import { describe, expect, test } from 'vitest'
import { everyTokenId } from '../../../lib/domain/allowlist/token-ranges.ts'
import type { UpkeepWork } from '../../../lib/domain/work/work-item.ts'
import { allow, connect, nft } from '../../support/memory/owned-nfts.ts'
import { contract, upkeepWorld } from './upkeep-world.ts'

describe('D155: metadata is kept before it is shown', () => {
  const prefetch: UpkeepWork = { kind: 'prefetch', contract, looked: 0 }
  const good = { text: '{"name":"x"}' }

  function allowlisted(count: number) {
    const world = upkeepWorld()
    world.beginLog()
    world.state.use = world.read()
    connect(world.memory, [contract])
    for (let id = 1; id <= count; id += 1) {
      world.memory.current.set(nft(id).tokenId, good)
      world.memory.cached.set(nft(id).tokenId, good)
    }
    return world
  }

  test('of single identifiers that the product allowlists, as far as nobody has it', async () => {
    const { memory, metadata, process, ports, state } = allowlisted(300)
    allow(
      memory,
      Array.from({ length: 250 }, (_, index) => nft(index + 1)),
    )
    const had = { ...nft(7), metadataLink: '', metadata: { text: '{}' }, readAt: 5, retries: 0 }
    await ports.tokenMetadata.put([had])
    expect(await process(prefetch)).toEqual({ outcome: 'done' })
    expect(metadata.items.size).toBe(250)
    expect([...metadata.items.values()].filter(({ readAt }) => readAt === 5)).toEqual([had])
    expect([...metadata.items.values()][1]).toMatchObject({ readAt: state.now, metadata: good })
    expect(state.spent).toHaveLength(3)
  })

  test('of ranges, in pages, and of at most 1,000,000 NFTs', async () => {
    const { memory, metadata, process, state } = allowlisted(250)
    const [at, connected] = [...memory.contracts][0] ?? []
    if (at && connected) memory.contracts.set(at, { ...connected, ranges: [everyTokenId] })
    expect(await process({ ...prefetch, looked: 999_800 })).toEqual({ outcome: 'done' })
    expect(metadata.items.size).toBe(200)
    state.spent = []
    expect(await process(prefetch)).toEqual({ outcome: 'done' })
    expect(metadata.items.size).toBe(250)
  })

  test('goes on later, and not after the snapshot', async () => {
    const { memory, process, state, queue, write, kept } = allowlisted(250)
    allow(
      memory,
      Array.from({ length: 250 }, (_, index) => nft(index + 1)),
    )
    state.hasLeft = false
    expect(await process(prefetch)).toEqual({ outcome: 'later' })
    expect(queue).toEqual([{ item: prefetch, delaySeconds: 600 }])
    state.hasLeft = true
    write({ log: undefined })
    expect(await process(prefetch)).toEqual({ outcome: 'nothing' })
    kept.contracts.clear()
    expect(await process(prefetch)).toEqual({ outcome: 'nothing' })
  })
})
