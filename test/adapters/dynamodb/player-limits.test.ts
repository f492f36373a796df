import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { playerKey } from '../../../lib/adapters/dynamodb/keys/player-partition.ts'
import { dynamoPlayerTokenCounts } from '../../../lib/adapters/dynamodb/player-token-counts.ts'
import { dynamoPlayers } from '../../../lib/adapters/dynamodb/players.ts'
import { RateLimited, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { passSeconds, permitted, startTable } from './stored-fixture.ts'

const { firstAttemptsOf, items, processOnly, refuse, table } = await startTable()
const players = dynamoPlayers(table)

const newPlayer = () => ({ userId: randomInt(2 ** 47), username: 'neo', wallets: [] })

describe('D47: player tokens by user', () => {
  const limit = { name: 'player_tokens', count: 5, perSeconds: 3_600 } as const
  test('D47: exactly the count is granted, also to parallel requests of several processes', async () => {
    passSeconds(0)
    const player = newPlayer()
    const processes = Array.from({ length: 3 }, () => dynamoPlayers(table))
    const calls = Array.from({ length: 30 }, (_, index) =>
      (processes[index % 3] as typeof players).record(player, 100 + (index % 2), limit),
    )
    const { count, refusals } = await permitted(calls)
    expect(count).toBe(5)
    expect(refusals[0]).toMatchObject({ limit, retryAfterSeconds: expect.any(Number) })
    expect((await permitted([players.record(player, 200, limit)])).count).toBe(0)
    passSeconds(3_600 / 5)
    expect((await permitted([players.record(player, 200, limit)])).count).toBe(1)
  })

  test('D47: most sign-ins make one write; a read and a second write follow only when needed', async () => {
    const player = newPlayer()
    const signIn = (issuedAt: number) =>
      firstAttemptsOf(() => players.record(player, issuedAt, limit))
    expect(await signIn(100)).toEqual(['UpdateItem'])
    expect(await signIn(101)).toEqual(['UpdateItem', 'GetItem', 'UpdateItem'])
    passSeconds(3_600)
    expect(await signIn(102)).toEqual(['UpdateItem'])
    passSeconds(3_600)
    // An older user JWT is counted, and changes nothing else.
    expect(await signIn(50)).toEqual(['UpdateItem', 'GetItem', 'UpdateItem'])
    expect(await players.get({ userId: player.userId, issuedAt: 0 })).toEqual(player)
  })

  test('D47: other users have limits of their own', async () => {
    const calls = Array.from({ length: 8 }, () => players.record(newPlayer(), 100, limit))
    expect((await permitted(calls)).count).toBe(8)
  })

  test('D103: the player tokens of refresh tokens count with the others, exactly', async () => {
    passSeconds(0)
    const player = newPlayer()
    await players.record(player, 100, limit)
    const counts = dynamoPlayerTokenCounts(table, limit)
    const calls = Array.from({ length: 20 }, () => counts.count(player.userId))
    expect((await permitted(calls)).count).toBe(4)
    expect((await permitted([players.record(player, 200, limit)])).count).toBe(0)
    passSeconds(3_600 / 5)
    expect((await permitted([counts.count(player.userId)])).count).toBe(1)
    const itemOf = (userId: number) => items.get(playerKey(userId))
    // The player stays, and nobody is stored who has not signed in.
    expect(await itemOf(player.userId)).not.toHaveProperty('expiresAt')
    const nobody = newPlayer().userId
    await expect(counts.count(nobody)).rejects.toThrow(ServiceUnavailable)
    expect(await itemOf(nobody)).toBeUndefined()
    const unlimited = dynamoPlayerTokenCounts(table, undefined)
    expect(await firstAttemptsOf(() => unlimited.count(player.userId))).toEqual([])
  })
})

describe('D47: the requests of a player', () => {
  const limits = [{ name: 'player_details', count: 4, perSeconds: 60 } as const]

  async function storedPlayer() {
    // The clock stands still, because the machine may be slow.
    passSeconds(0)
    const player = newPlayer()
    await players.record(player, 100)
    const token = { userId: player.userId, issuedAt: 100 }
    // Like a request, it ends when what it counts is written.
    const ask = (from = players) => downstreamCalls.during(() => from.get(token, limits))
    return { player, ask }
  }

  test('D47: are counted after they are judged, and refused from the count on', async () => {
    const { player, ask } = await storedPlayer()
    for (let request = 0; request < 4; request += 1) expect(await ask()).toEqual(player)
    await expect(ask()).rejects.toThrow(RateLimited)
    passSeconds(15)
    expect(await ask()).toEqual(player)
    await expect(ask()).rejects.toThrow(RateLimited)
  })

  test('D47: parallel requests of several processes exceed the count by at most their number', async () => {
    const { ask } = await storedPlayer()
    const processes = Array.from({ length: 3 }, () => dynamoPlayers(table))
    const round = () =>
      Promise.allSettled(
        Array.from({ length: 9 }, (_, index) => ask(processes[index % 3] as typeof players)),
      )
    const granted = (await round()).filter(({ status }) => status === 'fulfilled').length
    expect(granted).toBeGreaterThanOrEqual(4)
    // All of them were counted, so the whole excess is paid back first.
    expect((await round()).every(({ status }) => status === 'rejected')).toBe(true)
    passSeconds(15 * (granted - 4))
    await expect(ask()).rejects.toThrow(RateLimited)
    passSeconds(15)
    expect(await ask()).toBeDefined()
  })

  test('D47: the counters are read with the player in one request, and written in another', async () => {
    const { ask } = await storedPlayer()
    expect(await firstAttemptsOf(ask)).toEqual(['BatchGetItem of 2', 'UpdateItem'])
  })

  test('D47: counters that cannot be read or written refuse nobody', async () => {
    const { player, ask } = await storedPlayer()
    processOnly(...Array(6).fill([playerKey(player.userId)]))
    for (let request = 0; request < 6; request += 1) expect(await ask()).toEqual(player)
    refuse('ProvisionedThroughputExceededException', 'UpdateItem')
    passSeconds(120)
    for (let request = 0; request < 6; request += 1) expect(await ask()).toEqual(player)
  })
})
