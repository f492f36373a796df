import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterEach, describe, expect, test } from 'vitest'
import { awsClient } from '../../lib/adapters/aws/aws-client.ts'
import { dynamoForgottenPlayers } from '../../lib/adapters/dynamodb/forgotten-players.ts'
import { dynamodb } from '../../lib/adapters/dynamodb/table.ts'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { numbers } from '../../local/samples/samples.ts'
import { type Item, tableOf } from '../support/aws/table.ts'
import type { Received } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import {
  type Holder,
  remembered,
  rememberedReads,
  tokenIdsOf,
} from '../support/requests/remembered-reads.ts'
import { nameOf, startCountedService } from '../support/services/counted-service.ts'

const service = await startCountedService()
const table = tableOf(service)
const client = awsClient(dynamodb, service.stack.aws)
const ownTable = { client, name: table.name, requestsAtOnce: 40 }
const network = 'polygon-mainnet'
const { holder, reader, keptOf } = rememberedReads(service)

afterEach(() => service.interfere(() => undefined))

type Read = ReturnType<typeof reader>

/** Reads one page of a list, after a cursor. */
const page = (read: Read, of: Holder, limit: number, cursor?: string) =>
  read(of, { query: { limit: `${limit}`, ...(cursor && { cursor }) } })

/** Reads a list to its end, and returns its pages. `between` is called after each page but the last. */
async function list(
  read: Read,
  of: Holder,
  limit: number,
  between: (page: number) => unknown = () => undefined,
): Promise<Received[]> {
  const pages: Received[] = []
  let cursor: string | undefined
  do {
    const received = await page(read, of, limit, cursor)
    expect(received.status).toBe(200)
    pages.push(received)
    cursor = received.json.nextCursor
    if (cursor) await between(pages.length)
  } while (cursor)
  return pages
}

const partsOf = async (wallet: string): Promise<Item[]> =>
  (await keptOf(wallet)).filter(({ sk }) => sk.startsWith('READING#PART#'))

const latestOf = async (wallet: string): Promise<Item[]> =>
  (await keptOf(wallet)).filter(({ sk }) => sk.startsWith('READING#LATEST#'))

const remove = ({ pk, sk }: Item) =>
  table.client.send(new DeleteCommand({ TableName: table.name, Key: { pk, sk } }))

/** Expects that a whole read asks nothing of the indexer, and has these NFTs. */
async function expectRemembered(read: Read, of: Holder, tokenIds: readonly string[]) {
  const counts = await service.countsOf(async () => {
    expect(tokenIdsOf(await read(of))).toEqual(tokenIds)
  })
  expect(counts).not.toHaveProperty('getNFTsForOwner')
}

/** Expects that a whole read asks the indexer, and has these NFTs. */
async function expectAsked(read: Read, of: Holder, tokenIds: readonly string[]) {
  const counts = await service.countsOf(async () => {
    expect(tokenIdsOf(await read(of))).toEqual(tokenIds)
  })
  expect(counts).toHaveProperty('getNFTsForOwner')
}

describe('D91: a list that takes several requests', () => {
  test.each([100, 250, 30, 7])('is kept when it is at its end: limit %i', async (limit) => {
    const of = await holder(320)
    const read = reader()
    const asked = await list(read, of, limit)
    expect(asked.flatMap(tokenIdsOf)).toEqual(numbers(1, 320))
    const counts = await service.countsOf(async () => {
      const kept = await list(read, of, limit)
      expect(kept.map(tokenIdsOf)).toEqual(asked.map(tokenIdsOf))
      expect(new Set(kept.map(({ json }) => json.asOf)).size).toBe(1)
    })
    expect(counts).not.toHaveProperty('getNFTsForOwner')
    await expectRemembered(read, of, numbers(1, 320))
  })

  test('Budget: each page costs a write of its part and one of what is kept so far', async () => {
    const of = await holder(250)
    const read = reader()
    await read(await holder())
    const first = await service.useOf(() => page(read, of, 100))
    const asked = { Query: 1, BatchGetItem: 3, getNFTsForOwner: 1 }
    // The container reads this API key for the first time.
    expect(first.counts).toEqual({ ...asked, GetItem: 1, PutItem: 2 })
    const { nextCursor } = (await page(read, of, 100)).json
    const second = await service.useOf(() => page(read, of, 100, nextCursor))
    const others = { ...asked, BatchGetItem: 2, GetItem: 1, PutItem: 2 }
    expect(second.counts).toEqual(others)
    const { nextCursor: last } = (await page(read, of, 100, nextCursor)).json
    const third = await service.useOf(() => page(read, of, 100, last))
    expect(third.counts).toEqual(others)
    const kept = await service.useOf(() => read(of))
    // Three parts, in one request, and the allowlist of three pages.
    expect(kept.counts).toEqual({ ...remembered, BatchGetItem: 2 + 1 + 3 })
  })

  test('is not kept without its last page', async () => {
    const of = await holder(250)
    const read = reader()
    const { nextCursor } = (await page(read, of, 100)).json
    await page(read, of, 100, nextCursor)
    expect(await partsOf(of.wallet)).toHaveLength(2)
    await expectAsked(read, of, numbers(1, 250))
  })

  test('has the age of its first page', async () => {
    const of = await holder(250)
    const [first] = await list(reader(), of, 100, () => new Promise((done) => setTimeout(done, 50)))
    const { asOf } = (await reader()(of)).json
    // A block that was made while the indexer was asked counts as of the beginning of the call.
    expect(asOf <= first?.json.asOf).toBe(true)
    const [latest] = await latestOf(of.wallet)
    for (const { expiresAt } of await keptOf(of.wallet))
      expect(expiresAt).toBe(latest?.['expiresAt'])
  })

  test('two requests that read the same wallet at once leave one whole reading', async () => {
    const of = await holder(250)
    const read = reader()
    await Promise.all([list(read, of, 100), list(read, of, 80)])
    await expectRemembered(read, of, numbers(1, 250))
    await Promise.all([list(read, of, 100), list(read, of, 80)])
    await expectRemembered(read, of, numbers(1, 250))
  })

  test('a page that is read twice, with other NFTs, leaves a reading of one of the two', async () => {
    const of = await holder(250, numbers(1, 251))
    const read = reader()
    const { nextCursor } = (await page(read, of, 100)).json
    const lost = await page(read, of, 100, nextCursor)
    ownedBy(service.world, { network, address: of.contract.address }, of.wallet, ['251'])
    const second = await page(read, of, 100, nextCursor)
    await page(read, of, 100, second.json.nextCursor)
    await expectRemembered(read, of, numbers(1, 251))
    await page(read, of, 100, lost.json.nextCursor)
    await expectRemembered(read, of, numbers(1, 251))
  })

  test('forget-player between two parts leaves nothing that is used', async () => {
    const of = await holder(250)
    const { userId } = await service.newPlayer([of.wallet])
    const read = reader()
    await list(read, of, 100, async (pages) => {
      if (pages === 1) await dynamoForgottenPlayers(ownTable).forget(userId)
    })
    expect(await latestOf(of.wallet)).toHaveLength(0)
    await expectAsked(read, of, numbers(1, 250))
  })
})

describe('D91: a part of a kept reading', () => {
  const damages: [string, (part: Item, other: Item) => Item | undefined][] = [
    ['is missing', () => undefined],
    ['is damaged', (part) => ({ ...part, data: flipped(part['data'] as Uint8Array) })],
    ['has no data', ({ data: _, ...part }) => part as Item],
    ['is another one', (part, other) => ({ ...part, data: other['data'] })],
  ]

  const damageAll = async (wallet: string, damage: (typeof damages)[number][1]) => {
    const parts = await partsOf(wallet)
    expect(parts.length).toBeGreaterThan(1)
    for (const [index, part] of parts.entries()) {
      const Item = damage(part, parts.at(index - 1) as Item)
      await (Item
        ? table.client.send(new PutCommand({ TableName: table.name, Item }))
        : remove(part))
    }
  }

  test.each(damages)('that %s: the indexer is asked at the beginning', async (_, damage) => {
    const of = await holder(250)
    const read = reader()
    await list(read, of, 100)
    await damageAll(of.wallet, damage)
    await expectAsked(read, of, numbers(1, 250))
    await expectRemembered(read, of, numbers(1, 250))
  })

  test.each(damages)('that %s: a list is cursor_expired, and begins anew', async (_, damage) => {
    const of = await holder(250)
    const read = reader()
    await list(read, of, 100)
    const { nextCursor } = (await page(read, of, 100)).json
    await damageAll(of.wallet, damage)
    expectProblem(await page(read, of, 100, nextCursor), 'cursor_expired')
    const counts = await service.countsOf(async () => {
      expect((await list(read, of, 100)).flatMap(tokenIdsOf)).toEqual(numbers(1, 250))
    })
    expect(counts).toHaveProperty('getNFTsForOwner')
  })

  test('that is lost and is not the first one: its list ends before it, and begins anew', async () => {
    const of = await holder(250)
    const read = reader()
    await list(read, of, 100)
    const parts = await partsOf(of.wallet)
    const sizeOf = ({ data }: Item) => (data as Uint8Array).length
    // The last part has the fewest NFTs.
    await remove(parts.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0] as Item)
    const counts = await service.countsOf(async () => {
      const first = await page(read, of, 100)
      const second = await page(read, of, 100, first.json.nextCursor)
      expect([first, second].flatMap(tokenIdsOf)).toEqual(numbers(1, 200))
      expectProblem(await page(read, of, 100, second.json.nextCursor), 'cursor_expired')
    })
    expect(counts).not.toHaveProperty('getNFTsForOwner')
    const anew = await service.countsOf(async () => {
      expect((await list(read, of, 100)).flatMap(tokenIdsOf)).toEqual(numbers(1, 250))
    })
    expect(anew).toHaveProperty('getNFTsForOwner')
  })

  test('that cannot be read: the indexer is asked, and the reading stays', async () => {
    const of = await holder(250)
    const read = reader()
    await list(read, of, 100)
    service.interfere((request) => {
      const name = nameOf(request)
      const isOfParts = JSON.stringify(request.body).includes('READING#PART#')
      // Without the writes, no other reading takes its place.
      return name === 'PutItem' || (name === 'BatchGetItem' && isOfParts)
        ? { status: 500 }
        : undefined
    })
    await expectAsked(read, of, numbers(1, 250))
    service.interfere(() => undefined)
    await expectRemembered(read, of, numbers(1, 250))
  })
})

test('D91: a request that cannot keep its pages is answered, and its list is not kept', async () => {
  const of = await holder(250)
  const read = reader()
  service.interfere((request) => (nameOf(request) === 'PutItem' ? { status: 500 } : undefined))
  expect((await list(read, of, 100)).flatMap(tokenIdsOf)).toEqual(numbers(1, 250))
  service.interfere(() => undefined)
  await expectAsked(read, of, numbers(1, 250))
})

/** The bytes with one changed bit in the middle. */
function flipped(data: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(data)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  return bytes
}
