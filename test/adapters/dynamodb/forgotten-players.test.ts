import { randomInt, randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { dynamoForgottenPlayers } from '../../../lib/adapters/dynamodb/forgotten-players.ts'
import { dynamoKeptBalances } from '../../../lib/adapters/dynamodb/kept-balances.ts'
import { dynamoPlayers } from '../../../lib/adapters/dynamodb/players.ts'
import { dynamoUserIds } from '../../../lib/adapters/dynamodb/user-ids.ts'
import { dynamoWalletLists } from '../../../lib/adapters/dynamodb/wallet-lists.ts'
import { dynamoWalletOwners } from '../../../lib/adapters/dynamodb/wallet-owners.ts'
import { InvalidUserJwt } from '../../../lib/domain/credential-failures.ts'
import { walletAt } from '../../../lib/domain/nft/wallet.ts'
import { userOfWallet } from '../../../lib/domain/sign-in/wallet-users.ts'
import { downstreamCalls } from '../../../lib/observability/downstream-calls.ts'
import { newUserId, newWallet, startTable, tappedTable } from './stored-fixture.ts'

const { aws, firstAttemptsOf, items, table } = await startTable()
const players = dynamoPlayers(table)
const userIds = dynamoUserIds(table)
const forgotten = dynamoForgottenPlayers(table)
const walletPorts = {
  userIds,
  walletOwners: dynamoWalletOwners(table),
  walletLists: dynamoWalletLists(table),
}

/** Stops the clock at a whole second, this many seconds after the first one. */
const start = Math.ceil(Date.now() / 1000)
const at = (seconds: number): number => {
  vi.useFakeTimers({ toFake: ['Date'], now: (start + seconds) * 1000 })
  return start + seconds
}

const limits = [{ name: 'player_details', count: 100, perSeconds: 60 } as const]
const newPlayer = (userId = randomInt(2 ** 47)) => ({ userId, username: 'neo', wallets: [] })

/** Forgets a user in a process that ends before one of its writes. Returns their number if it does not come so far. */
async function forgetBefore(failing: number, userId: number): Promise<number | undefined> {
  let writes = 0
  aws.interfere({
    onRequest: ({ action }) => {
      if (/Put|Update|Delete|BatchWrite/.test(action)) writes += 1
      return writes >= failing ? { status: 400, body: { __type: 'x#Killed' } } : undefined
    },
  })
  const isDone = await forgotten.forget(userId).then(
    () => true,
    () => false,
  )
  aws.interfere({})
  return isDone ? writes : undefined
}

describe('D48: forgetting a player', () => {
  test('D48: leaves the id and the time, and nothing else', async () => {
    const signIn = at(0)
    const player = newPlayer()
    const { userId } = player
    await players.record(player, signIn)
    await downstreamCalls.during(() => players.get({ userId, issuedAt: signIn }, limits))
    expect(await items.with(userId)).toHaveLength(2)
    const forgottenAt = at(10)
    expect(await forgotten.forget(userId)).toBe(true)
    expect(await items.with(userId)).toEqual([
      {
        pk: `PLAYER#${userId}`,
        sk: 'PROFILE',
        userId,
        issuedAt: forgottenAt,
        forgottenAt,
        expiresAt: forgottenAt + 86_400,
      },
    ])
    expect(await forgotten.forget(userId)).toBe(false)
  })

  test('D48: tokens from before are refused, also after a new sign-in, which is one request to read', async () => {
    const player = newPlayer()
    const { userId } = player
    await players.record(player, at(0))
    const forgottenAt = at(10)
    await forgotten.forget(userId)
    const read = (issuedAt: number) => players.get({ userId, issuedAt })
    expect(await read(forgottenAt + 5)).toBeUndefined()
    // A user JWT from before does not bring the player back.
    for (const issuedAt of [forgottenAt - 5, forgottenAt]) {
      await expect(players.record(player, issuedAt)).rejects.toThrow(InvalidUserJwt)
    }
    expect(await read(forgottenAt + 5)).toBeUndefined()
    at(20)
    await players.record(player, forgottenAt + 5)
    expect(await read(forgottenAt)).toBeUndefined()
    const readIt = async () => expect(await read(forgottenAt + 5)).toEqual(player)
    expect(await firstAttemptsOf(readIt)).toEqual(['GetItem'])
    await expect(players.record(player, forgottenAt - 5)).rejects.toThrow(InvalidUserJwt)
  })

  test('D48: a player who signs in again before the end of forgetting keeps the new wallets', async () => {
    const player = { ...newPlayer(), wallets: [newWallet()] }
    await players.record(player, at(0))
    at(10)
    let isBack = false
    aws.interfere({
      async onRequest({ action }) {
        if (action !== 'UpdateItem' || isBack) return undefined
        isBack = true
        await players.record(player, start + 20)
        return undefined
      },
    })
    await forgotten.forget(player.userId)
    expect(await players.get({ userId: player.userId, issuedAt: start + 20 })).toEqual(player)
  })

  test('D48: the TTL of the tombstone does not delete a player who has signed in again', async () => {
    const player = newPlayer()
    await forgotten.forget(player.userId)
    const again = at(20)
    await players.record(player, again)
    const [item] = await items.with(player.userId)
    expect(item).not.toHaveProperty('expiresAt')
    expect(item).toHaveProperty('forgottenAt')
    const later = at(2 * 86_400)
    await players.record(player, later)
    expect((await items.with(player.userId))[0]).not.toHaveProperty('forgottenAt')
  })

  test('D48: a user of a limit of player tokens is judged after a new sign-in as before', async () => {
    const limit = { name: 'player_tokens', count: 2, perSeconds: 3_600 } as const
    const player = newPlayer()
    at(0)
    await forgotten.forget(player.userId)
    const later = at(20)
    await players.record(player, later, limit)
    await players.record(player, later, limit)
    await expect(players.record(player, later, limit)).rejects.toThrow('player_tokens')
  })

  test('D41, D48: the subject of an assigned id is deleted, and the id is given to nobody meanwhile', async () => {
    const user = { issuer: 'https://id.studio.example/', subject: randomUUID() as string }
    const userId = await userIds.idOf(user)
    await players.record(newPlayer(userId), at(0))
    at(10)
    await forgotten.forget(userId)
    expect(await items.with(user.subject)).toEqual([])
    expect(await items.with(userId)).toHaveLength(1)
    const another = await userIds.idOf(user)
    expect(another).not.toBe(userId)
    expect(await userIds.idOf(user)).toBe(another)
  })

  test('D48: a crash after any write leaves no earlier token that works, and a repeat deletes the rest', async () => {
    let writes: number | undefined
    for (let failing = 2; writes === undefined; failing += 1) {
      const user = { issuer: 'https://id.studio.example/', subject: randomUUID() as string }
      const userId = await userIds.idOf(user)
      const issuedAt = at(0)
      await players.record(newPlayer(userId), issuedAt)
      await downstreamCalls.during(() => players.get({ userId, issuedAt }, limits))
      at(10)
      writes = await forgetBefore(failing, userId)
      expect(await players.get({ userId, issuedAt })).toBeUndefined()
      await forgotten.forget(userId)
      expect(await items.with(user.subject)).toEqual([])
      expect(await items.with(userId)).toHaveLength(1)
    }
    // The tombstone, the two items of the assigned id, the counters in one batch, and the wallets in the tombstone.
    expect(writes).toBe(5)
  })

  test('D104: a user with a wallet is not forgotten when only one without wallets would be', async () => {
    const wallet = newWallet()
    const userId = await userOfWallet(wallet, at(0), walletPorts)
    expect(await forgotten.forgetWithoutWallets(userId)).toBe(false)
    const list = await walletPorts.walletLists.get(userId)
    expect(list.wallets).toEqual([wallet])
    await walletPorts.walletLists.replace(userId, list, [], { username: '', at: at(0) })
    expect(await forgotten.forgetWithoutWallets(userId)).toBe(true)
    const left = await items.with(userId)
    expect(left).toContainEqual(expect.objectContaining({ forgottenAt: expect.any(Number) }))
    expect(await forgotten.forgetWithoutWallets(userId)).toBe(false)
  })

  test.each([
    ['OWNER', undefined],
    ['OWNER#137', 137],
  ])(
    'D48, D98, D159: wallets of a forgotten user (%s) begin as somebody new, after a crash at any write too',
    async (sk, chainId) => {
      let writes: number | undefined
      for (let failing = 1; writes === undefined; failing += 1) {
        const address = newWallet()
        const wallet = walletAt(address, chainId)
        const userId = await userOfWallet(wallet, at(0), walletPorts)
        at(10)
        writes = await forgetBefore(failing, userId)
        await forgotten.forget(userId)
        const [tombstone, ...others] = await items.with(userId)
        expect(others).toEqual([])
        expect(tombstone).not.toHaveProperty('wallets')
        expect(await items.with(address)).toMatchObject([{ sk, generation: 1 }])
        expect(await userOfWallet(wallet, at(20), walletPorts)).not.toBe(userId)
      }
      // The tombstone, the owner, the two items of the assigned id, and the wallets in the tombstone.
      expect(writes).toBe(5)
    },
  )

  test.each([
    ['a wallet', undefined, []],
    ['a smart account', 137, ['BALANCE#BSC#0x']],
  ])(
    'D156, D159: the balances of %s are forgotten, on the chains on which it counts',
    async (_, chainId, left) => {
      const owner = newWallet()
      const balances = dynamoKeptBalances(table, { rememberSeconds: 60 })
      await downstreamCalls.during(async () => {
        for (const chain of ['BSC', 'POLYGON'] as const) {
          balances.keep({ chain, address: newWallet() }, [{ owner, units: 1n, readAt: Date.now() }])
        }
      })
      const player = { ...newPlayer(), wallets: [walletAt(owner, chainId)] }
      await players.record(player, at(0))
      await forgotten.forget(player.userId)
      const kept = (await items.with(owner)).map(({ sk }) => `${sk}`.replace(/0x.*/, '0x'))
      expect(kept).toEqual(left)
    },
  )
})

test('D98: a repeated write of an owner counts, but not after the user was forgotten', async () => {
  const { walletOwners, walletLists } = walletPorts
  const [userId, wallet] = [newUserId(), newWallet()]
  const newUser = { username: 'tessaly', at: at(0) }
  await walletLists.replace(userId, await walletLists.get(userId), [wallet], newUser)
  const sent: Parameters<typeof table.client.send>[0][] = []
  const watched = dynamoWalletOwners(tappedTable(table, (command) => sent.push(command)))
  const owner = { generation: 0, userId }
  expect(await watched.replace(wallet, { generation: 0 }, owner)).toBe(true)
  const repeat = async () => await Promise.all(sent.map((each) => table.client.send(each)))
  await repeat()
  expect(await walletOwners.get(wallet)).toEqual(owner)
  await forgotten.forget(userId)
  await expect(repeat()).rejects.toThrow()
  expect(await walletOwners.get(wallet)).toEqual({ generation: 1 })
})
