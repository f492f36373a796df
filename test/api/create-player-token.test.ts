import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { newAddress, sharedService } from '../support/services/service.ts'

const { call, newPlayer, userJwt } = sharedService()
const create = 'GET /player/token'
const details = 'GET /player/details'

describe('4.11 Create player token', () => {
  test('returns a player token that identifies the player', async () => {
    const user = { userId: 7_001, username: 'Ysolde Quay', wallets: [newAddress()] }
    const created = await call(create, { userJwt: await userJwt(user) })
    expect(Object.keys(created.json.data)).toEqual(['token'])
    const { json } = await call(details, { playerToken: created.json.data.token })
    expect(json.data).toMatchObject({ userId: 7_001, username: 'Ysolde Quay', amount: 0 })
  })

  test('8, D23: a player token is valid for 24 hours', async () => {
    const { iat = 0, exp } = decodeJwt((await newPlayer()).playerToken)
    expect(exp).toBe(iat + 24 * 60 * 60)
    expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60)
  })

  test('D23: a later user JWT changes the username, also for earlier player tokens', async () => {
    const { playerToken, ...user } = await newPlayer()
    await call(create, { userJwt: await userJwt({ ...user, username: 'renamed' }) })
    const { json } = await call(details, { playerToken })
    expect(json.data.username).toBe('renamed')
  })

  test('a user JWT outside the Authorization header is ignored', async () => {
    const jwt = await userJwt()
    const query = { access_token: jwt, token: jwt }
    const headers = { cookie: `token=${jwt}`, 'x-api-key': jwt }
    expectProblem(await call(create, { query, headers }), 'missing_user_token')
  })
})
