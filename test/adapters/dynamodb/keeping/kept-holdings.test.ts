import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dynamoKeptHoldings } from '../../../../lib/adapters/dynamodb/keeping/kept-holdings.ts'
import { readersKey } from '../../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import {
  keptContractKey,
  listHeadKey,
} from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { tokenIdOf } from '../../../../lib/domain/allowlist/token-id.ts'
import {
  type KeptContract,
  newKeptContract,
} from '../../../../lib/domain/holdings/kept-contract.ts'
import { readHoldings } from '../../../../lib/domain/holdings/read-holdings.ts'
import type { Address } from '../../../../lib/domain/nft/address.ts'
import { addressOf } from '../../../support/memory/owned-nfts.ts'
import { alice, balances, bob, longIds, snapshot, startKeptLists } from './kept-list-fixture.ts'
import { now } from './stored-fixture.ts'

const { aws, table, kept, items, directory } = await startKeptLists()
const { chain, address, id } = snapshot
let holdings: ReturnType<typeof dynamoKeptHoldings>

beforeEach(() => {
  holdings = dynamoKeptHoldings(table)
})

/** The requests while a function runs, with the numbers of keys in batches. */
async function requestsOf(run: () => Promise<unknown>): Promise<string[]> {
  const before = aws.proxy.requests.length
  await run()
  const sent = aws.proxy.requests.slice(before).filter(({ attempt }) => attempt === 1)
  const requests = sent.map(({ action, body }) => {
    const [batch] = Object.values<{ Keys: unknown[] }>(body.RequestItems ?? {})
    return batch ? `${action} of ${batch.Keys.length}` : action
  })
  return requests.sort()
}

const later = (milliseconds: number) => vi.setSystemTime(now + milliseconds)

describe('how far a chain is read', () => {
  const put = (item: object) => items.put(readersKey(chain), item)
  const position = { step: 7, confirmedUpTo: now - 5 }

  beforeEach(() => put(position))

  test('is what the follower has written, consistently, as of the end of the read', async () => {
    aws.interfere({ onResponse: () => void later(400) })
    expect(await holdings.position(chain, false)).toStrictEqual({ ...position, readBy: now + 400 })
    expect(aws.proxy.requests.at(-1)?.body.ConsistentRead).toBe(true)
    expect(await holdings.position('POLYGON', false)).toBeUndefined()
  })

  test('is read once a second since the read has ended, unless it is wanted anew', async () => {
    const read = (isAnew = false) => requestsOf(() => holdings.position(chain, isAnew))
    aws.interfere({ onResponse: () => void later(400) })
    expect(await read()).toEqual(['GetItem'])
    aws.interfere({})
    await put({ ...position, step: 8 })
    later(1_400)
    expect(await read()).toEqual([])
    expect(await holdings.position(chain, false)).toMatchObject({ step: 7, readBy: now + 400 })
    expect(await read(true)).toEqual(['GetItem'])
    expect(await holdings.position(chain, false)).toMatchObject({ step: 8, readBy: now + 1_400 })
    later(2_401)
    expect(await read()).toEqual(['GetItem'])
    // Only by this container.
    expect(await requestsOf(() => dynamoKeptHoldings(table).position(chain, false))).toHaveLength(1)
  })

  test('is read once by all that begin at the same moment', async () => {
    const read = () => [false, true, false].map((isAnew) => holdings.position(chain, isAnew))
    expect(await requestsOf(() => Promise.all(read()))).toEqual(['GetItem'])
  })

  test.each<[string, object]>([
    ['without a step', { confirmedUpTo: 5 }],
    ['without a confirmed block', { step: 7 }],
    ['of another form', { ...position, confirmedUpTo: '5' }],
  ])('is unknown from an item %s', async (_, item) => {
    expect(await holdings.position(chain, false)).toMatchObject(position)
    await put(item)
    expect(await holdings.position(chain, true)).toBeUndefined()
    // And what was known before is not used any more.
    expect(await holdings.position(chain, false)).toBeUndefined()
  })

  test('is unknown if the table does not answer at once', async () => {
    aws.interfere({ onRequest: () => ({ status: 500 }) })
    const read = () =>
      requestsOf(async () => expect(await holdings.position(chain, true)).toBe(undefined))
    expect(await read()).toEqual(['GetItem'])
  })
})

const whole = (of: Address, version = 1): KeptContract => ({
  ...newKeptContract(of),
  ...{ version, readUpTo: 95, settledAt: 5, log: { standard: 'ERC721' } },
  events: [
    {
      ...{ block: 9, hash: '5c5c5c5c5c5c', index: 0, from: null, to: alice },
      moved: [{ tokenId: tokenIdOf(7n), amount: 1n }],
    },
  ],
  snapshot: { id, standard: 'ERC721', step: 4, since: 50, at: now },
})

const addresses = (count: number) =>
  Array.from({ length: count }, (_, index) => addressOf(index + 1))

const write = async (count: number) => {
  for (const each of addresses(count)) await kept.write(chain, whole(each))
}

describe('the contracts that are kept', () => {
  test('are read with what readers need of them, as of the beginning of the read', async () => {
    await kept.write(chain, whole(address))
    aws.interfere({ onRequest: () => void later(400) })
    const [read, ...others] = await holdings.contracts(chain, [address, addressOf(5)], now)
    const { events, snapshot: its, readUpTo, log } = whole(address)
    expect(read).toEqual({
      readAt: now,
      value: { address, snapshot: its, events, readUpTo, log },
    })
    expect(others).toEqual([])
    expect(JSON.stringify(aws.proxy.requests.at(-1)?.body)).toContain('"ConsistentRead":true')
    expect(await holdings.contracts('POLYGON', [address], now)).toEqual([])
  })

  test('are left out if they are damaged', async () => {
    await write(2)
    const [first = alice, second = alice] = addresses(2)
    await items.put(keptContractKey({ chain, address: first }), { ...whole(first), events: 'x' })
    expect(await holdings.contracts(chain, [first, second], now)).toMatchObject([
      { value: { address: second } },
    ])
  })

  test('are read once a second since the read has begun, and anew for a later moment', async () => {
    await kept.write(chain, whole(address))
    const read = (since: number) => requestsOf(() => holdings.contracts(chain, [address], since))
    aws.interfere({ onRequest: () => void later(400) })
    expect(await read(now)).toEqual(['GetItem'])
    aws.interfere({})
    await kept.write(chain, { ...whole(address, 2), readUpTo: 96 })
    later(1_000)
    expect(await read(now)).toEqual([])
    expect(await holdings.contracts(chain, [address], now)).toMatchObject([
      { readAt: now, value: { readUpTo: 95 } },
    ])
    expect(await read(now + 1)).toEqual(['GetItem'])
    expect(await holdings.contracts(chain, [address], now + 1)).toMatchObject([
      { readAt: now + 1_000, value: { readUpTo: 96 } },
    ])
    later(2_001)
    expect(await read(now)).toEqual(['GetItem'])
  })

  test('are held in memory up to 200', async () => {
    await write(201)
    const all = addresses(201)
    const read = (some: Address[]) => requestsOf(() => holdings.contracts(chain, some, now))
    const most = all.slice(0, 200)
    expect(await read(most)).toEqual(['BatchGetItem of 100', 'BatchGetItem of 100'])
    // Uses them in their order, whichever answer came first.
    expect(await read(most)).toEqual([])
    expect(await read(all.slice(200))).toEqual(['GetItem'])
    expect(await read(all.slice(1))).toEqual([])
    expect(await read(all.slice(0, 1))).toEqual(['GetItem'])
  })
})

describe('the lists of a wallet', () => {
  const change = (
    of: object,
    wallet: Address,
    ids: readonly (bigint | number)[],
    settledUpTo = 50,
  ) =>
    kept.change({ ...snapshot, ...of }, wallet, undefined, { settledUpTo, balances: balances(ids) })
  const [other, foreign] = [addressOf(0xc2), addressOf(0xc3)]
  const list = (ids: readonly (bigint | number)[], settledUpTo = 50) => ({
    ...{ settledUpTo, tokens: balances(ids) },
  })
  const read = (...named: (readonly [Address, string])[]) =>
    holdings.lists(chain, alice, Promise.resolve(new Map(named)))
  /** Whatever is not asked for. */
  const changeOthers = async () => {
    await change({ address: foreign }, alice, [5])
    await change({ chain: 'POLYGON' }, alice, [6])
    await change({}, bob, [7])
  }

  test('are those of the named snapshots, whole', async () => {
    await change({}, alice, longIds(300))
    await change({ id: 'b' }, alice, [1, 2], 0)
    await change({ address: other }, alice, [])
    await changeOthers()
    const lists = await read([address, id], [other, id], [addressOf(0xc4), id])
    expect(new Set(lists.keys())).toEqual(new Set([address, other]))
    expect(lists.get(address)).toMatchObject(list(longIds(300)))
    expect(lists.get(other)).toMatchObject(list([]))
    expect((await read([address, 'b'])).get(address)).toMatchObject(list([1, 2], 0))
    expect(await read([address, 'c'])).toEqual(new Map())
  })

  test('are too long if they are, or if they are damaged', async () => {
    await change({}, alice, longIds(300))
    await items.put((await directory()).key, {})
    await items.put(listHeadKey({ snapshot: { ...snapshot, id: 'b' }, wallet: alice }), {})
    await change({ id: 'c' }, alice, longIds(6_000))
    for (const each of [id, 'b', 'c']) {
      const lists = await read([address, each])
      expect(lists.get(address)).toMatchObject({ isTooLong: true, tokens: new Map() })
    }
  })

  test('are read with one request, beside what is known of the snapshots, and one more for each that stands apart', async () => {
    await change({}, alice, [1])
    await changeOthers()
    const requests = () => requestsOf(() => read([address, id], [other, id]))
    expect(await requests()).toEqual(['Query'])
    expect(aws.proxy.requests.at(-1)?.body.ConsistentRead).toBe(true)
    await change({ address: other }, alice, longIds(300))
    // Of a snapshot that is not in use any more, only the head is read.
    await change({ id: 'b' }, alice, longIds(100))
    expect(await requests()).toEqual(['Query', 'Query'])
    expect(aws.proxy.requests.at(-1)?.body.ConsistentRead).toBe(true)
    const { promise, resolve } = Promise.withResolvers<Map<Address, string>>()
    // The request does not wait for the names.
    aws.interfere({ onResponse: () => void resolve(new Map([[address, id]])) })
    expect(await holdings.lists(chain, alice, promise)).toHaveProperty('size', 1)
  })

  test('are read with no more requests beside 200 lists of a contract that nobody asks for', async () => {
    await change({}, alice, [1])
    for (const number of Array.from({ length: 200 }).keys()) {
      const its = { ...snapshot, address: foreign, id: `${number}` }
      await items.put(listHeadKey({ snapshot: its, wallet: alice }), { directory: 'missing' })
    }
    const readIt = () => read([address, id])
    expect(await requestsOf(readIt)).toEqual(['Query'])
    expect((await readIt()).get(address)).toMatchObject(list([1]))
    aws.interfere({ extend: ({ action }) => action === 'Query' && { Limit: 150 } })
    expect(await requestsOf(readIt)).toEqual(['Query', 'Query'])
  })
})

test('two wallets and 45 contracts are read with four requests, and with two in the same second', async () => {
  await write(45)
  await items.put(readersKey(chain), { step: 4, confirmedUpTo: now, askedAt: now })
  await kept.change({ ...snapshot, address: addressOf(1) }, bob, undefined, {
    ...{ settledUpTo: 50, balances: balances([3]) },
  })
  const query = { chain, wallets: [alice, bob], contracts: addresses(45) }
  const read = () => readHoldings(query, holdings)
  expect(await requestsOf(read)).toEqual(['BatchGetItem of 45', 'GetItem', 'Query', 'Query'])
  expect(await requestsOf(read)).toEqual(['Query', 'Query'])
  const { contracts, moment } = await read()
  expect([contracts.size, moment]).toEqual([45, now])
  expect(contracts.get(addressOf(1))?.get(bob)).toEqual(balances([3]))
  expect(contracts.get(addressOf(2))?.get(alice)).toEqual(balances([7]))
})
