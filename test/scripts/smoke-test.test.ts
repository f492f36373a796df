import { samples } from '@player-nfts/local/samples'
import { mintUserJwt } from '@player-nfts/local/user-jwt'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Credentials } from '../../scripts/smoke-test/credentials.ts'
import { smokeTest } from '../../scripts/smoke-test/report.ts'
import { run } from '../support/command-fixture.ts'
import { type Allowlisting, allowlist } from '../support/requests/allowlists.ts'
import { keysOf } from '../support/requests/keys.ts'
import { startFaultyService } from '../support/services/faulty-service.ts'
import { serve } from '../support/services/http-server.ts'
import { newAddress } from '../support/services/service.ts'

const { oneWallet } = samples.players
const { keepers } = samples.collections
const elsewhere = { chain: 'POLYGON', contractAddress: newAddress(), tokens: ['*'] }

/** A service that remembers answers, so that a read without `no-cache` is answered without the indexer. */
const service = await startFaultyService({ REMEMBER_SECONDS: '3600' })
beforeEach(() => service.indexer.interfere({}))

const playerWith = async (wallets: readonly string[]) =>
  (await service.newPlayer(wallets)).playerToken

/** The credentials of a product with a contract, and of a player who has NFTs of it. */
const working = {
  apiKey: await productWith({
    ...{ chain: keepers.chain, contractAddress: keepers.address, tokens: ['*'] },
  }),
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
  return {
    faults: Object.fromEntries(faults),
    whyUntested: whyUntested.indexer,
    whyNoLogin: whyUntested.login,
    count: checked.length,
  }
}

/** What a smoke test without a user JWT says of the login. */
const withoutLogin = { whyNoLogin: 'USER_JWT is not set' }

describe('D69: a smoke test with an API key and a player token', () => {
  test('passes if the indexer has NFTs of the product in a wallet of the player', async () => {
    const before = service.indexer.requests.length
    expect(await tested(working)).toEqual({
      ...{ faults: {}, whyUntested: undefined, count: 12, ...withoutLogin },
    })
    const asked = service.indexer.requests.slice(before).map(({ action }) => action)
    expect(asked).toEqual([
      expect.stringMatching(/^GET .*\/getNFTsForOwner$/),
      expect.stringMatching(/^POST /),
    ])
  })

  test('takes an API key of the scope READ', async () => {
    const { call } = service
    const created = await keysOf(call, working.apiKey).create({ scope: 'READ' })
    const { apiKey } = created.json.data
    expect(await tested({ ...working, apiKey })).toEqual({
      ...{ faults: {}, whyUntested: undefined, count: 12, ...withoutLogin },
    })
    const playerToken = await playerWith([newAddress()])
    const { whyUntested = '' } = await tested({ apiKey, playerToken })
    expect(whyUntested).toMatch(/^API_KEY has the scope READ and the player has no NFT/)
  })

  test('fails while the indexer is down, also if the service remembers its answers', async () => {
    expect((await tested(working)).faults).toEqual({})
    service.indexer.interfere({ onRequest: () => ({ status: 500 }) })
    const { faults, whyUntested } = await tested(working)
    expect(faults).toEqual({
      "The indexer has the player's NFTs": expect.stringMatching(
        /^GET \/api\/public\/v1\/player\/tokens\/raw: 503 .*indexer_unavailable/,
      ),
      "The indexer has the player's balance": expect.stringMatching(
        /^GET \/api\/public\/v1\/player\/details: 503 .*indexer_unavailable/,
      ),
      'The indexer was tested': 'a request that shows it has failed',
    })
    expect(whyUntested).toBe('a request that shows it has failed')
  })

  test('counts the balance of a wallet that has no NFT', async () => {
    const credentials = { ...working, apiKey: await productWith(elsewhere) }
    expect(await tested(credentials)).toEqual({
      ...{ faults: {}, whyUntested: undefined, count: 12, ...withoutLogin },
    })
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
    const { faults, whyUntested } = await tested(await credentials())
    expect(faults).toEqual({ 'The indexer was tested': whyUntested })
    expect(whyUntested).toMatch(why)
  })
})

test('D69: the smoke test says which credential is missing, and then does not fail', async () => {
  expect(await tested({})).toEqual({
    ...{ faults: {}, count: 7, whyUntested: 'API_KEY and PLAYER_TOKEN are not set' },
    ...withoutLogin,
  })
  expect(await tested({ apiKey: working.apiKey })).toEqual({
    ...{ faults: {}, count: 8, whyUntested: 'PLAYER_TOKEN is not set' },
    ...withoutLogin,
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
  const lastLine = (text: string) => text.trimEnd().split('\n').at(-1)
  const variables = ({ apiKey, playerToken }: typeof working) => ({
    API_KEY: `${apiKey}\n`,
    PLAYER_TOKEN: `${playerToken}\n`,
  })

  test('says in its last line that the indexer was tested', async () => {
    const { code, stdout, stderr } = await command(['--url', service.url], variables(working))
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(lastLine(stdout)).toBe(
      `${service.url}: 12 passed, 0 failed. The indexer was tested. The login was not tested: USER_JWT is not set.`,
    )
    for (const secret of Object.values(working)) expect(stdout).not.toContain(secret)
  })

  test('says in its last line that the login was tested', async () => {
    const userJwt = await mintUserJwt(service.stack.userJwtKey, oneWallet, 60)
    const { code, stdout } = await command(['--url', service.url], { USER_JWT: `${userJwt}\n` })
    expect(code).toBe(0)
    expect(lastLine(stdout)).toBe(
      `${service.url}: 8 passed, 0 failed. The indexer was not tested: API_KEY and PLAYER_TOKEN are not set. The login was tested.`,
    )
    expect(stdout).not.toContain('eyJ')
  })

  test('says in its last line that the indexer was not tested, and does not fail without credentials', async () => {
    const { code, stdout } = await command(['--url', service.url], {
      API_KEY: '',
      PLAYER_TOKEN: '',
      USER_JWT: '',
    })
    expect(lastLine(stdout)).toBe(
      `${service.url}: 7 passed, 0 failed. The indexer was not tested: API_KEY and PLAYER_TOKEN are not set. The login was not tested: USER_JWT is not set.`,
    )
    expect(code).toBe(0)
  })

  test('fails with both credentials if the indexer was not tested, and names the token that has expired', async () => {
    const playerToken = expiredToken
    const { code, stdout } = await command(
      ['--url', service.url],
      variables({ ...working, playerToken }),
    )
    expect(code).toBe(1)
    expect(stdout).toContain('✗ The indexer was tested\n    PLAYER_TOKEN has expired at 2025-10-09')
    expect(lastLine(stdout)).toMatch(
      /: 8 passed, 1 failed\. The indexer was not tested: PLAYER_TOKEN has expired at /,
    )
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
