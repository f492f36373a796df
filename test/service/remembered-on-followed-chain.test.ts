import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ownedBy } from '../../local/indexer/holdings.ts'
import { numbers } from '../../local/samples/samples.ts'
import { tableOf } from '../support/aws/table.ts'
import { holdRounds } from '../support/proxies/rounds.ts'
import { allowlist } from '../support/requests/reading.ts'
import {
  type Holder,
  remembered,
  rememberedReads,
  tokenIdsOf,
} from '../support/requests/remembered-reads.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAddress } from '../support/services/service.ts'

const service = await startCountedService()
const table = tableOf(service)
const { holder, reader } = rememberedReads(service)

describe('D66: on a followed chain', () => {
  const following = { FOLLOWED_CHAINS: 'POLYGON', SETTLING_SECONDS: '0' }
  const put = (Item: object) => table.client.send(new PutCommand({ TableName: table.name, Item }))

  /** Notes that the follower has confirmed its notes up to a moment, and that a caller has read the chain just now. */
  const noteConfirmed = (at: number) =>
    put({
      pk: 'FOLLOW#POLYGON',
      sk: 'POSITION',
      head: { number: 1, at, hash: '0x1' },
      confirmedUpTo: at,
      distrustedBefore: 0,
      askedAt: Date.now(),
    })

  /** Notes that a contract is followed, beside the lease of a read. */
  const noteContract = async (address: string) => {
    const item = (await table.itemsUnder('FOLLOW#')).find(({ sk }) => sk.endsWith(address))
    expect(item).toMatchObject({ leasedUntil: expect.any(Number), expiresAt: expect.any(Number) })
    await put({ ...item, since: { number: 1, at: 0 } })
  }

  test('an answer is remembered while the follower is up to date and nothing moves', async () => {
    const of = await holder()
    const read = reader(following)
    await noteConfirmed(Date.now())
    const first = (await read(of)).json.asOf
    await noteContract(of.contract.address)
    const confirmed = Date.now()
    await noteConfirmed(confirmed)
    const counts = await service.countsOf(async () => {
      const { json } = await read(of)
      expect(Date.parse(json.asOf)).toBe(confirmed)
      expect(json.asOf > first).toBe(true)
    })
    // The first use after the settling time asks for the block of the answer, and notes that it is part of the chain.
    expect(counts).toEqual({ ...remembered, eth_getBlockByNumber: 1, UpdateItem: 1 })
    expect(await service.countsOf(() => read(of))).toEqual(remembered)
  })

  /** A player whose answer is remembered, and the container that has read it. */
  async function rememberedHolder() {
    const of = await holder()
    const read = reader(following)
    await noteConfirmed(Date.now())
    await read(of)
    await noteContract(of.contract.address)
    await noteConfirmed(Date.now())
    // The block of the answer is found in the chain.
    await read(of)
    return { of, read }
  }

  async function roundsOf(sizes: readonly number[], read: () => Promise<{ status: number }>) {
    const { rounds, onRequest } = holdRounds(sizes)
    service.interfere(onRequest)
    onTestFinished(() => service.interfere(() => undefined))
    expect((await read()).status).toBe(200)
    return rounds
  }

  test('Budget: three requests in two rounds in a container that has answered the read before', async () => {
    const { of, read } = await rememberedHolder()
    expect(await roundsOf([2, 1], () => read(of))).toEqual([
      // The product, the player and how far the chain is read; and the contracts.
      ['BatchGetItem', 'Query'],
      // What is kept, what can make it out of date, and the allowlist.
      ['BatchGetItem'],
    ])
  })

  test('Budget: four rounds of requests in a new container', async () => {
    const { of } = await rememberedHolder()
    const read = reader(following)
    expect(await roundsOf([1, 2, 1], () => read(of))).toEqual([
      // The API key.
      ['GetItem'],
      // The product, the player and how far the chain is read; and the contracts.
      ['BatchGetItem', 'Query'],
      // What is kept and what can make it out of date, and then the allowlist.
      ['BatchGetItem'],
      ['BatchGetItem'],
    ])
  })

  test('nothing but the product is read for a player token that is not valid', async () => {
    const { of, read } = await rememberedHolder()
    const forged = { ...of, playerToken: `${of.playerToken.slice(0, -8)}AAAAAAAA` }
    const counts = await service.countsOf(async () => {
      expect((await read(forged)).status).toBe(401)
    })
    expect(counts).toEqual({ GetItem: 1 })
  })

  test('the indexer is asked about a contract that was connected since the container has listed them', async () => {
    const { of, read } = await rememberedHolder()
    const contract = { ...of.contract, address: newAddress(), tokenIds: ['7'] }
    ownedBy(service.world, { network: 'polygon-mainnet', address: contract.address }, of.wallet, [
      '7',
    ])
    await allowlist(service, of.apiKey, contract)
    const counts = await service.countsOf(async () => {
      const answer = await read(of)
      expect(tokenIdsOf(answer).toSorted()).toEqual([...numbers(1, 10), '7'].toSorted())
    })
    expect(counts).toMatchObject({ getNFTsForOwner: 1 })
  })

  test('no position is read for a caller who accepts nothing that is kept', async () => {
    const { of, read } = await rememberedHolder()
    const counts = await service.countsOf(() =>
      read(of, { headers: { 'cache-control': 'no-cache' } }),
    )
    expect(counts).toEqual({
      ...{ Query: 1, BatchGetItem: 2 },
      ...{ getNFTsForOwner: 1, PutItem: 1 },
    })
  })

  test.each([
    ['has not followed the contract', async () => undefined],
    [
      'is behind',
      async ({ contract }: Holder) => {
        await noteContract(contract.address)
        await noteConfirmed(Date.now() - 61_000)
      },
    ],
    [
      'has noted a movement',
      async ({ contract, wallet }: Holder) => {
        await noteContract(contract.address)
        const sk = `MOVED#POLYGON#${contract.address}`
        await put({ pk: `WALLET#${wallet}`, sk, block: 2, at: Date.now() + 1_000 })
      },
    ],
    [
      'has left a position that cannot be read',
      async ({ contract }: Holder) => {
        await noteContract(contract.address)
        await put({ pk: 'FOLLOW#POLYGON', sk: 'POSITION', head: 'x' })
      },
    ],
  ])('the indexer is asked if the follower %s', async (_, note) => {
    const of = await holder()
    const read = reader(following)
    await noteConfirmed(Date.now())
    await read(of)
    await note(of)
    const counts = await service.countsOf(() => read(of))
    expect(counts).toMatchObject({ getNFTsForOwner: 1 })
  })
})
