import { samples } from '@player-nfts/local/samples'
import { mintUserJwt } from '@player-nfts/local/user-jwt'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Credentials } from '../../scripts/smoke-test/credentials.ts'
import { smokeTest } from '../../scripts/smoke-test/report.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { startFaultyService } from '../support/services/faulty-service.ts'
import { startOwnService } from '../support/services/own-service.ts'

const { oneWallet } = samples.players
const { chain, address: contractAddress } = samples.collections.keepers

const service = await startFaultyService()
const apiKey = await service.newProduct()
await allowlist(service.call, apiKey, { chain, contractAddress, tokens: ['*'] })
const { playerToken } = await service.newPlayer(oneWallet.wallets)

/** The faults of a smoke test with these credentials, by title, and why it has not tested the indexer and the login. */
async function tested(credentials: Credentials) {
  const { checked, whyUntested } = await smokeTest(service.url, credentials)
  const faults = checked.flatMap(({ title, fault }) => (fault ? [[title, fault]] : []))
  return { faults: Object.fromEntries(faults), whyUntested, count: checked.length }
}

describe('D69: a smoke test with a user JWT', () => {
  const newUserJwt = () => mintUserJwt(service.stack.userJwtKey, oneWallet, 60)

  test('logs in, and reads the NFTs with the player token that it gets', async () => {
    expect(await tested({ apiKey, userJwt: await newUserJwt() })).toEqual({
      ...{ faults: {}, whyUntested: { indexer: undefined, login: undefined }, count: 13 },
    })
  })

  test.each(['DisabledException', 'AccessDeniedException'])(
    'fails if KMS answers %s, which nothing else notices',
    async (__type) => {
      const userJwt = await newUserJwt()
      service.aws.interfere({
        onRequest: ({ action }) =>
          action === 'Sign' ? { status: 400, body: { __type } } : undefined,
      })
      onTestFinished(() => service.aws.interfere({}))
      const { faults, whyUntested } = await tested({ apiKey, playerToken, userJwt })
      expect(faults).toEqual({
        'A user JWT is exchanged for a player token': expect.stringMatching(
          /^GET \/api\/public\/v1\/player\/token: 503 .*service_unavailable/,
        ),
      })
      expect(whyUntested.login).toBe('the request has failed')
      expect((await tested({ apiKey, playerToken })).faults).toEqual({})
    },
  )

  test('fails if the login is refused', async () => {
    const userJwt = await mintUserJwt(service.stack.userJwtKey, oneWallet, -120)
    const { faults } = await tested({ apiKey, userJwt })
    expect(faults).toEqual({
      'A user JWT is exchanged for a player token': expect.stringContaining('has expired'),
    })
  })

  test('creates the player token of a product, for a deployment that requires one', async () => {
    const own = await startOwnService({ PLAYER_TOKEN_PRODUCT: 'required' })
    const ofProduct = await own.newProduct()
    const product = await own.call('GET /product', { apiKey: ofProduct })
    const { productId } = product.json.data
    const userJwt = await mintUserJwt(own.stack.userJwtKey, oneWallet, 60)
    const whyNoLogin = async (credentials: Credentials) =>
      (await smokeTest(own.url, credentials)).whyUntested.login
    expect(await whyNoLogin({ userJwt })).toBe('the request has failed')
    expect(await whyNoLogin({ userJwt, apiKey: ofProduct, productId })).toBeUndefined()
  })
})
