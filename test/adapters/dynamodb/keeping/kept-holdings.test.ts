import { beforeEach, describe, expect, test, vi } from 'vitest'
import { dynamoKeptHoldings } from '../../../../lib/adapters/dynamodb/keeping/kept-holdings.ts'
import { readersKey } from '../../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { keptContractKey } from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import { tokenIdOf } from '../../../../lib/domain/allowlist/token-id.ts'
import {
  type KeptContract,
  newKeptContract,
} from '../../../../lib/domain/holdings/kept-contract.ts'
import type { Address } from '../../../../lib/domain/nft/address.ts'
import { downstreamCalls } from '../../../../lib/observability/downstream-calls.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import { now } from '../stored-fixture.ts'
import { alice, snapshot, startKeptLists } from './kept-list-fixture.ts'

const { aws, firstAttemptsOf, items, kept, table } = await startKeptLists()
const { chain, address, id } = snapshot
let holdings: ReturnType<typeof dynamoKeptHoldings>

beforeEach(() => {
  holdings = dynamoKeptHoldings(table)
})

const later = (milliseconds: number) => vi.setSystemTime(now + milliseconds)

describe('how far a chain is read', () => {
  const put = (item: object) => items.put(readersKey(chain), item)
  const position = { step: 7, confirmedUpTo: now - 5 }

  beforeEach(() => put(position))

  test('is what the follower has written, as of the end of the read', async () => {
    aws.interfere({ onResponse: () => void later(400) })
    expect(await holdings.position(chain, false)).toStrictEqual({ ...position, readBy: now + 400 })
    expect(await holdings.position('POLYGON', false)).toBeUndefined()
  })

  test('is read once a second since the read has ended, unless it is wanted anew', async () => {
    const read = (isAnew = false) => firstAttemptsOf(() => holdings.position(chain, isAnew))
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
    expect(
      await firstAttemptsOf(() => dynamoKeptHoldings(table).position(chain, false)),
    ).toHaveLength(1)
  })

  test('is read once by all that begin at the same moment', async () => {
    const read = () => [false, true, false].map((isAnew) => holdings.position(chain, isAnew))
    expect(await firstAttemptsOf(() => Promise.all(read()))).toEqual(['GetItem'])
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
      firstAttemptsOf(async () => expect(await holdings.position(chain, true)).toBe(undefined))
    expect(await read()).toEqual(['GetItem'])
  })
})

const whole = (address: Address, version = 1): KeptContract => ({
  ...newKeptContract(address),
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
    const read = (since: number) =>
      firstAttemptsOf(() => holdings.contracts(chain, [address], since))
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
    const read = (some: Address[]) => firstAttemptsOf(() => holdings.contracts(chain, some, now))
    const most = all.slice(0, 200)
    expect(await read(most)).toEqual(['BatchGetItem of 100', 'BatchGetItem of 100'])
    // Uses them in their order, whichever answer came first.
    expect(await read(most)).toEqual([])
    expect(await read(all.slice(200))).toEqual(['GetItem'])
    expect(await read(all.slice(1))).toEqual([])
    expect(await read(all.slice(0, 1))).toEqual(['GetItem'])
  })
})

describe('D152: a read notes that its chain is read', () => {
  const position = { step: 7, confirmedUpTo: now }
  const stored = () => items.get(readersKey(chain))

  beforeEach(() => items.put(readersKey(chain), position))

  /** Lets a new container read a contract. `meanwhile` happens between its read of the position and the note. */
  const container = () => {
    const ofContainer = dynamoKeptHoldings(table)
    return (meanwhile: () => Promise<unknown> = async () => undefined) =>
      downstreamCalls.during(async () => {
        await ofContainer.position(chain, false)
        await meanwhile()
        await ofContainer.contracts(chain, [address], 0)
      })
  }

  test('in the item that readers share, which stays as it is, and at most once a minute over all containers', async () => {
    const [first, second] = [container(), container()]
    await first()
    expect(await stored()).toMatchObject({ ...position, askedAt: now })
    later(59_000)
    await first()
    await second()
    expect(await stored()).toMatchObject({ askedAt: now })
    later(60_000)
    await second()
    expect(await stored()).toMatchObject({ ...position, askedAt: now + 60_000 })
  })

  test('only where contracts are kept: no item begins with the note', async () => {
    expect(await firstAttemptsOf(() => container()(items.empty))).toContain('UpdateItem')
    await container()()
    expect(await stored()).toBeUndefined()
  })
})
