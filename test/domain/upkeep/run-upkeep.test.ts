import { describe, expect, test } from 'vitest'
import { everyTokenId } from '../../../lib/domain/allowlist/token-ranges.ts'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { newKeptContract } from '../../../lib/domain/holdings/kept-contract.ts'
import { askForUpkeep } from '../../../lib/domain/keeping/ask-for-upkeep.ts'
import type { LookPlace } from '../../../lib/domain/ports/contract-care.ts'
import { nextLook } from '../../../lib/domain/upkeep/run-upkeep.ts'
import type { UpkeepWork } from '../../../lib/domain/work/work-item.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { metadataAt } from '../../../simulation/memory-metadata.ts'
import { allow, connect, nft, nfts } from '../../support/memory/owned-nfts.ts'
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
    const { upkeep, process, ports } = upkeepWorld()
    const { attempts, snapshotLists } = ports
    for (const id of ['3', '4']) {
      await attempts.beginLists({ ...contract, id })
      await snapshotLists.markUnused({ ...contract, id }, 0)
    }
    const [, deletion] = await upkeep()
    expect(deletion).toEqual({ kind: 'deleteLists', snapshot: { ...contract, id: '3' } })
    expect(await process(deletion as UpkeepWork)).toEqual({ outcome: 'done' })
    expect(await snapshotLists.all('POLYGON')).toMatchObject([{ id: '4' }])
  })
})

const start = 1_800_000_000_000

/** What is due in hours of upkeep every 20 seconds, of a chain with blocks of different times. */
function looksOf(hours: number) {
  let [place, number]: [LookPlace | undefined, number] = [undefined, 1_000]
  const looks: { from: number; to: number; at: number; age: number }[] = []
  const times = new Map<number, number>()
  for (let now = start; now < start + hours * 60 * minute; now += 20_000) {
    number += Math.floor(now / 20_000) % 7
    const at = times.get(number) ?? now
    times.set(number, at)
    const next = nextLook(place, { number, at }, now)
    if (!next) continue
    place = next.place
    if (next.due) looks.push({ ...next.due, at: now, age: now - (times.get(next.due.to) ?? now) })
  }
  return looks
}

test('D154: every ten minutes, blocks that ended at least five minutes ago are read again, each once', () => {
  const looks = looksOf(10)
  expect(looks.length).toBeGreaterThan(55)
  expect(looks[0]?.from).toBe(1_000 + 1 + (Math.floor(start / 20_000) % 7))
  for (const [index, { from, at, age }] of looks.entries()) {
    const before = looks[index - 1]
    expect(age).toBeGreaterThanOrEqual(5 * minute)
    if (!before) continue
    expect(from).toBe(before.to + 1)
    expect(at - before.at).toBeGreaterThan(9.5 * minute)
    expect(at - before.at).toBeLessThan(11 * minute)
  }
})

test('nothing is due of a chain that has no new blocks, or earlier ones', () => {
  const mark = { number: 7, at: start }
  const now = start + 5 * minute
  const next = nextLook({ upTo: 7, at: start, mark }, { number: 7, at: start }, now)
  expect(next).toEqual({ place: { upTo: 7, at: now } })
  const earlier = nextLook({ upTo: 9, at: start, mark }, { number: 9, at: start }, now)
  expect(earlier).toEqual({ place: { upTo: 9, at: now } })
})

describe('D155: metadata is kept before it is shown', () => {
  const prefetch: UpkeepWork = { kind: 'prefetch', contract, looked: 0 }
  const good = { text: '{"name":"x"}' }

  function allowlisted(count: number) {
    const world = upkeepWorld()
    world.beginLog()
    world.state.use = world.read()
    connect(world.memory, [contract])
    for (const { tokenId } of nfts(count)) {
      world.memory.current.set(tokenId, good)
      world.memory.cached.set(tokenId, good)
    }
    return world
  }

  test('of single identifiers that the product allowlists, as far as nobody has it', async () => {
    const { memory, metadata, process, ports, state } = allowlisted(300)
    allow(memory, nfts(250))
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
    allow(memory, nfts(250))
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

test('D153: the worker is asked at once, and every twenty seconds until the time is over', async () => {
  let time = 1_000
  const times: number[] = []
  const sleep = async (milliseconds: number) => {
    time += milliseconds
  }
  await askForUpkeep(() => times.push(time), { now: () => time, sleep }, 61_000)
  expect(times).toEqual([1_000, 21_000, 41_000])
})
