import { numbers } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import type { Call } from '../support/requests/client.ts'
import { killAfterEachWrite, startKillableService } from '../support/services/killable-service.ts'
import { newAddress, registration } from '../support/services/service.ts'

const service = await startKillableService()

/** A contract of a product of the test's own. */
async function newContract() {
  const apiKey = await service.newProduct()
  // The first use of a key on a day makes a write.
  await service.call('GET /product', { apiKey })
  const query = { chain: 'POLYGON', contractAddress: newAddress() }
  const contractFor = (call: Call) => ({
    allowlist: (tokens: string[]) =>
      call('POST /product/tokens', {
        apiKey,
        body: { ...query, contractDescription: 'A contract to be interrupted.', tokens },
      }),
    unbind: () => call('DELETE /product/contract', { apiKey, query }),
  })
  return {
    ...contractFor(service.call),
    doomed: contractFor(service.doomed.call),
    /** D49: after the first of `writes` writes there is an event, and only the last one settles it. */
    async expectEvent(action: string, completed: number, writes: number): Promise<void> {
      const { json } = await service.call('GET /product/events', { apiKey })
      const [newest] = json.data.filter((event: { action: string }) => event.action === action)
      const isSettled = completed === writes
      if (completed === 0) expect(newest).toBeUndefined()
      else expect(newest).toMatchObject({ outcome: isSettled ? 'done' : 'unknown' })
    },
    async tokenIds(): Promise<string[]> {
      const { status, json, text } = await service.call('GET /product/tokens', { apiKey })
      expect(status, text).toBe(200)
      const entries: { chain: string; address: string; tokenId: string }[] = json.data
      for (const { chain, address } of entries) {
        expect({ chain, contractAddress: address }).toEqual(query)
      }
      return entries.map(({ tokenId }) => tokenId)
    },
  }
}

describe('a process is killed after any of its writes, and the next request goes to another process', () => {
  test('D17: allowlisting a new contract', async () => {
    const tokenIds = numbers(1, 60)
    // Connecting the contract, its description, a message to webhooks and three batches, between both writes of the event.
    await killAfterEachWrite(service, 8, async () => {
      const contract = await newContract()
      return {
        act: () => contract.doomed.allowlist(tokenIds),
        async afterwards(completed) {
          await contract.expectEvent('allowlistNfts', completed, 8)
          expect(tokenIds).toEqual(expect.arrayContaining(await contract.tokenIds()))
          expect((await contract.allowlist(tokenIds)).json.data).toHaveLength(60)
          expect(await contract.tokenIds()).toEqual(tokenIds)
        },
      }
    })
  })

  test('D19: unbinding a contract', async () => {
    const before = numbers(1, 30)
    // The message to the worker is sent before the contract is disconnected. The event has two writes.
    await killAfterEachWrite(service, 4, async () => {
      const contract = await newContract()
      await contract.allowlist(before)
      return {
        act: contract.doomed.unbind,
        async afterwards(completed) {
          // The event and the message are written at the same time.
          if (completed !== 1) await contract.expectEvent('unbindContract', completed, 4)
          const isDone = completed >= 3
          expect(await contract.tokenIds()).toEqual(isDone ? [] : before)
          expect((await contract.unbind()).status).toBe(isDone ? 404 : 200)
          expect(await contract.tokenIds()).toEqual([])
          await contract.allowlist(['31'])
          expect(await contract.tokenIds()).toEqual(['31'])
        },
      }
    })
  })

  test('D10: registering a product', async () => {
    const register = (call: Call) => call('POST /product', { body: registration() })
    // The event and the key, then the product that makes the key work, and the outcome of the event.
    await killAfterEachWrite(service, 4, async () => ({
      act: () => register(service.doomed.call),
      async afterwards() {
        const { apiKey } = (await register(service.call)).json.data
        const product = await service.call('GET /product', { apiKey })
        expect(product.json.data).toEqual({ ...registration(), productId: expect.any(String) })
        const list = await service.call('GET /product/tokens', { apiKey })
        expect(list.json.data).toEqual([])
      },
    }))
  })
})
