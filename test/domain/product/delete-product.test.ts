import { describe, expect, test } from 'vitest'
import { InvalidApiKey } from '../../../lib/domain/credential-failures.ts'
import { ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { endProduct } from '../../../lib/domain/product/delete-product.ts'
import type { KeyId } from '../../../lib/domain/product/product-key.ts'
import type { StoredProduct } from '../../../lib/domain/product/stored-product.ts'
import { processWorkItem, type WorkPorts } from '../../../lib/domain/work/process-work-item.ts'
import type { ProductWork } from '../../../lib/domain/work/work-item.ts'
import { killEverywhere } from '../../support/memory/interruptions.ts'
import type { Memory } from '../../support/memory/memory.ts'
import { memoryPorts, type Tap } from '../../support/memory/memory-ports.ts'
import { allowing, nfts, productId } from '../../support/memory/owned-nfts.ts'
import { later } from '../../support/memory/refreshing.ts'

const item: ProductWork = { kind: 'deleteProduct', productId }

/** A product with two contracts of three NFTs each, which ended `secondsAgo`, or has not ended. */
function withProduct(secondsAgo?: number): Memory {
  const memory = allowing([...nfts(3, 1), ...nfts(3, 2)])
  if (secondsAgo !== undefined) {
    const endedAt = new Date(Date.now() - secondsAgo * 1000).toISOString()
    memory.product &&= { ...memory.product, endedAt }
  }
  return memory
}

const isEmpty = ({ product, contracts, allowed, events, refreshes }: Memory) =>
  !product && [contracts, allowed, refreshes].every(({ size }) => size === 0) && events.length === 0

const end = (memory: Memory, deadline = later(), tap?: Tap) =>
  endProduct(
    memory.product as StoredProduct,
    { keyId: 'key' as KeyId, confirm: 'Lanterns' },
    deadline,
    memoryPorts(memory, tap),
  )

describe('D45: ending a product', () => {
  test('D45: sends the message and records the event before the product ends', async () => {
    const memory = withProduct()
    const calls: string[] = []
    const tap: Tap = (call, when) => when === 'after' && calls.push(call)
    await end(memory, later(), tap)
    expect(calls.slice(0, 2).sort()).toEqual(['events.begin', 'workQueue.send'])
    expect(calls.slice(2)).toEqual(['productDeletions.end', 'events.settle'])
    expect([memory.queue, memory.delays]).toEqual([[item], [undefined]])
    expect(memory.events).toMatchObject([
      { action: 'deleteProduct', keyId: 'key', outcome: 'done' },
    ])
  })

  test('D45: does not end the product when the message could arrive first', async () => {
    const memory = withProduct()
    await expect(end(memory, Date.now() - 1)).rejects.toThrow(ServiceUnavailable)
    expect(memory.product?.endedAt).toBeUndefined()
    expect(memory.events).toMatchObject([{ outcome: 'failed' }])
  })

  test('D45: a product that is gone has no key that works', async () => {
    const memory = withProduct()
    const tap: Tap = (call, when) => {
      if (call === 'productDeletions.end' && when === 'before') memory.product = undefined
    }
    await expect(end(memory, later(), tap)).rejects.toThrow(InvalidApiKey)
  })
})

describe('D45: deleting what is stored of a product', () => {
  test('D45: does nothing while the product has not ended', async () => {
    const memory = withProduct()
    expect(await processWorkItem(item, later(), memoryPorts(memory))).toBeUndefined()
    expect(memory).toEqual({ ...withProduct(), product: memory.product })
  })

  test('D45: waits until everything has ended that was permitted before', async () => {
    for (const [secondsAgo, delay] of [
      [0, 60],
      [59.5, 1],
    ] as const) {
      const memory = withProduct(secondsAgo)
      expect(await processWorkItem(item, later(), memoryPorts(memory))).toBeUndefined()
      expect([memory.queue, memory.delays]).toEqual([[item], [delay]])
      expect(memory.contracts.size).toBe(2)
    }
  })

  test('D45: deletes everything, and returns the numbers of items', async () => {
    const memory = withProduct(61)
    const deleted = await processWorkItem(item, later(), memoryPorts(memory))
    expect(deleted).toEqual({ nfts: 6, contracts: 2, apiKeys: 0, others: 1 })
    expect([isEmpty(memory), memory.queue]).toEqual([true, []])
    expect(await processWorkItem(item, later(), memoryPorts(memory))).toBeUndefined()
  })

  test.each(['allowedTokenIds', 'productDeletions'] as const)(
    'D45: sends the message again when the time of the worker ends in %s.sweep',
    async (name) => {
      const memory = withProduct(61)
      const ports = memoryPorts(memory)
      const sweep = async () => ({ isDone: false, deleted: 1, apiKeys: 1, items: 1 })
      const unfinished = { ...ports, [name]: { ...ports[name], sweep } } as WorkPorts
      const deleted = await processWorkItem(item, later(), unfinished)
      expect([memory.queue, memory.delays]).toEqual([[item], [0]])
      expect(memory.product).toBeDefined()
      expect(deleted).toEqual(
        name === 'allowedTokenIds'
          ? { nfts: 1, contracts: 0, apiKeys: 0, others: 0 }
          : { nfts: 6, contracts: 2, apiKeys: 1, others: 1 },
      )
      await processWorkItem(item, later(), ports)
      expect(isEmpty(memory)).toBe(true)
    },
  )

  test('D45: after a crash between any two steps, the next delivery deletes the rest', async () => {
    const moments = await killEverywhere(
      () => withProduct(61),
      (memory, tap) => processWorkItem(item, later(), memoryPorts(memory, tap)),
      async (memory) => {
        if (!isEmpty(memory)) expect(memory.product).toBeDefined()
        await processWorkItem(item, later(), memoryPorts(memory))
        expect(isEmpty(memory)).toBe(true)
      },
    )
    // The product, its contracts, a list and a contract twice, the rest, and the product.
    expect(moments).toBe(2 * (1 + 1 + 2 * 2 + 1 + 1))
  })
})
