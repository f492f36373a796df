import { samples } from '@player-nfts/local/samples'
import { afterAll, describe, expect, test } from 'vitest'
import { playerDigests } from '../../lib/observability/player-digest.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { productWith } from '../support/requests/reading.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { registration } from '../support/services/service.ts'

const { gear } = samples.collections
const { wallets } = samples.players.threeWallets

const service = await startOwnService({ PLAYER_DETAILS_PER_PLAYER_AND_MINUTE: '1' }, afterAll)
const player = await service.newPlayer(wallets)
const apiKey = await productWith(service, gear)
const digestOf = playerDigests(service.stack.resources.playerDigestKey)
const digest = digestOf(player.userId)

describe('D72: log lines name', () => {
  test('the player of a sign-in by a digest, and the product that the token is for', async () => {
    const userJwt = await service.userJwt(player)
    const { productId } = (await service.call('GET /product', { apiKey })).json.data
    const created = await service.call('GET /player/token', { userJwt, query: { productId } })
    expect(await lineOf(service.log, created)).toMatchObject({
      status: 200,
      player: digest,
      productId,
    })
    const playerToken = created.json.data.token
    const details = await service.call('GET /player/details', { playerToken })
    expect(await lineOf(service.log, details)).toMatchObject({
      status: 200,
      player: digest,
      productId,
    })
  })

  test.each(['GET /player/tokens', 'GET /player/tokens/raw'] as const)(
    'the player of %s',
    async (name) => {
      const { playerToken } = player
      const read = await service.call(name, { apiKey, playerToken })
      expect(await lineOf(service.log, read)).toMatchObject({ status: 200, player: digest })
      const invalid = await service.call(name, { apiKey, playerToken, query: { limit: 'none' } })
      expect(await lineOf(service.log, invalid)).toMatchObject({ status: 400, player: digest })
      const stranger = await service.call(name, { apiKey: 'nonsense', playerToken: 'nonsense' })
      expect(await lineOf(service.log, stranger)).not.toHaveProperty('player')
    },
  )

  test('a player whose request a limit refuses', async () => {
    const loop = await service.newPlayer()
    const ask = () => service.call('GET /player/details', { playerToken: loop.playerToken })
    await ask()
    expect(await lineOf(service.log, await ask())).toMatchObject({
      code: 'rate_limited',
      player: digestOf(loop.userId),
    })
  })

  test('no player by the user id or a wallet', async () => {
    expect(service.log.filter((line) => line.includes(digest)).length).toBeGreaterThan(3)
    const everything = service.log.join('\n').toLowerCase()
    for (const text of [`${player.userId}`, player.username, ...wallets]) {
      expect(everything).not.toContain(text.toLowerCase())
    }
  })

  test('the product that a registration has made', async () => {
    const answer = await service.call('POST /product', { body: registration() })
    const { productId } = answer.json.data
    expect(await lineOf(service.log, answer)).toMatchObject({
      operation: 'registerProduct',
      productId,
    })
  })
})
