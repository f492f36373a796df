import { describe, expect, test } from 'vitest'
import { IndexerUnavailable } from '../../../lib/domain/failures.ts'
import { askDueMetadata, dueNoteOf } from '../../../lib/domain/metadata/due-metadata.ts'
import type { Nft } from '../../../lib/domain/nft/nft.ts'
import type { Metadata } from '../../../lib/domain/nft/owned-nft.ts'
import type { CallBudget } from '../../../lib/domain/ports/contract-use.ts'
import type { DueNote, KeptMetadata } from '../../../lib/domain/ports/token-metadata.ts'
import {
  emptyMetadataTable,
  memoryTokenMetadata,
  metadataAt,
  metadataIndexer,
} from '../../../simulation/memory-metadata.ts'
import { nft } from '../../support/memory/owned-nfts.ts'

const now = 1_800_000_000_000
const minute = 60_000
const hour = 60 * minute
const fault: Metadata = { text: '{}', fault: 'not_available' }
const good: Metadata = { text: '{"name":"x"}' }

describe('what a read shows is due', () => {
  const week = 7 * 86_400
  const kept = { metadata: good, readAt: now - hour, retries: 0 }
  const note = { ...nft(1), notedAt: now, readAt: now - hour, askFrom: now }
  const noteOf = (shown: Partial<KeptMetadata>, changedAt?: number) =>
    dueNoteOf(nft(1), { ...kept, ...shown }, changedAt, { now, metadataSeconds: week })

  test('if it is older than the seconds', () => {
    expect(noteOf({ readAt: now - week * 1_000 })).toBeUndefined()
    const readAt = now - week * 1_000 - 1
    expect(noteOf({ readAt })).toEqual({ ...note, readAt, retries: 0 })
    // One that has a fault for longer does not begin its retries again.
    expect(noteOf({ readAt, metadata: fault, retries: 3 })).toMatchObject({ retries: 4 })
  })

  test('if it was read before the latest change', () => {
    const changedAt = now - hour + 1
    expect(noteOf({}, changedAt)).toEqual({ ...note, retries: 0, changedAt })
    expect(noteOf({ metadata: fault, retries: 3 }, changedAt)).toMatchObject({ retries: 0 })
  })

  test('if it was read within five minutes after it', () => {
    const changedAt = now - hour - 5 * minute
    expect(noteOf({}, changedAt)).toBeUndefined()
    expect(noteOf({}, changedAt + 1)).toEqual({ ...note, retries: 1, changedAt: changedAt + 1 })
    expect(noteOf({}, now - hour)).toMatchObject({ retries: 1 })
  })

  test('if it has a fault, three times', () => {
    const retriesOf = (retries: number, changedAt?: number, known?: number) =>
      noteOf({ metadata: fault, retries, changedAt: known }, changedAt)?.retries
    expect([0, 1, 2, 3].map((retries) => retriesOf(retries))).toEqual([1, 2, 3, undefined])
    // The retries begin again with a change that was not known when the token was asked for.
    const change = now - 10 * hour
    expect(retriesOf(3, change, change)).toBeUndefined()
    expect(retriesOf(3, change, change - 1)).toBe(1)
    expect(retriesOf(3, change)).toBe(1)
  })

  test('and is asked for a quarter of an hour after it was read', () => {
    const readAt = now - minute
    expect(noteOf({ metadata: fault, readAt })).toMatchObject({ askFrom: readAt + 15 * minute })
    expect(noteOf({ readAt }, now)).toMatchObject({ askFrom: readAt + 15 * minute })
  })

  test('and otherwise is not', () => {
    expect(noteOf({})).toBeUndefined()
    expect(noteOf({}, now - 2 * hour)).toBeUndefined()
  })
})

/** A worker with an empty table. `describe`: what the indexer gives of an NFT; `endAt`: the port call at which the process ends. */
function worker(describe: (of: Nft) => Metadata = () => good) {
  const table = emptyMetadataTable()
  const indexer = metadataIndexer(describe)
  const state = { now, endAt: '', mayNotAsk: '' }
  const tokenMetadata = memoryTokenMetadata(table, async (call) => {
    if (call === state.endAt) throw new Error('ended by the test')
  })
  const callBudget: CallBudget = {
    spend: async ({ address }, work) => (address === state.mayNotAsk ? 'later' : await work()),
  }
  const ports = { tokenMetadata, indexer, callBudget, now: () => state.now }
  return {
    ...{ table, indexer, state },
    ask: (seconds = 60) => askDueMetadata('POLYGON', ports, state.now + seconds * 1_000),
    note(of: Nft, note: Partial<DueNote> = {}) {
      const at = now - 5 * minute
      const ofIt = { notedAt: at, readAt: at - hour, askFrom: at, retries: 1 }
      table.notes.set(metadataAt(of), { ...of, ...ofIt, ...note })
    },
    keep(of: Nft, readAt: number) {
      const kept = { metadataLink: '', metadata: fault, retries: 0 }
      table.items.set(metadataAt(of), { ...of, ...kept, readAt })
    },
  }
}

const idsOf = ({ calls }: ReturnType<typeof metadataIndexer>) =>
  calls.map(({ contract: { address }, tokenIds }) => [address.at(-1), tokenIds.length])

describe('the background', () => {
  test('asks for what is noted, 100 tokens of a contract in a call, keeps it and deletes the notes', async () => {
    const { table, indexer, note, ask } = worker()
    for (let id = 0; id < 250; id += 1) note(nft(id))
    note(nft(5, 2), { retries: 2, changedAt: now - hour })
    note(nft(5, 3, 'BSC'))
    expect(await ask()).toBe(false)
    expect(idsOf(indexer)).toEqual([
      ['1', 100],
      ['1', 100],
      ['1', 50],
      ['2', 1],
    ])
    expect(indexer.calls[0]).toMatchObject({ fromSource: false, deadline: now + 60_000 })
    expect([...table.notes.keys()]).toEqual([metadataAt(nft(5, 3, 'BSC'))])
    expect(table.items.size).toBe(251)
    const kept = { metadata: good, readAt: now, retries: 2, changedAt: now - hour }
    expect(table.items.get(metadataAt(nft(5, 2)))).toMatchObject(kept)
    expect(await ask()).toBe(false)
    expect(indexer.calls).toHaveLength(4)
  })

  test('collects tokens for five minutes, or until there are 100', async () => {
    const { state, indexer, note, ask } = worker()
    for (let id = 0; id < 130; id += 1) note(nft(id), { askFrom: now })
    note(nft(1, 2), { askFrom: now })
    note(nft(2, 2), { askFrom: now + 1 })
    await ask()
    expect(idsOf(indexer)).toEqual([['1', 100]])
    state.now += 5 * minute - 1
    await ask()
    expect(indexer.calls).toHaveLength(1)
    state.now += 1
    await ask()
    expect(idsOf(indexer).slice(1)).toEqual([
      ['1', 30],
      ['2', 2],
    ])
  })

  test('drops a note that is older than the metadata of its token, without a call', async () => {
    const { table, indexer, note, keep, ask } = worker()
    note(nft(1))
    keep(nft(1), now - 5 * minute + 1)
    await ask()
    expect(indexer.calls).toEqual([])
    expect(table.notes.size).toBe(0)
    expect(table.items.get(metadataAt(nft(1)))).toMatchObject({ metadata: fault })
  })

  test('asks for a token whose metadata is as old as its note', async () => {
    const { table, indexer, note, keep, ask } = worker()
    const at = now - 15 * minute
    note(nft(1), { notedAt: at, readAt: at })
    keep(nft(1), at)
    await ask()
    expect(indexer.calls).toHaveLength(1)
    expect(table.notes.size).toBe(0)
  })

  test('asks once if two processes do so at a time', async () => {
    const { table, indexer, note, ask } = worker()
    for (let id = 0; id < 150; id += 1) note(nft(id))
    await Promise.all([ask(), ask()])
    expect(indexer.calls.flatMap(({ tokenIds }) => tokenIds)).toHaveLength(150)
    expect([table.items.size, table.notes.size]).toEqual([150, 0])
  })

  test('asks for no token that was read within 15 minutes', async () => {
    const { state, table, indexer, note, keep, ask } = worker()
    note(nft(1))
    note(nft(2))
    keep(nft(1), now - 15 * minute + 1)
    keep(nft(2), now - 15 * minute)
    await ask()
    expect(indexer.calls.flatMap(({ tokenIds }) => tokenIds)).toEqual(['2'])
    expect(table.notes.size).toBe(1)
    state.now += 1
    await ask()
    expect(indexer.calls).toHaveLength(2)
    expect(table.notes.size).toBe(0)
  })

  test('begins no call in the last eight seconds, and says that more is left', async () => {
    const { state, indexer, note, ask } = worker(() => {
      state.now += minute
      return good
    })
    for (const contract of [1, 2]) note(nft(1, contract))
    expect(await ask(7)).toBe(true)
    expect(indexer.calls).toHaveLength(0)
    expect(await ask(8)).toBe(true)
    expect(indexer.calls).toHaveLength(1)
    expect(await ask(8)).toBe(false)
    expect(indexer.calls).toHaveLength(2)
  })

  test('does not ask for a contract whose product has too little left of its limits', async () => {
    const { state, table, indexer, note, ask } = worker()
    for (const contract of [1, 2]) note(nft(1, contract))
    state.mayNotAsk = nft(1, 1).address
    expect(await ask()).toBe(false)
    expect(idsOf(indexer)).toEqual([['2', 1]])
    state.mayNotAsk = ''
    await ask()
    expect(indexer.calls).toHaveLength(2)
    expect(table.notes.size).toBe(0)
  })

  test('asks for two contracts if the indexer is down, and again after 15 minutes', async () => {
    let isDown = true
    const { state, indexer, note, ask } = worker(() => {
      if (isDown) throw new IndexerUnavailable('down')
      return good
    })
    for (const contract of [1, 2, 3]) note(nft(1, contract))
    await expect(ask()).rejects.toThrow(IndexerUnavailable)
    isDown = false
    await ask()
    expect(idsOf(indexer).map(([contract]) => contract)).toEqual(['1', '2', '3'])
    state.now += 60_000 + 20 * minute - 1
    await ask()
    expect(indexer.calls).toHaveLength(3)
    state.now += 1
    await ask()
    expect(indexer.calls).toHaveLength(5)
  })

  test('goes on with other contracts if one alone cannot be read', async () => {
    const first = nft(1, 1).address
    const { table, note, ask } = worker(({ address }) => {
      if (address === first) throw new IndexerUnavailable('malformed answer')
      return good
    })
    for (let number = 0; number <= 150; number += 1) note(nft(number || 1, number ? 1 : 2))
    await expect(ask()).rejects.toThrow(IndexerUnavailable)
    expect([...table.notes.values()].map(({ address }) => address)).toEqual(Array(150).fill(first))
  })

  test.each([
    ...[['readTimes', 0] as const, ['postponeDue', 0] as const],
    ...[['put', 1] as const, ['settleDue', 1] as const],
  ])('loses nothing if it ends at %s, and asks once in 15 minutes', async (endAt, calls) => {
    const { state, table, indexer, note, ask } = worker()
    note(nft(1))
    state.endAt = endAt
    await expect(ask()).rejects.toThrow('ended')
    expect(table.notes.size).toBe(1)
    expect(indexer.calls).toHaveLength(calls)
    state.endAt = ''
    await ask()
    expect(indexer.calls).toHaveLength(1)
    state.now += 22 * minute
    await ask()
    expect(table.notes.size).toBe(0)
    expect(table.items.get(metadataAt(nft(1)))).toMatchObject({ metadata: good })
    expect(indexer.calls).toHaveLength(endAt === 'put' ? 2 : 1)
  })
})
