import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, describe, expect, test } from 'vitest'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { numbers } from '../../local/samples/samples.ts'
import { tableOf } from '../support/aws/table.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { remembered, rememberedReads, tokenIdsOf } from '../support/requests/remembered-reads.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const table = tableOf(service)
const network = 'polygon-mainnet'

afterEach(() => service.interfere(() => undefined))

const { holder, reader, keptOf } = rememberedReads(service)

describe('D65: a cursor', () => {
  const limited = (cursor?: string) => ({ query: { limit: '4', ...(cursor && { cursor }) } })

  test('goes on in the kept reading, also if the wallet has moved since', async () => {
    const of = await holder()
    const read = reader()
    await read(of)
    const first = await read(of, limited())
    ownedBy(service.world, { network, address: of.contract.address }, of.wallet, ['11'])
    const counts = await service.countsOf(async () => {
      const second = await read(of, limited(first.json.nextCursor))
      const third = await read(of, limited(second.json.nextCursor))
      const found = [first, second, third].flatMap(tokenIdsOf)
      expect(found).toEqual(numbers(1, 10))
      expect(new Set([first, second, third].map(({ json }) => json.asOf)).size).toBe(1)
      expect(third.json.nextCursor).toBeUndefined()
    })
    expect(counts).not.toHaveProperty('getNFTsForOwner')
  })

  test('D88: goes on in its reading, which its first page keeps for it, also after a later one was kept', async () => {
    const of = await holder()
    const read = reader()
    await read(of)
    const pages = [await read(of, limited())]
    const first = await service.useOf(() => read(of, limited()))
    expect(first).toEqual({
      counts: { ...remembered, PutItem: 1 },
      units: { read: 5 + 10, write: 1 },
    })
    ownedBy(service.world, { network, address: of.contract.address }, of.wallet, ['11'])
    await read(of, { headers: { 'cache-control': 'no-cache' } })
    const use = await service.useOf(async () => {
      pages.push(await read(of, limited(pages[0]?.json.nextCursor)))
    })
    // The reading is an item alone.
    expect(use).toEqual({
      counts: { Query: 1, BatchGetItem: 2, GetItem: 1 },
      units: { read: 4 + 10, write: 0 },
    })
    pages.push(await read(of, limited(pages[1]?.json.nextCursor)))
    expect(pages.flatMap(tokenIdsOf)).toEqual(numbers(1, 10))
    expect(new Set(pages.map(({ json }) => json.asOf)).size).toBe(1)
  })

  test('D67: makes the header Cache-Control have no effect, also on the next wallet', async () => {
    const of = await holder(4, numbers(1, 6))
    const second = newAddress()
    ownedBy(service.world, { network, address: of.contract.address }, second, ['5', '6'])
    const { playerToken } = await service.newPlayer([of.wallet, second])
    const read = reader()
    const anew = { 'cache-control': 'no-cache, stale-if-error=600' }
    const first = await read({ ...of, playerToken }, { ...limited(), headers: anew })
    expect(tokenIdsOf(first)).toEqual(numbers(1, 4))
    service.interfere(({ service: name }) => (name === 'HTTP' ? { status: 500 } : undefined))
    const next = await read(
      { ...of, playerToken },
      { ...limited(first.json.nextCursor), headers: anew },
    )
    expect(tokenIdsOf(next)).toEqual(['5', '6'])
    expect(next.json).not.toHaveProperty('stale')
  })

  test('is cursor_expired if the reading is not kept any more', async () => {
    const of = await holder()
    const read = reader()
    await read(of)
    const { nextCursor } = (await read(of, limited())).json
    for (const { pk, sk } of await keptOf(of.wallet)) {
      await table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }))
    }
    expectProblem(await read(of, limited(nextCursor)), 'cursor_expired')
  })
})
