import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { dynamoContractUses } from '../../../../lib/adapters/dynamodb/keeping/contract-uses.ts'
import { dynamoNotedReads } from '../../../../lib/adapters/dynamodb/keeping/noted-reads.ts'
import {
  contractChoiceKey,
  contractUseKey,
  wantedContractKey,
} from '../../../../lib/adapters/dynamodb/keys/kept-partitions.ts'
import type { ContractKey } from '../../../../lib/domain/nft/nft.ts'
import type { ContractRead } from '../../../../lib/domain/ports/contract-use.ts'
import { dayOf } from '../../../../lib/domain/usage/usage.ts'
import { downstreamCalls } from '../../../../lib/observability/downstream-calls.ts'
import { addressOf } from '../../../../simulation/memory-chain.ts'
import { productId } from '../../../support/memory/owned-nfts.ts'
import { now, startStored } from '../stored-fixture.ts'

const { aws, items, refuse, requestsOf, table } = await startStored()
const uses = dynamoContractUses(table)
const contract = { chain: 'POLYGON', address: addressOf(0xc1) } as const
const wallet = addressOf(0xa)
const day = 86_400_000
const minute = 60_000

const readOf = (changes: Partial<ContractRead> = {}): ContractRead => ({
  ...{ contract, productId, wallet, isUnknown: true },
  ...changes,
})

/** A container, whose requests read contracts. Returns the actions of a request. */
function newContainer(keptFromReads = 1_000) {
  const noted = dynamoNotedReads(table, { keptFromReads })
  return (...reads: ContractRead[]) =>
    requestsOf(() => downstreamCalls.during(async () => noted.note(reads)))
}

const readsOf = async (key: ContractKey = contract) => (await uses.of(key))?.reads
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
    onTestFinished(() => void vi.restoreAllMocks())
    await newContainer()(readOf())
    expect(await items.get(contractUseKey(contract, dayOf(now)))).toEqual({
      ...contractUseKey(contract, dayOf(now)),
      ...{ reads: 1, readAt: now, productId, wallet12: wallet },
      expiresAt: Math.floor(now / day) * 86_400 + 9 * 86_400,
    })
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
    expect(await countOn(now)).toBe(1)
    expect(await countOn(now + day)).toBe(1)
  })

  test('D153: that is refused by DynamoDB is sent once, fails nothing, and counts in the next minute', async () => {
    const read = newContainer()
    refuse('ThrottlingException')
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
      const writesOfContract: unknown[] = []
      const send = async ({ input }: { input: object }) => {
        writesOfContract.push(JSON.stringify(input).includes('#POLYGON#'))
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
      expect(writesOfContract.filter((isOfContract) => isOfContract)).toHaveLength(writes)
    },
  )

  test('D153: of a known contract is written every ten minutes', async () => {
    const read = newContainer()
    const known = readOf({ isUnknown: false })
    expect(await read(known)).toEqual(['UpdateItem'])
    wait(10 * minute - 1)
    expect(await read(known)).toEqual([])
    wait(1)
    expect(await read(known)).toEqual(['UpdateItem'])
  })
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
      expiresAt: now / 1_000 + 86_400,
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
    expect(await wanted()).toEqual([])
    wait(60 * minute - 1)
    expect(await read(readOf())).toEqual(['UpdateItem'])
    wait(minute)
    expect(await read(readOf())).toEqual(['UpdateItem', 'PutItem'])
  })
})

/** Stores reads that were last written at a moment. */
const used = (readAt: number, attributes: object = {}, key: ContractKey = contract) =>
  items.put(contractUseKey(key, dayOf(readAt)), {
    ...{ readAt, reads: 1, productId: 'one', wallet3: addressOf(1), ...attributes },
  })

describe('D153: the use of a contract', () => {
  test('D153: is that of all its days in the last seven, with the wallets and the product of the latest', async () => {
    await used(now - 7 * day, { reads: 5, productId: 'two', wallet0: addressOf(2) })
    await used(now - day, { reads: 7, productId: 'three', wallet24: addressOf(3) })
    await used(now, {}, { ...contract, address: addressOf(0xc2) })
    expect(await uses.of(contract)).toEqual({
      ...{ readAt: now - day, reads: 12, productId: 'three' },
      wallets: [addressOf(1), addressOf(3), addressOf(2)],
    })
  })

  test('D153: is none if nothing was written in the last seven days', async () => {
    expect(await uses.of(contract)).toBeUndefined()
    await used(now - 7 * day - 1)
    expect(await uses.of(contract)).toBeUndefined()
    await used(now - 7 * day)
    expect(await uses.of(contract)).toMatchObject({ reads: 1 })
  })

  test('D153: is without a day whose item is damaged', async () => {
    await used(now, { reads: 'many' })
    await used(now - day, { reads: 2 })
    expect(await uses.of(contract)).toMatchObject({ readAt: now - day, reads: 2 })
  })
})

test('D153: what the worker knows of its choice changes only from what was read', async () => {
  const none = await uses.choice()
  expect(none).toEqual({ lookFrom: 0, isFull: false, swapFrom: 0 })
  const looked = { ...none, lookFrom: now }
  expect(await uses.noteChoice(looked, none)).toBe(true)
  expect(await uses.noteChoice({ ...none, swapFrom: now }, none)).toBe(false)
  const swapped = { ...looked, isFull: true, swapFrom: now }
  expect(await uses.noteChoice(swapped, looked)).toBe(true)
  expect(await uses.noteChoice({ ...swapped, swapFrom: now + 1 }, looked)).toBe(false)
  expect(await uses.choice()).toEqual(swapped)
  await items.put(contractChoiceKey, { lookFrom: 'x' })
  expect(await uses.choice()).toEqual(none)
})
