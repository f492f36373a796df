import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { playerKey, subjectKey } from '../../../lib/adapters/dynamodb/keys/player-partition.ts'
import { userKey } from '../../../lib/adapters/dynamodb/keys/single-items.ts'
import { dynamoPlayers } from '../../../lib/adapters/dynamodb/players.ts'
import { dynamoUserIds } from '../../../lib/adapters/dynamodb/user-ids.ts'
import { startTable } from './stored-fixture.ts'

const { aws, items, requestsOf, table } = await startTable()
const userIds = dynamoUserIds(table)
const players = dynamoPlayers(table)

const issuer = 'https://id.studio.example/'
const newUser = () => ({ issuer, subject: randomUUID() as string })

/** The first candidate for the user id of a subject, which nothing else in the table has. */
async function candidateOf(user: { issuer: string; subject: string }): Promise<number> {
  const id = await userIds.idOf(user)
  await forget(user, id)
  return id
}

/** Removes everything about a user, as if the user had never signed in. */
async function forget(user: { issuer: string; subject: string }, id: number): Promise<void> {
  for (const item of await items.all()) {
    if (item['subject'] === user.subject || item['pk'] === playerKey(id).pk)
      await items.remove(item)
  }
}

describe('D41: assigned user ids', () => {
  test('D41: a subject always has the same id, an integer of 31 bits', async () => {
    for (const subject of [
      'auth0|5f7c8ec7c33c6c004bbafe82',
      randomUUID(),
      '42',
      '💥',
      'x'.repeat(255),
    ]) {
      const id = await userIds.idOf({ issuer, subject })
      expect(id).toSatisfy((n: number) => Number.isInteger(n) && n >= 1 && n <= 2_147_483_647)
      expect(await dynamoUserIds(table).idOf({ issuer, subject })).toBe(id)
    }
  })

  test('D41: other subjects and other issuers have other ids, also where the texts meet', async () => {
    const users = [
      { issuer: 'a', subject: 'bc' },
      { issuer: 'ab', subject: 'c' },
      { issuer: 'a"', subject: '"bc' },
      { issuer: 'a', subject: 'BC' },
      ...Array.from({ length: 50 }, newUser),
    ]
    const ids = await Promise.all(users.map((user) => userIds.idOf(user)))
    expect(new Set(ids).size).toBe(users.length)
  })

  test('D41: parallel first sign-ins of one subject get one id', async () => {
    const user = newUser()
    const signIns = Array.from({ length: 30 }, async (_, index) => {
      const id = await userIds.idOf(user)
      if (index % 2 === 0) await players.record({ userId: id, username: 'neo', wallets: [] }, 1)
      return id
    })
    expect(new Set(await Promise.all(signIns)).size).toBe(1)
  })

  test.each([1, 2, 3, 4])(
    'D41: a first sign-in that fails at request %i loses nothing, and the next one gets the same id',
    async (failing) => {
      const user = newUser()
      let requests = 0
      aws.interfere({
        onRequest: () => {
          requests += 1
          return requests >= failing ? { status: 400, code: 'AccessDeniedException' } : undefined
        },
      })
      await expect(userIds.idOf(user)).rejects.toThrow()
      aws.interfere({})
      const id = await userIds.idOf(user)
      expect(await userIds.idOf(user)).toBe(id)
      expect((await items.all()).filter(({ userId }) => userId === id)).toHaveLength(1)
    },
  )

  test('D41: an id that another subject has is skipped', async () => {
    const user = newUser()
    const candidate = await candidateOf(user)
    const other = 'f'.repeat(64)
    await items.put(subjectKey(candidate), { user: other })
    const ids = await Promise.all([userIds.idOf(user), userIds.idOf(user), userIds.idOf(user)])
    expect(new Set(ids).size).toBe(1)
    expect(ids).not.toContain(candidate)
    expect(await items.get(subjectKey(candidate))).toMatchObject({ user: other })
    expect(await requestsOf(() => userIds.idOf(user))).toEqual(['GetItem'])
  })

  test('D41: the id of a player from before ids were assigned is skipped', async () => {
    const user = newUser()
    const candidate = await candidateOf(user)
    await players.record({ userId: candidate, username: 'elder', wallets: [] }, 1)
    expect(await userIds.idOf(user)).not.toBe(candidate)
    expect(await players.get({ userId: candidate, issuedAt: 0 })).toMatchObject({
      username: 'elder',
    })
  })

  test('D41: after a loss of the table, as after a restore, a subject gets its id again', async () => {
    const user = newUser()
    const id = await userIds.idOf(user)
    await forget(user, id)
    expect(await userIds.idOf(user)).toBe(id)
  })

  test('D41: the table tells an operator which subject has an id', async () => {
    const user = newUser()
    const id = await userIds.idOf(user)
    const { user: digest } = (await items.get(subjectKey(id))) ?? {}
    expect(await items.get(userKey(digest))).toMatchObject({ ...user, userId: id })
  })
})
