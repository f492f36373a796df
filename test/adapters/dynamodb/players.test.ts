import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { dynamoForgottenPlayers } from '../../../lib/adapters/dynamodb/forgotten-players.ts'
import { playerKey } from '../../../lib/adapters/dynamodb/keys/player-partition.ts'
import { dynamoPlayerTokenCounts } from '../../../lib/adapters/dynamodb/player-token-counts.ts'
import { dynamoPlayers } from '../../../lib/adapters/dynamodb/players.ts'
import { dynamoWalletLists } from '../../../lib/adapters/dynamodb/wallet-lists.ts'
import { dynamoWalletOwners } from '../../../lib/adapters/dynamodb/wallet-owners.ts'
import { RateLimited, ServiceUnavailable } from '../../../lib/domain/failures.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { newUserId, newWallet, passSeconds, permitted, startTable } from './stored-fixture.ts'

const { firstAttemptsOf, items, processOnly, refuse, table } = await startTable()
const players = dynamoPlayers(table)
const walletOwners = dynamoWalletOwners(table)
const walletLists = dynamoWalletLists(table)

const newUser = { username: 'tessaly', at: 1_700_000_000 }

const nobody = { wallets: [], addedAt: [], version: '' }

/** The player whom a token of now is about. */
const playerOf = (userId: number) => players.get({ userId, issuedAt: Date.now() / 1000 })

test('D98: the owner of a wallet changes only from what it is', async () => {
  const wallet = newWallet()
  const noOwner = { generation: 0 }
  const owners = [
    noOwner,
    { generation: 0, userId: 7, isJoining: true },
    { generation: 0, userId: 7 },
    { generation: 1 },
    { generation: 1, userId: 8 },
  ] as const
  for (const [index, owner] of owners.entries()) {
    expect(await walletOwners.get(wallet)).toEqual(owner)
    for (const other of owners.filter((each) => each !== owner)) {
      expect(await walletOwners.replace(wallet, other, { generation: 9 })).toBe(false)
    }
    const next = owners[index + 1] ?? noOwner
    expect(await walletOwners.replace(wallet, owner, next)).toBe(true)
  }
})

test('D98: a list changes only from its version, and stores a new user', async () => {
  const userId = newUserId()
  const wallets = [newWallet(), newWallet()]
  const none = await walletLists.get(userId)
  expect(none).toEqual(nobody)
  expect(await walletLists.replace(userId, none, wallets, newUser)).toBe(true)
  expect(await playerOf(userId)).toEqual({ userId, username: 'tessaly', wallets })
  expect(await walletLists.replace(userId, none, [], newUser)).toBe(false)
  const first = await walletLists.get(userId)
  const { username, at } = newUser
  expect(first).toEqual({ username, wallets, addedAt: [at, at], version: expect.any(String) })
  const later = { username: 'somebody else', at: at + 60 }
  const next = [...wallets.slice(1), newWallet()]
  expect(await walletLists.replace(userId, first, next, later)).toBe(true)
  expect(await playerOf(userId)).toEqual({ userId, username, wallets: next })
  expect(await walletLists.get(userId)).toMatchObject({ wallets: next, addedAt: [at, at + 60] })
})

test('D98: a fence makes a change fail that began before it, also of a user who is not stored', async () => {
  const userId = newUserId()
  const none = await walletLists.get(userId)
  expect(await walletLists.fence(userId, none)).toBe(true)
  expect(await walletLists.fence(userId, none)).toBe(false)
  expect(await walletLists.replace(userId, none, [newWallet()], newUser)).toBe(false)
  expect(await playerOf(userId)).toBeUndefined()
  const fenced = await walletLists.get(userId)
  expect(fenced).toEqual({ ...nobody, version: expect.any(String) })
  expect(await walletLists.replace(userId, fenced, [newWallet()], newUser)).toBe(true)
  expect(await playerOf(userId)).toMatchObject({ username: 'tessaly' })
})

test('D102: a sign-out is noted with the user, the latest one stays, and a list keeps it', async () => {
  const userId = newUserId()
  await walletLists.signOut(userId, 1_000)
  expect(await walletLists.get(userId)).toEqual(nobody)
  const wallets = [newWallet()]
  await walletLists.replace(userId, await walletLists.get(userId), wallets, newUser)
  await walletLists.signOut(userId, 2_000)
  await walletLists.signOut(userId, 1_000)
  const signedOut = { ...(await walletLists.get(userId)), signedOutAt: 2_000 }
  expect(await walletLists.get(userId)).toEqual(signedOut)
  expect(await walletLists.fence(userId, signedOut)).toBe(true)
  expect(await walletLists.get(userId)).toEqual({
    ...signedOut,
    version: expect.any(String),
  })
  expect(await playerOf(userId)).toEqual({ userId, username: 'tessaly', wallets })
  await dynamoForgottenPlayers(table).forget(userId)
  await walletLists.signOut(userId, 3_000)
  expect(await walletLists.get(userId)).toEqual(nobody)
})

test('D103: a sign-out ends the player tokens of its second and before, and no later ones', async () => {
  const userId = newUserId()
  await walletLists.replace(userId, await walletLists.get(userId), [newWallet()], newUser)
  const second = Math.floor(Date.now() / 1000)
  const isValid = async (issuedAt: number) =>
    (await players.get({ userId, issuedAt })) !== undefined
  expect(await isValid(second)).toBe(true)
  await walletLists.signOut(userId, second * 1000 + 999)
  expect(await isValid(second)).toBe(false)
  expect(await isValid(second + 1)).toBe(true)
})

test('D104: a user who is stored gets another name, and nobody else is stored', async () => {
  const [userId, stranger] = [newUserId(), newUserId()]
  await walletLists.replace(userId, await walletLists.get(userId), [newWallet()], newUser)
  await walletLists.rename(userId, 'a new name')
  expect(await playerOf(userId)).toMatchObject({ username: 'a new name' })
  await walletLists.rename(stranger, 'nobody')
  await dynamoForgottenPlayers(table).forget(userId)
  await walletLists.rename(userId, 'forgotten')
  for (const nobody of [userId, stranger])
    expect((await items.get(playerKey(nobody))) ?? {}).not.toHaveProperty('username')
})

test('D48, D98: a forgotten user is not stored again by a change that began before', async () => {
  const userId = newUserId()
  await walletLists.replace(userId, nobody, [newWallet()], newUser)
  const list = await walletLists.get(userId)
  await dynamoForgottenPlayers(table).forget(userId)
  for (const before of [list, nobody]) {
    expect(await walletLists.replace(userId, before, [newWallet()], newUser)).toBe(false)
    expect(await walletLists.fence(userId, before)).toBe(true)
  }
  expect(await playerOf(userId)).toBeUndefined()
})

const newPlayer = () => ({
  userId: randomInt(2 ** 47),
  username: '\u{1f3ee} neo',
  wallets: [addressOf(1), addressOf(2)],
})

describe('D23: players', () => {
  const stored = (userId: number) => players.get({ userId, issuedAt: 0 })

  test('D23: an older user JWT overwrites nothing; a user JWT of the same second overwrites', async () => {
    const player = newPlayer()
    await players.record(player, 100)
    await players.record({ ...player, username: 'older' }, 99)
    expect(await stored(player.userId)).toEqual(player)
    await players.record({ ...player, username: 'same' }, 100)
    expect((await stored(player.userId))?.username).toBe('same')
  })

  test('D23: the latest user JWT is stored, whatever the order of arrival', async () => {
    const player = newPlayer()
    const issued = [5, 3, 8, 1, 9, 2]
    await Promise.all(issued.map((at) => players.record({ ...player, username: `${at}` }, at)))
    expect((await stored(player.userId))?.username).toBe('9')
  })
})

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
