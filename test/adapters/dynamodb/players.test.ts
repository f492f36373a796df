import { randomInt } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { dynamoForgottenPlayers } from '../../../lib/adapters/dynamodb/forgotten-players.ts'
import { playerKey } from '../../../lib/adapters/dynamodb/keys/player-partition.ts'
import { dynamoPlayers } from '../../../lib/adapters/dynamodb/players.ts'
import { dynamoWalletLists } from '../../../lib/adapters/dynamodb/wallet-lists.ts'
import { dynamoWalletOwners } from '../../../lib/adapters/dynamodb/wallet-owners.ts'
import { addressOf } from '../../../simulation/memory-chain.ts'
import { newUserId, newWallet, startTable, tappedTable } from './stored-fixture.ts'

const { items, table } = await startTable()
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

test('D98: a repeated write of an owner counts, but not after the user was forgotten', async () => {
  const [userId, wallet] = [newUserId(), newWallet()]
  await walletLists.replace(userId, await walletLists.get(userId), [wallet], newUser)
  const sent: Parameters<typeof table.client.send>[0][] = []
  const watched = dynamoWalletOwners(tappedTable(table, (command) => sent.push(command)))
  const owner = { generation: 0, userId }
  expect(await watched.replace(wallet, { generation: 0 }, owner)).toBe(true)
  const repeat = async () => await Promise.all(sent.map((each) => table.client.send(each)))
  await repeat()
  expect(await walletOwners.get(wallet)).toEqual(owner)
  await dynamoForgottenPlayers(table).forget(userId)
  await expect(repeat()).rejects.toThrow()
  expect(await walletOwners.get(wallet)).toEqual({ generation: 1 })
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

describe('D23: players', () => {
  const stored = (userId: number) => players.get({ userId, issuedAt: 0 })

  const newPlayer = () => ({
    userId: randomInt(2 ** 47),
    username: '\u{1f3ee} neo',
    wallets: [addressOf(1), addressOf(2)],
  })

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
