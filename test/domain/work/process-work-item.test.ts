import { describe, expect, test } from 'vitest'
import type { Contract } from '../../../lib/domain/nft/nft.ts'
import { processWorkItem } from '../../../lib/domain/work/process-work-item.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import type { Memory } from '../../support/memory/memory.ts'
import { memoryPorts, type Tap } from '../../support/memory/memory-ports.ts'
import { connect, nft, productId } from '../../support/memory/owned-nfts.ts'
import {
  countsOf,
  drain,
  later,
  refresh,
  refreshable,
  stateOf,
} from '../../support/memory/refreshing.ts'

const contractOf = (memory: Memory) => {
  const { chain, address, bindingId } = [...memory.contracts.values()][0] as Contract
  return { chain, address, bindingId }
}

/** A completed request for a refresh of 450 NFTs, and its message. */
async function handedOver() {
  const memory = refreshable(450)
  await refresh(memory)
  const [item] = memory.queue.splice(0)
  return { memory, item: item as ProductWork }
}

describe('D31: a refresh continues in the background', () => {
  test('D31, D49: it runs to the end, its counts and that of its event include all NFTs, and pending decreases with every 100', async () => {
    const { memory, item } = await handedOver()
    expect(memory.events).toMatchObject([{ outcome: 'done', count: 200 }])
    const pending: unknown[] = []
    const tap: Tap = (call, when) => {
      if (call === 'refreshes.advance' && when === 'after') pending.push(stateOf(memory)?.pending)
    }
    await processWorkItem(item, later(), memoryPorts(memory, tap))
    expect(pending).toEqual([150, 50, 0])
    expect(stateOf(memory)).toMatchObject({ ...countsOf(450), pending: 0 })
    expect(memory.events).toMatchObject([{ outcome: 'done', count: 450 }])
    expect(memory.queue).toEqual([])
  })

  test('a worker without time left sends the message again unchanged', async () => {
    const { memory, item } = await handedOver()
    await processWorkItem(item, Date.now() - 1, memoryPorts(memory))
    expect(memory.queue).toEqual([item])
    expect(stateOf(memory)).toMatchObject({ checked: 200, pending: 250 })
  })

  test('a message that is delivered twice, late or out of order changes nothing', async () => {
    const { memory, item } = await handedOver()
    await processWorkItem(item, later(), memoryPorts(memory))
    const done = stateOf(memory)
    await processWorkItem(item, later(), memoryPorts(memory))
    expect(stateOf(memory)).toEqual(done)
    memory.refreshes.clear()
    await refresh(memory)
    const [next] = memory.queue.splice(0)
    const begun = stateOf(memory)
    await processWorkItem(item, later(), memoryPorts(memory))
    expect(stateOf(memory)).toEqual(begun)
    await processWorkItem(next as ProductWork, later(), memoryPorts(memory))
    expect(stateOf(memory)).toMatchObject({ checked: 450, pending: 0 })
  })

  test('D45: the refresh of a product that has ended is not continued', async () => {
    for (const ended of [undefined, { endedAt: new Date().toISOString() }]) {
      const { memory, item } = await handedOver()
      const [before, events] = [stateOf(memory), structuredClone(memory.events)]
      memory.product &&= ended && { ...memory.product, ...ended }
      await processWorkItem(item, later(), memoryPorts(memory))
      expect([stateOf(memory), memory.events]).toEqual([before, events])
      expect(memory.queue).toEqual([])
    }
  })

  test('D45: a refresh fails as soon as its product is stopped, and the next one counts the rest', async () => {
    const { memory, item } = await handedOver()
    const stop = () => {
      memory.product &&= { ...memory.product, stoppedAt: new Date().toISOString() }
    }
    const tap: Tap = (call, when) => {
      if (call === 'refreshes.advance' && when === 'after') stop()
    }
    await processWorkItem(item, later(), memoryPorts(memory, tap))
    expect(stateOf(memory)).toMatchObject({ checked: 300, isAbandoned: true })
    expect(memory.events).toMatchObject([{ outcome: 'failed', count: 300 }])
    expect(memory.queue).toEqual([])
    delete memory.product?.stoppedAt
    await refresh(memory)
    await drain(memory)
    expect(stateOf(memory)).toMatchObject({ checked: 450, pending: 0 })
  })
})

describe('D19: the sweep', () => {
  const sweepOf = (memory: Memory): ProductWork => ({
    kind: 'sweep',
    productId,
    contract: contractOf(memory),
  })

  test('D19: does nothing while the contract has this connection', async () => {
    const memory = refreshable(30)
    await processWorkItem(sweepOf(memory), later(), memoryPorts(memory))
    expect([...memory.allowed.values()][0]?.size).toBe(30)
  })

  test('D19: does not touch a newer connection of the same contract', async () => {
    const memory = refreshable(30)
    const item = sweepOf(memory)
    memory.contracts.clear()
    connect(memory, [nft(0)])
    const [contract] = memory.contracts.values()
    Object.assign(contract as Contract, { bindingId: 'newer' })
    memory.allowed.set('newer' as Contract['bindingId'], new Set([nft(1).tokenId]))
    await processWorkItem(item, later(), memoryPorts(memory))
    expect([...memory.allowed.keys()]).toEqual(['newer'])
  })

  test('D19: a sweep that needs more than one run sends the message again', async () => {
    const memory = refreshable(30)
    const item = sweepOf(memory)
    memory.contracts.clear()
    const { allowedTokenIds, ...ports } = memoryPorts(memory)
    const sweep = async () => ({ isDone: false, deleted: 0 })
    await processWorkItem(item, later(), {
      ...ports,
      allowedTokenIds: { ...allowedTokenIds, sweep },
    })
    expect(memory.queue).toEqual([item])
  })
})
