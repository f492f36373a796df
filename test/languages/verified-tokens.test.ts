import { beforeAll, describe, expect, test } from 'vitest'
import {
  describeGameServers,
  keySetPath,
  nftsPath,
  noNfts,
  problem,
  productId,
  type RunningGame,
  type Shared,
  signInAgain,
  startGame,
  tryLater,
} from './running-game.ts'
import { newSigner, spoiledTokens } from './spoiled-tokens.ts'

describeGameServers((server, makeShared) => {
  let shared: Shared
  beforeAll(async () => {
    shared = await makeShared()
  })
  const startWithoutNfts = async (variables: Record<string, string> = {}) => {
    const game = await startGame(server, { API_KEY: shared.apiKey, ...variables })
    game.onRequest = ({ action }) => (action === nftsPath ? noNfts : undefined)
    return game
  }

  describe('given a token that is like a player token', () => {
    let game: RunningGame
    beforeAll(async () => {
      game = await startWithoutNfts({ PRODUCT_ID: productId.toUpperCase() })
      game.published = [shared.signer]
    })

    test.skipIf(server.asksService)('accepts it with everything right', async () => {
      const answer = { status: 200, json: { userId: '9007199254740991', nfts: [] } }
      const { sign } = shared.signer
      expect(await game.ask(await sign({}))).toMatchObject(answer)
      expect(await game.ask(await sign({ client_id: productId }))).toMatchObject(answer)
    })

    test.each(spoiledTokens)('refuses it with %s', async (_, spoil) => {
      expect(await game.ask(await spoil(shared.signer))).toMatchObject(signInAgain)
    })
  })

  describe.skipIf(server.asksService)('with the published keys', () => {
    test('verifies tokens without a request, and reads the keys once for all unknown ones', async () => {
      const { playerToken } = shared.player
      const game = await startWithoutNfts()
      const read = (work: () => Promise<unknown>) => game.counted(keySetPath, work)
      expect(await read(() => game.ask(playerToken))).toBe(1)
      expect(await read(() => game.ask(playerToken))).toBe(0)
      const unknown = await newSigner()
      const statuses: number[] = []
      const count = await read(async () => {
        for (let attempt = 0; attempt < 20; attempt += 1) {
          statuses.push((await game.ask(await unknown.sign({}))).status)
        }
      })
      expect(count).toBe(server.readsAtOnce === false ? 0 : 1)
      expect(statuses.filter((status) => status !== 401 && status !== 503)).toEqual([])
      expect(await game.ask(playerToken)).toMatchObject({ status: 200 })
    })

    test('accepts a key that is published later', async () => {
      const { playerToken } = shared.player
      const game = await startWithoutNfts({ KEY_SET_COOLDOWN_SECONDS: '1' })
      expect(await game.ask(playerToken)).toMatchObject({ status: 200 })
      const next = await newSigner()
      game.published = [next]
      const status = async () => (await game.ask(await next.sign({}))).status
      await expect.poll(status).toBe(200)
      expect(await game.ask(playerToken)).toMatchObject({ status: 200 })
    })

    test('tells the game to try again later while the keys cannot be read', async () => {
      const { playerToken } = shared.player
      const game = await startWithoutNfts({ KEY_SET_COOLDOWN_SECONDS: '1' })
      const { onRequest } = game
      game.onRequest = ({ action }) =>
        action === keySetPath ? problem(503, 'service_unavailable') : noNfts
      expect(await game.ask(playerToken)).toMatchObject(tryLater)
      game.onRequest = onRequest
      const status = async () => (await game.ask(playerToken)).status
      await expect.poll(status).toBe(200)
    })
  })
})
