import { describe, expect, test } from 'vitest'
import { followedContractKey } from '../../../lib/adapters/dynamodb/keys/follow-partition.ts'
import { dynamoNftEventLog } from '../../../lib/adapters/dynamodb/nft-event-log.ts'
import { tokenIdOf } from '../../../lib/domain/allowlist/token-id.ts'
import type { LogEntry } from '../../../lib/domain/nft-events/nft-event.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { alice } from '../../support/follower/followed.ts'
import { day, followedTable, position, start } from '../../support/follower/stored-notes.ts'
import { startStored } from './stored-fixture.ts'

const { requestsOf, table } = await startStored()
const { get, notes, put } = followedTable(table)
const log = dynamoNftEventLog(table)
const chain = 'POLYGON'
const contract = { chain, address: addressOf(0xc1) } as const
const hash = `0x${'5c'.repeat(32)}`

const transfer = (number: number, logIndex: number, count = 1, amount = '1'): LogEntry => ({
  block: { number, hash, at: start + number * 1_000 },
  logIndex,
  transactionHash: `0x${logIndex}`,
  content: {
    ...{ kind: 'transfer', from: alice, to: null },
    tokens: Array.from({ length: count }, (_, index) => ({
      tokenId: tokenIdOf(BigInt(index)),
      amount,
    })),
  },
})

const write = (...entries: LogEntry[]) =>
  notes.log(chain, [{ contract: contract.address, entries }])

describe('D117: the log of a contract', () => {
  test('is read as it was written, in the order of the chain, from a place to a block', async () => {
    const missed: LogEntry = {
      block: { number: 9, hash, at: start },
      content: { kind: 'missed', reason: 'gap', fromBlock: 3, toBlock: 8 },
    }
    const metadata: LogEntry = {
      block: { number: 9, hash, at: start },
      logIndex: 0,
      transactionHash: '0x0',
      content: {
        kind: 'metadata',
        fromTokenId: tokenIdOf(1n),
        toTokenId: tokenIdOf(2n ** 256n - 1n),
      },
    }
    const all = [missed, metadata, transfer(9, 2, 1, '5'), transfer(10, 1), transfer(110, 0)]
    await write(...all.toReversed())
    await write(...all)
    const read = async (from: { block: number; logIndex?: number }, upTo = 200, limit = 100) => {
      const { entries, hasMore } = await log.entries(contract, { from, upTo, limit })
      return [entries.map(({ place: _, ...entry }) => entry), hasMore]
    }
    expect(await read({ block: 0 })).toEqual([all, false])
    expect(await read({ block: 9 }, 9)).toEqual([all.slice(0, 3), false])
    expect(await read({ block: 9, logIndex: 0 }, 109)).toEqual([all.slice(1, 4), false])
    expect(await read({ block: 9, logIndex: 1 })).toEqual([all.slice(2), false])
    // One more than wanted, because the reader can have seen all of the first.
    expect(await read({ block: 9 }, 200, 2)).toEqual([all.slice(0, 3), true])
    expect(await read({ block: 111 })).toEqual([[], false])
  })

  test('has a transfer of many NFTs in parts, of which the one of a place is read', async () => {
    await write(transfer(9, 2, 1_001, `${2n ** 256n - 1n}`))
    const sizes = async (place: number) => {
      const from = { block: 9, logIndex: 2, place }
      const { entries } = await log.entries(contract, { from, upTo: 9, limit: 100 })
      return entries.map(({ place: at, content }) => [
        at,
        content.kind === 'transfer' && content.tokens.length,
      ])
    }
    expect(await sizes(0)).toEqual([
      [0, 500],
      [500, 500],
      [1_000, 1],
    ])
    expect(await sizes(999)).toEqual([
      [500, 500],
      [1_000, 1],
    ])
    expect(await sizes(1_000)).toEqual([[1_000, 1]])
  })

  test('is kept for seven days, as are the milestones of its chain', async () => {
    await write(transfer(9, 2))
    await notes.noteMilestone(chain, { number: 5, hash, at: start + 5_000 })
    const end = start / 1_000 + 7 * 86_400
    expect(
      await get({
        pk: `FOLLOW#POLYGON#${contract.address}`,
        sk: `${'9'.padStart(16, '0')}#00000002#00000000`,
      }),
    ).toMatchObject({ expiresAt: end + 9 })
    expect(
      await get({ pk: 'FOLLOW#POLYGON', sk: `MILESTONE#${'5'.padStart(16, '0')}` }),
    ).toMatchObject({ expiresAt: end + 5 })
  })
})

describe('D117: how far the log is complete', () => {
  const part = { loggedUpTo: { number: 90, at: start - 65_000 }, contracts: 3 }
  const logged = { ...part, seen: { [contract.address]: [91, 91, 95] } }

  test('is what the follower has noted with its position', async () => {
    await notes.lease(chain, 'one', 40_000)
    await notes.moveTo(chain, 'one', { ...position(), log: logged }, undefined)
    expect((await notes.position(chain))?.log).toMatchObject(logged)
    expect((await log.positions([chain, 'BSC'])).get(chain)).toMatchObject(part)
    expect((await log.positions(['BSC'])).size).toBe(0)
    await notes.moveTo(chain, 'one', { ...position(), step: 8 }, position())
    expect(await notes.position(chain)).not.toHaveProperty('log')
    expect((await log.positions([chain])).size).toBe(0)
  })
})

describe('D117: milestones', () => {
  test('say between which blocks a time lies', async () => {
    const around = (milliseconds: number) => log.milestonesAround(chain, start + milliseconds)
    expect(await around(0)).toEqual({ before: 0 })
    for (let number = 1; number <= 20; number += 1) {
      await notes.noteMilestone(chain, { number: number * 300, hash, at: start + number * 600_000 })
    }
    expect((await notes.milestones(chain)).map(({ number }) => number / 300)).toEqual(
      Array.from({ length: 20 }, (_, index) => 20 - index),
    )
    expect(await around(13_000_000)).toEqual({ before: 6_000 })
    expect(await around(1_800_000)).toEqual({ before: 900, after: 900 })
    expect(await around(1_799_999)).toEqual({ before: 600, after: 900 })
    // The latest ones first, and then all others at once.
    const first = async () => expect(await around(0)).toEqual({ before: 0, after: 300 })
    expect(await requestsOf(first)).toEqual(['Query', 'Query'])
  })
})

describe('D119: a watch', () => {
  test('keeps what the follower has noted of the contract', async () => {
    const key = followedContractKey(contract)
    await put(key, { suspendedUntil: start + 1 })
    const never = { watchedUntil: 0, pushedUntil: 0, refusedUntil: 0 }
    const others = [contract, { ...contract, address: addressOf(2) }]
    expect(await log.leases(others)).toEqual([never, never])
    await log.watch([contract], { until: start + day, isPushed: false })
    expect(await log.leases([contract])).toEqual([{ ...never, watchedUntil: start + day }])
    expect(await get(key)).toMatchObject({
      ...{ suspendedUntil: start + 1, watchedUntil: start + day },
      expiresAt: start / 1_000 + 2 * 86_400,
    })
    expect(await notes.contracts(chain)).toMatchObject([{ watchedUntil: start + day }])
    await log.watch([contract], { until: start + 2 * day, isPushed: true })
    const both = { watchedUntil: start + 2 * day, pushedUntil: start + 2 * day }
    expect(await log.leases([contract])).toEqual([{ ...never, ...both }])
    const [followed] = await notes.contracts(chain)
    expect(followed).toMatchObject(both)
    const until = { suspendedUntil: start + 2, refusedUntil: start + 2 }
    if (followed) await notes.noteContracts(chain, [{ from: followed, ...until }])
    expect(await notes.contracts(chain)).toMatchObject([until])
    expect(await log.leases([contract])).toEqual([{ ...both, refusedUntil: start + 2 }])
  })
})
