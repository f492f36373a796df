import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { newAddress, sharedService } from '../support/services/service.ts'

const service = sharedService()
const { call, newPlayer, userJwt } = service

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

const [one = ''] = players.oneWallet.wallets
const strangers = Array.from({ length: 16 }, newAddress)

test.each<[string, readonly string[], string]>([
  ['4.12: without wallets', [], '0'],
  ['D29: with a wallet listed twice', [one, one.toUpperCase().replace('0X', '0x')], '1284.5'],
  [
    'D21: with 20 wallets',
    [...strangers, ...players.threeWallets.wallets, ...players.oneWallet.wallets],
    '1535.350000000000000001',
  ],
])('%s: the amount is the sum over the wallets', async (_, wallets, amount) => {
  const { playerToken } = await newPlayer(wallets)
  const { text } = await call('GET /player/details', { playerToken })
  expect(text).toContain(`"amount":${amount}}`)
})

test.each([
  { userId: 0 },
  { userId: Number.MAX_SAFE_INTEGER },
  ...['"quoted" \\ back', 'Žofie 提灯 🕯', ' ', '\u2028', 'x'.repeat(100), '🕯'.repeat(100)].map(
    (username) => ({ username }),
  ),
])('2.6, D21: %j of the user JWT is returned unchanged', async (claims) => {
  const created = await call('GET /player/token', { userJwt: await userJwt(claims) })
  const { json } = await call('GET /player/details', { playerToken: created.json.data.token })
  expect(json.data).toMatchObject(claims)
})

test.each(['GET /player/details', 'GET /player/tokens', 'GET /player/tokens/raw'])(
  'D142: %s takes a player token as a bearer token, where no other place has one',
  async (operation) => {
    const apiKey = await service.newProduct()
    const [player, other] = [await service.newPlayer(), await service.newPlayer()]
    const headers = { authorization: `Bearer ${player.playerToken}` }
    const { status, json } = await service.call(operation, { apiKey, headers })
    expect(status).toBe(200)
    const both = { apiKey, headers, playerToken: other.playerToken }
    const ofOther = await service.call(operation, both)
    expect(ofOther.status).toBe(200)
    if (operation === 'GET /player/details') {
      expect([json.data.userId, ofOther.json.data.userId]).toEqual([player.userId, other.userId])
    }
  },
)
