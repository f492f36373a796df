import { expect, test } from 'vitest'
import { sharedService } from '../support/services/service.ts'

const service = sharedService()

test.each(['GET /player/details', 'GET /player/tokens', 'GET /player/tokens/raw'])(
  'D142: %s takes a player token as a bearer token, where no other place has one',
  async (operation) => {
    const apiKey = await service.newProduct()
    const [player, other] = [await service.newPlayer(), await service.newPlayer()]
    const headers = { authorization: `Bearer ${player.playerToken}` }
    const { status, json } = await service.call(operation, { apiKey, headers })
    expect(status).toBe(200)
    const beside = { apiKey, headers, playerToken: other.playerToken }
    const ofOther = await service.call(operation, beside)
    expect(ofOther.status).toBe(200)
    if (operation === 'GET /player/details') {
      expect([json.data.userId, ofOther.json.data.userId]).toEqual([player.userId, other.userId])
    }
  },
)

test('D142: the other operations take no player token as a bearer token', async () => {
  const { playerToken } = await service.newPlayer()
  const headers = { authorization: `Bearer ${playerToken}` }
  const { status, json } = await service.call('GET /product', { headers })
  expect([status, json.code]).toEqual([401, 'missing_api_key'])
  const exchanged = await service.call('GET /player/token', { headers })
  expect([exchanged.status, exchanged.json.code]).toEqual([401, 'invalid_user_token'])
})
