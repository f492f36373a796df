import { describe, expect, test } from 'vitest'
import { allowlist } from '../../../lib/domain/allowlist/allowlist-nfts.ts'
import { disconnectContract } from '../../../lib/domain/allowlist/unbind-contract.ts'
import {
  removeAllowedNftList,
  removeAllowedNfts,
} from '../../../lib/domain/allowlist/unbind-nfts.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import type { ProductEvents } from '../../../lib/domain/ports/products.ts'
import { recordChange } from '../../../lib/domain/product/record-change.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { Killed } from '../../support/memory/interruptions.ts'
import { emptyMemory, type Memory } from '../../support/memory/memory.ts'
import { memoryPorts, type Tap } from '../../support/memory/memory-ports.ts'
import { actor, allowing, nft, productId } from '../../support/memory/owned-nfts.ts'
import { drain, refresh, refreshable } from '../../support/memory/refreshing.ts'

const contract = { chain: 'POLYGON', address: addressOf(1) } as const
const about = { chain: contract.chain, contractAddress: contract.address, keyId: actor.keyId }
const tokenIds = [nft(1).tokenId, nft(2).tokenId]

const connected = () => allowing([nft(1)])

/** A change, and the event that it leaves. */
interface Row {
  name: string
  start: () => Memory
  make: (memory: Memory, tap?: Tap) => Promise<unknown>
  event: object
  /** The port calls that change the product. */
  changes: readonly string[]
}

const description = 'Lanterns.'
const rows: Row[] = [
  {
    name: 'allowlisting NFTs of a new contract',
    start: emptyMemory,
    make: (memory, tap) =>
      allowlist(actor, { contract, description, elements: tokenIds }, memoryPorts(memory, tap)),
    event: { ...about, action: 'allowlistNfts', count: 2 },
    changes: ['contracts.connect', 'allowedTokenIds.add', 'contracts.describe'],
  },
  {
    name: 'allowlisting NFTs of a connected contract',
    start: connected,
    make: (memory, tap) =>
      allowlist(actor, { contract, description, elements: tokenIds }, memoryPorts(memory, tap)),
    event: { ...about, action: 'allowlistNfts', count: 2 },
    changes: ['allowedTokenIds.add', 'contracts.describe'],
  },
  {
    name: 'unbinding NFTs, with the number of removed NFTs',
    start: connected,
    make: (memory, tap) => removeAllowedNfts(actor, contract, tokenIds, memoryPorts(memory, tap)),
    event: { ...about, action: 'unbindNfts', count: 1 },
    changes: ['allowedTokenIds.remove'],
  },
  {
    name: 'unbinding a list of NFTs, with the number of removed NFTs',
    start: connected,
    make: (memory, tap) =>
      removeAllowedNftList(actor, contract, tokenIds, memoryPorts(memory, tap)),
    event: { ...about, action: 'unbindNfts', count: 1 },
    changes: ['allowedTokenIds.removeInBatches'],
  },
  {
    name: 'unbinding a contract',
    start: connected,
    make: (memory, tap) =>
      disconnectContract(actor, contract, Number.POSITIVE_INFINITY, memoryPorts(memory, tap)),
    event: { ...about, action: 'unbindContract' },
    changes: ['contracts.disconnect'],
  },
  {
    name: 'a refresh, with the number of checked NFTs',
    start: () => refreshable(30),
    make: (memory, tap) => refresh(memory, tap && { tap }),
    event: { ...about, action: 'refreshMetadata', count: 30 },
    changes: ['indexer.metadata', 'refreshes.advance'],
  },
]

describe('D49: a change is recorded', () => {
  test.each(rows)('D49: $name', async ({ start, make, event }) => {
    const memory = start()
    await make(memory)
    expect(memory.events).toEqual([
      { ...event, outcome: 'done', eventId: 'event-1', at: expect.any(String) },
    ])
  })

  test.each(rows)('D49: $name: a change that fails', async ({ start, make, event, changes }) => {
    for (const failing of changes) {
      const memory = start()
      const tap: Tap = (call, when) => {
        if (call === failing && when === 'before') throw new ServiceUnavailable('test')
      }
      await expect(make(memory, tap)).rejects.toThrow(ServiceUnavailable)
      const { count: _, ...begun } = event as { count?: number }
      expect(memory.events).toMatchObject([{ ...begun, outcome: 'failed' }])
    }
  })

  test.each(rows)(
    'D49: $name: without an event, nothing changes',
    async ({ start, make, changes }) => {
      const begun: string[] = []
      const tap: Tap = (call, when) => {
        if (when === 'before') begun.push(call)
        if (call === 'events.begin') throw new ServiceUnavailable('test')
      }
      await expect(make(start(), tap)).rejects.toThrow(ServiceUnavailable)
      expect(begun.filter((call) => changes.includes(call))).toEqual([])
    },
  )
})

describe('D49: a request that is refused leaves no event', () => {
  test.each<[string, (memory: Memory) => Promise<unknown>]>([
    [
      'allowlisting without a description',
      (memory) => allowlist(actor, { contract, elements: tokenIds }, memoryPorts(memory)),
    ],
    [
      'unbinding NFTs of a contract that is not connected',
      (memory) => removeAllowedNfts(actor, contract, tokenIds, memoryPorts(memory)),
    ],
    [
      'unbinding a contract that is not connected',
      (memory) => disconnectContract(actor, contract, Date.now() + 9_000, memoryPorts(memory)),
    ],
    ['refreshing a contract that is not connected', (memory) => refresh(memory)],
  ])('D49: %s', async (_, make) => {
    const memory = emptyMemory()
    await expect(make(memory)).rejects.toThrow()
    expect(memory.events).toEqual([])
  })

  test('D31, D49: a second refresh within 15 minutes', async () => {
    const memory = refreshable(3)
    await refresh(memory)
    await refresh(memory)
    expect(memory.events).toHaveLength(1)
  })
})

test('D49: the background of a refresh settles the event of a request that died', async () => {
  const memory = refreshable(450)
  const dying = refresh(memory, {
    tap: (call) => {
      if (call === 'allowedTokenIds.count' || call === 'refreshes.abandon') throw new Killed()
      if (call === 'events.settle') throw new Killed()
    },
  })
  await expect(dying).rejects.toThrow(Killed)
  expect(memory.events[0]).not.toHaveProperty('outcome')
  await drain(memory)
  expect(memory.events).toMatchObject([{ outcome: 'done', count: 450 }])
})

describe('D49: a change and the work beside its event', () => {
  const failures = {
    begin: () => Promise.reject(new ServiceUnavailable('the event')),
    concurrent: () => Promise.reject(new ServiceUnavailable('the work')),
  }
  const event = { action: 'unbindContract', keyId: null } as const
  const eventsOf = (memory: Memory, changes: Partial<ProductEvents> = {}): ProductEvents => ({
    ...memoryPorts(memory).events,
    ...changes,
  })

  test('D49: if both fail, the failure is that of the event', async () => {
    const { begin, concurrent } = failures
    const make = () => Promise.reject(new Error('made'))
    const events = eventsOf(emptyMemory(), { begin })
    const changing = recordChange(productId, event, { concurrent, make }, events)
    await expect(changing).rejects.toMatchObject({ reason: 'the event' })
  })

  test('D49: if the work fails, the change is not made and the event is settled', async () => {
    const memory = emptyMemory()
    const make = () => Promise.reject(new Error('made'))
    const { concurrent } = failures
    const changing = recordChange(productId, event, { concurrent, make }, eventsOf(memory))
    await expect(changing).rejects.toMatchObject({ reason: 'the work' })
    expect(memory.events).toMatchObject([{ outcome: 'failed', keyId: null }])
  })

  test('D49: the event begins before the change and is settled after it, which does not fail if it cannot be', async () => {
    const memory = emptyMemory()
    const outcomes: unknown[] = []
    const settle = async () => {
      outcomes.push('settled')
      throw new ServiceUnavailable('test')
    }
    const make = async () => outcomes.push(...memory.events.map(({ outcome }) => outcome))
    expect(await recordChange(productId, event, { make }, eventsOf(memory, { settle }))).toBe(1)
    expect(outcomes).toEqual([undefined, 'settled'])
  })
})
