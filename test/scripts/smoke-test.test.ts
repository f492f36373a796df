import { samples } from '@player-nfts/local/samples'
import { mintUserJwt } from '@player-nfts/local/user-jwt'
import { describe, expect, test } from 'vitest'
import type { Credentials } from '../../scripts/smoke-test/credentials.ts'
import { smokeTest } from '../../scripts/smoke-test/report.ts'
import { run } from '../support/command-fixture.ts'
import { type Allowlisting, allowlist } from '../support/requests/allowlists.ts'
import { keysOf } from '../support/requests/keys.ts'
import { startFaultyService } from '../support/services/faulty-service.ts'
import { serve } from '../support/services/http-server.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'

const { oneWallet } = samples.players
const { chain, address: contractAddress } = samples.collections.keepers

/** A service that remembers answers, so that a read without `no-cache` is answered without the indexer. */
const service = await startFaultyService({ REMEMBER_SECONDS: '3600' })

const playerWith = async (wallets: readonly string[]) =>
  (await service.newPlayer(wallets)).playerToken

/** The credentials of a product with a contract, and of a player who has NFTs of it. */
const working = {
  apiKey: await productWith({ chain, contractAddress, tokens: ['*'] }),
  playerToken: await playerWith(oneWallet.wallets),
}

/** A product that has only this contract, or none. */
async function productWith(contract?: Allowlisting): Promise<string> {
  const apiKey = await service.newProduct()
  if (contract) await allowlist(service.call, apiKey, contract)
  return apiKey
}

/** A player token that has expired, with a signature that nobody made. */
const expiredToken = ['{"alg":"ES256"}', '{"exp":1760000000}', 'signature']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')

/** The faults of a smoke test with these credentials, by title, and why it has not tested the indexer and the login. */
async function tested(credentials: Credentials) {
  const { checked, whyUntested } = await smokeTest(service.url, credentials)
  const faults = checked.flatMap(({ title, fault }) => (fault ? [[title, fault]] : []))
  return { faults: Object.fromEntries(faults), ...whyUntested, count: checked.length }
}

/** What a smoke test of a deployment that works, without a user JWT, finds. */
const passed = { faults: {}, indexer: undefined, login: 'USER_JWT is not set', count: 12 }

describe('D69: a smoke test with an API key and a player token', () => {
  test('passes if the indexer has NFTs of the product in a wallet of the player', async () => {
    const before = service.indexer.requests.length
    expect(await tested(working)).toEqual(passed)
    const asked = service.indexer.requests.slice(before).map(({ action }) => action)
    expect(asked).toEqual([
      expect.stringMatching(/^GET .*\/getNFTsForOwner$/),
      expect.stringMatching(/^POST /),
    ])
  })

  test('takes an API key of the scope READ', async () => {
    const { json } = await keysOf(service.call, working.apiKey).create({ scope: 'READ' })
    const { apiKey } = json.data
    expect(await tested({ ...working, apiKey })).toEqual(passed)
    const playerToken = await playerWith([newAddress()])
    expect((await tested({ apiKey, playerToken })).indexer).toMatch(
      /^API_KEY has the scope READ and the player has no NFT/,
    )
  })

  test('fails while the indexer is down, also if the service remembers its answers', async () => {
    expect((await tested(working)).faults).toEqual({})
    service.indexer.interfere({ onRequest: () => ({ status: 500 }) })
    const { faults, indexer } = await tested(working)
    expect(faults).toEqual({
      "The indexer has the player's NFTs": expect.stringMatching(
        /^GET \/api\/public\/v1\/player\/tokens\/raw: 503 .*indexer_unavailable/,
      ),
      "The indexer has the player's balance": expect.stringMatching(
        /^GET \/api\/public\/v1\/player\/details: 503 .*indexer_unavailable/,
      ),
      'The indexer was tested': 'a request that shows it has failed',
    })
    expect(indexer).toBe('a request that shows it has failed')
  })

  test('counts the balance of a wallet that has no NFT', async () => {
    const apiKey = await productWith({ chain, contractAddress: newAddress(), tokens: ['*'] })
    expect(await tested({ ...working, apiKey })).toEqual(passed)
  })

  test.each([
    [
      'the product has no contract',
      async () => ({ ...working, apiKey: await productWith() }),
      /^the product has no contract$/,
    ],
    [
      'nothing shows that the player has a wallet',
      async () => ({ ...working, playerToken: await playerWith([]) }),
      /^the player has no NFT of the product and no balance, so nothing shows that the player has a wallet$/,
    ],
    [
      'the player token has expired',
      () => ({ ...working, playerToken: expiredToken }),
      /^PLAYER_TOKEN has expired at 2025-10-09T08:53:20.000Z: a player token is valid for 24 hours/,
    ],
    [
      'the player token is no JWT',
      () => ({ ...working, playerToken: 'nonsense' }),
      /^PLAYER_TOKEN is not a JWT with the claim exp$/,
    ],
  ])('fails if %s', async (_, credentials, why) => {
    const { faults, indexer } = await tested(await credentials())
    expect(faults).toEqual({ 'The indexer was tested': indexer })
    expect(indexer).toMatch(why)
  })
})

test('D69: the smoke test says which credential is missing, and then does not fail', async () => {
  const missing = 'API_KEY and PLAYER_TOKEN are not set'
  expect(await tested({})).toEqual({ ...passed, count: 7, indexer: missing })
  const ofKey = { ...passed, count: 8, indexer: 'PLAYER_TOKEN is not set' }
  expect(await tested({ apiKey: working.apiKey })).toEqual(ofKey)
})

const newUserJwt = () => mintUserJwt(service.stack.userJwtKey, oneWallet, 60)

describe('D69: a smoke test with a user JWT', () => {
  test('logs in, and reads the NFTs with the player token that it gets', async () => {
    expect(await tested({ apiKey: working.apiKey, userJwt: await newUserJwt() })).toEqual({
      ...{ ...passed, login: undefined, count: 13 },
    })
  })

  const title = 'A user JWT is exchanged for a player token'
  const denials = ['DisabledException', 'AccessDeniedException']
  test.each(denials)('fails if KMS answers %s, which nothing else notices', async (__type) => {
    const userJwt = await newUserJwt()
    service.aws.interfere({
      onRequest: ({ action }) =>
        action === 'Sign' ? { status: 400, body: { __type } } : undefined,
    })
    const { faults, login } = await tested({ ...working, userJwt })
    const answer = /^GET \/api\/public\/v1\/player\/token: 503 .*service_unavailable/
    expect(faults).toEqual({ [title]: expect.stringMatching(answer) })
    expect(login).toBe('the request has failed')
    expect(await tested(working)).toEqual(passed)
  })

  test('fails if the login is refused', async () => {
    const userJwt = await mintUserJwt(service.stack.userJwtKey, oneWallet, -120)
    const { faults } = await tested({ apiKey: working.apiKey, userJwt })
    expect(faults).toEqual({ [title]: expect.stringContaining('has expired') })
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

describe('D156: an answer to the smoke test is wrong', () => {
  const now = () => new Date().toISOString()
  const details = {
    ...{ userId: 1, username: 'marrow_finch', amountText: '1', amount: 1 },
    token: { chain: 'POLYGON', address: newAddress(), decimals: 18 },
  }

  /** The fault of the balance if 4.12 has this body. */
  async function faultOfDetails(body: unknown): Promise<string | undefined> {
    const url = await serve((_, response) => response.end(JSON.stringify(body)))
    const { checked } = await smokeTest(url, { ...working })
    return checked.find(({ title }) => title.endsWith('balance'))?.fault
  }

  test.each([
    ['not at all', () => ({ success: true, data: details, asOf: now() }), undefined],
    [
      'if it is marked as stale',
      () => ({ success: true, data: details, asOf: now(), stale: true }),
      /the answer is stale: as of /,
    ],
    [
      'if it is old',
      () => ({ success: true, data: details, asOf: '2026-01-01T00:00:00.000Z' }),
      /the answer is stale: as of 2026-01-01T00:00:00.000Z$/,
    ],
    ['if it is no object', () => null, /: the body is not as 4.8 and 4.12 describe it$/],
    ['if it has no age', () => ({ success: true, data: details }), /: asOf is not as 4.8 and 4.12/],
    [
      'if it has another form',
      () => ({ success: true, data: { ...details, amountText: 'secret' }, asOf: now() }),
      /: data.amountText is not as 4.8 and 4.12 describe it$/,
    ],
  ])('%s', async (_, body, fault) => {
    const found = await faultOfDetails(body())
    if (fault === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(fault)
    expect(found ?? '').not.toMatch(/secret|marrow_finch/)
  })
})

describe('npm run smoke-test', () => {
  const command = async (args: string[], variables: Record<string, string> = {}) =>
    await run('scripts/smoke-test.ts', args, variables).ended
  const variables = ({ apiKey, playerToken }: typeof working) => ({
    API_KEY: `${apiKey}\n`,
    PLAYER_TOKEN: `${playerToken}\n`,
  })

  const expired =
    'PLAYER_TOKEN has expired at 2025-10-09T08:53:20.000Z: a player token is valid for 24 hours, so create a new one'
  const noLogin = 'The login was not tested: USER_JWT is not set.'
  const noIndexer = 'The indexer was not tested: API_KEY and PLAYER_TOKEN are not set.'

  test.each<[string, () => Promise<Record<string, string>>, number, string]>([
    [
      'the indexer was tested',
      async () => variables(working),
      0,
      `12 passed, 0 failed. The indexer was tested. ${noLogin}`,
    ],
    [
      'the login was tested',
      async () => ({ USER_JWT: `${await newUserJwt()}\n` }),
      0,
      `8 passed, 0 failed. ${noIndexer} The login was tested.`,
    ],
    [
      'nothing was tested, without credentials',
      async () => ({ API_KEY: '', PLAYER_TOKEN: '', USER_JWT: '' }),
      0,
      `7 passed, 0 failed. ${noIndexer} ${noLogin}`,
    ],
    [
      'the player token has expired, and fails',
      async () => variables({ ...working, playerToken: expiredToken }),
      1,
      `8 passed, 1 failed. The indexer was not tested: ${expired}. ${noLogin}`,
    ],
  ])('says in its last line that %s', async (_, variables, code, line) => {
    const ended = await command(['--url', service.url], await variables())
    expect(ended).toMatchObject({ code, stderr: '' })
    expect(ended.stdout.trimEnd().split('\n').at(-1)).toBe(`${service.url}: ${line}`)
    expect(ended.stdout.includes(`✗ The indexer was tested\n    ${expired}\n`)).toBe(code === 1)
    for (const secret of ['eyJ', working.apiKey, expiredToken]) {
      expect(ended.stdout).not.toContain(secret)
    }
  })

  test.each([
    [[], {}, 'Usage: '],
    [['--url', 'nonsense'], {}, 'Usage: '],
    [['--api-key=hush-hush'], {}, 'Usage: '],
    [['hush-hush'], {}, 'Usage: '],
    [
      ['--url', 'http://127.0.0.1:1'],
      { PLAYER_TOKEN: 'hush-hush' },
      'PLAYER_TOKEN also needs API_KEY.',
    ],
    [
      ['--url', 'http://127.0.0.1:1'],
      { API_KEY: 'hush-hush\nhush' },
      'API_KEY contains white space',
    ],
  ])('with %j and %j sends nothing and repeats no credential', async (args, variables, message) => {
    const { code, stdout, stderr } = await command(args, variables)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('hush-hush')
  })
})
