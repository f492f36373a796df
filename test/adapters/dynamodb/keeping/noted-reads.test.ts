import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dynamoContractUses } from '../../../../lib/adapters/dynamodb/keeping/contract-uses.ts'
import { dynamoNotedReads } from '../../../../lib/adapters/dynamodb/keeping/noted-reads.ts'
import {
  contractUseKey,
  wantedContractKey,
} from '../../../../lib/adapters/dynamodb/keys/kept-use-partitions.ts'
import { openTable } from '../../../../lib/adapters/dynamodb/table.ts'
import type { ContractKey } from '../../../../lib/domain/nft/nft.ts'
import type { ContractRead } from '../../../../lib/domain/ports/contract-use.ts'
import { dayOf } from '../../../../lib/domain/usage/usage.ts'
import { downstreamCalls } from '../../../../lib/observability/downstream-calls.ts'
import { storedItems } from '../../../support/aws/stored-items.ts'
import { startTestAws } from '../../../support/aws/test-aws.ts'
import { addressOf, productId } from '../../../support/memory/owned-nfts.ts'

const aws = await startTestAws()
const table = openTable()
const items = storedItems(table)
const uses = dynamoContractUses(table)
const contract: ContractKey = { chain: 'POLYGON', address: addressOf(0xc1) }
const wallet = addressOf(0xa)
const day = 86_400_000
/** Noon. */
const start = Math.floor(1_800_000_000_000 / day) * day + day / 2
const minute = 60_000

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  await items.empty()
})

afterEach(() => {
  vi.useRealTimers()
  aws.interfere({})
})

const readOf = (changes: Partial<ContractRead> = {}): ContractRead => ({
  ...{ contract, productId, wallet, isUnknown: true },
  ...changes,
})

/** A container, whose requests read contracts. Returns the actions of a request. */
function newContainer(keptFromReads = 1_000) {
  const noted = dynamoNotedReads(table, { keptFromReads })
  return async (...reads: ContractRead[]) => {
    const before = aws.proxy.requests.length
    await downstreamCalls.during(async () => noted.note(reads))
    return aws.proxy.requests.slice(before).map(({ action }) => action)
  }
}

const readsOf = async (key = contract) => (await uses.of(key))?.reads
const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

describe('D153: a read of a contract', () => {
  test('D153: is written beside its request, and later ones at most once a minute by each container', async () => {
    const [one, other] = [newContainer(), newContainer()]
    expect(await one(readOf())).toEqual(['UpdateItem'])
    for (let time = 0; time < 3; time += 1) expect(await one(readOf())).toEqual([])
    expect(await other(readOf())).toEqual(['UpdateItem'])
    expect(await readsOf()).toBe(2)
    wait(minute - 1)
    expect(await one(readOf())).toEqual([])
    wait(1)
    expect(await one(readOf())).toEqual(['UpdateItem'])
    expect(await readsOf()).toBe(7)
  })

  test('D153: names the product and a wallet, of the latest reads, and is kept for nine days', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    await newContainer()(readOf())
    expect(await items.get(contractUseKey(contract, dayOf(start)))).toEqual({
      ...contractUseKey(contract, dayOf(start)),
      ...{ reads: 1, readAt: start, productId, wallet12: wallet },
      expiresAt: (start - day / 2) / 1_000 + 9 * 86_400,
    })
    vi.restoreAllMocks()
  })

  test('D153: counts for its contract and chain alone; several of a request are one write for each contract', async () => {
    const second: ContractKey = { chain: 'BSC', address: contract.address }
    const read = newContainer()
    const reads = [readOf(), readOf({ wallet: addressOf(0xb) }), readOf({ contract: second })]
    expect(await read(...reads)).toEqual(['UpdateItem', 'UpdateItem'])
    expect(await readsOf()).toBe(2)
    expect(await readsOf(second)).toBe(1)
  })

  test('D153: counts on its day: what a container has not written when the day ends is not counted', async () => {
    const read = newContainer()
    for (let time = 0; time < 4; time += 1) await read(readOf())
    wait(day)
    await read(readOf())
    const countOn = async (at: number) =>
      (await items.get(contractUseKey(contract, dayOf(at))))?.['reads']
    expect(await countOn(start)).toBe(1)
    expect(await countOn(start + day)).toBe(1)
  })

  test('D153: that is refused by DynamoDB is sent once, fails nothing, and counts in the next minute', async () => {
    const read = newContainer()
    aws.interfere({ onRequest: () => ({ status: 400, body: { __type: 'x#ThrottlingException' } }) })
    expect(await read(readOf())).toEqual(['UpdateItem'])
    expect(await read(readOf())).toEqual([])
    aws.interfere({})
    wait(minute)
    await read(readOf())
    expect(await readsOf()).toBe(3)
  })

  test.each([
    [9_999, 1],
    [10_000, 2],
  ])(
    'D153: is forgotten by a container after reads of 10,000 others: %i',
    async (others, writes) => {
      const written: unknown[] = []
      const send = async ({ input }: { input: object }) => {
        written.push(JSON.stringify(input).includes('#POLYGON#'))
        return {} as never
      }
      const noted = dynamoNotedReads({ ...table, client: { send } }, { keptFromReads: 5 })
      const read = (...reads: ContractRead[]) =>
        downstreamCalls.during(async () => noted.note(reads))
      await read(readOf())
      await read(
        ...Array.from({ length: others }, (_, index) =>
          readOf({ contract: { chain: 'BSC', address: addressOf(index) } }),
        ),
      )
      await read(readOf())
      expect(written.filter((isOf) => isOf)).toHaveLength(writes)
    },
  )
})

describe('D153: a contract is wanted', () => {
  const wanted = () => uses.wanted('POLYGON')

  test('D153: with enough reads in a day, over all containers', async () => {
    const [one, other] = [newContainer(3), newContainer(3)]
    await one(readOf())
    await other(readOf())
    expect(await wanted()).toEqual([])
    expect(await newContainer(3)(readOf())).toEqual(['UpdateItem', 'PutItem'])
    expect(await wanted()).toEqual([contract.address])
    expect(await uses.wanted('BSC')).toEqual([])
    expect(await items.get(wantedContractKey(contract))).toEqual({
      ...wantedContractKey(contract),
      expiresAt: start / 1_000 + 86_400,
    })
  })

  test('D153: not with as many reads on two days', async () => {
    const read = newContainer(2)
    await read(readOf())
    wait(day)
    await read(readOf())
    expect(await wanted()).toEqual([])
  })

  test('D153: only if it is unknown to its reader', async () => {
    await newContainer(1)(readOf({ isUnknown: false }))
    expect(await wanted()).toEqual([])
  })

  test('D153: noted by a container at most once an hour', async () => {
    const read = newContainer(1)
    await read(readOf())
    await uses.settleWanted(contract)
    wait(60 * minute - 1)
    expect(await read(readOf())).toEqual(['UpdateItem'])
    wait(minute)
    expect(await read(readOf())).toEqual(['UpdateItem', 'PutItem'])
  })
})
