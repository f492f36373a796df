import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { expectProblem } from '../support/requests/problem.ts'
import { sharedService } from '../support/services/service.ts'

const { call, newPlayer, userJwt } = sharedService()

describe('4.11 Create player token', () => {
  test.each([
    { userId: 0 },
    { userId: Number.MAX_SAFE_INTEGER },
    ...['"quoted" \\ back', 'Žofie 提灯 🕯', ' ', '\u2028', 'x'.repeat(100), '🕯'.repeat(100)].map(
      (username) => ({ username }),
    ),
  ])('2.6, D21: %j of the user JWT is returned unchanged', async (claims) => {
    const created = await call('GET /player/token', { userJwt: await userJwt(claims) })
    expect(Object.keys(created.json.data)).toEqual(['token'])
    const { json } = await call('GET /player/details', { playerToken: created.json.data.token })
    expect(json.data).toMatchObject(claims)
  })

  test('D23: a later user JWT changes the username, also for earlier player tokens', async () => {
    const { playerToken, ...user } = await newPlayer()
    await call('GET /player/token', { userJwt: await userJwt({ ...user, username: 'renamed' }) })
    const { json } = await call('GET /player/details', { playerToken })
    expect(json.data.username).toBe('renamed')
  })

  test('a user JWT outside the Authorization header is ignored', async () => {
    const jwt = await userJwt()
    const query = { access_token: jwt, token: jwt }
    const headers = { cookie: `token=${jwt}`, 'x-api-key': jwt }
    expectProblem(await call('GET /player/token', { query, headers }), 'missing_user_token')
  })
})

const { players, serviceToken } = samples

const paths = ['GET /player/details', 'GET /player/balance']

/** The balance of the service's token in the wallets of each sample player, as JSON text. */
const amounts: readonly [keyof typeof players, string][] = [
  ['threeWallets', '250.850000000000000001'],
  ['emptyWallet', '0'],
]

describe.each(paths)('4.12 Obtain player details: %s (D29)', (path) => {
  test.each(amounts)(
    'D36: the exact amount of %s is %s, also as text and with its token',
    async (name, amount) => {
      const { playerToken, userId, username } = await newPlayer(players[name].wallets)
      const { text } = await call(path, { playerToken })
      const { chain, address, decimals, symbol } = serviceToken
      const token = `{"chain":"${chain}","address":"${address}","decimals":${decimals},"symbol":"${symbol}"}`
      const data = `{"userId":${userId},"username":"${username}","amountText":"${amount}","token":${token},"amount":${amount}}`
      expect(text.replace(/,"asOf":"[^"]+"/, '')).toBe(`{"data":${data},"success":true}`)
    },
  )

  test('needs only the player token, and ignores other credentials', async () => {
    const { playerToken } = await newPlayer()
    const headers = { 'x-api-key': 'nonsense', authorization: 'Bearer nonsense' }
    expect((await call(path, { playerToken, headers })).status).toBe(200)
  })
})
