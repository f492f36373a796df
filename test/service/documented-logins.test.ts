import { execFile } from 'node:child_process'
import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  calculateJwkThumbprint,
  createRemoteJWKSet,
  exportJWK,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from 'jose'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { deploymentSettings } from '../../infra/settings/settings.ts'
import { newFolder } from '../support/command-fixture.ts'
import { severalLogins } from '../support/prod-settings.ts'
import type { Received } from '../support/requests/client.ts'
import { lineOf } from '../support/requests/log-lines.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { documentedTokens } from '../support/tokens/documented-tokens.ts'
import { newProviderKey, startIdentityProvider } from '../support/tokens/identity-provider.ts'
import { newKeyPair } from '../support/tokens/jwts.ts'
import { spki } from '../support/tokens/rotated-keys.ts'

const page = readFileSync('docs/connect-your-platform.md', 'utf8')

/** The first block of a language under a heading of the page. */
function blockUnder(heading: string, language: string): string {
  const section = page.split(`\n### ${heading}\n`)[1]?.split(/\n##+ /)[0] ?? ''
  const [, block = ''] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\n\`\`\``).exec(section) ?? []
  return block
}

/** The login of a block, with a value in the place of each `<…>`. */
const loginUnder = (heading: string) =>
  JSON.parse(blockUnder(heading, 'json').replaceAll(/<[^>]+>/g, 'abc-123'))

const ofClaim = (claim: string, rule: string) => `The claim ${claim} of the user JWT ${rule}.`

const times = () => {
  const now = Math.floor(Date.now() / 1000)
  return { iat: now, exp: now + 600 }
}

/** The settings that the command of the page gives to `npm start`, with a list of logins in the file that it reads. */
async function settingsOf(logins: object[]): Promise<Record<string, string>> {
  const command = /^LOGINS=.*(?= npm start$)/m.exec(page)?.[0]
  const cwd = newFolder(afterAll)
  await writeFile(join(cwd, 'logins.json'), JSON.stringify(logins))
  const env = { PATH: process.env['PATH'] }
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} env`], { cwd, env })
  return Object.fromEntries(stdout.matchAll(/^(LOGINS|USER_IDS)=(.*)$/gm).map(([, ...set]) => set))
}

/** A key of the set of Keycloak is for encryption. */
const encryption = await newProviderKey('RS256', { use: 'enc', alg: 'RSA-OAEP' })

/** Keys that no login has, by their algorithm. */
const foreignKeys = {
  ES256: await newProviderKey('ES256'),
  RS256: await newProviderKey('RS256'),
}

/** The documented logins, each with a provider that has its keys. */
const documented = Object.entries(documentedTokens).map(async ([name, token]) => {
  const login = loginUnder(name)
  const provider = await startIdentityProvider(token.alg, afterAll)
  const [key] = provider.keys
  if (key) provider.keys = [encryption, { ...key, jwk: { ...key.jwk, ...token.members } }]
  const jwksUrl = new URL(new URL(login.jwksUrl).pathname, provider.jwksUrl).href
  return [name, { ...token, provider, login, jwksUrl }] as const
})
const cases = await Promise.all(documented)
const logins = cases.map(([, { login, jwksUrl }]) => ({ ...login, jwksUrl }))

/** All services of this file share the AWS of this one, which saves its start. */
const { call, log, stack } = await startOwnService(await settingsOf(logins), afterAll)
const sameAws = { AWS_ENDPOINT_URL: stack.aws.endpoint ?? '' }

test.each(cases)(
  'D90, D92: %s, in its documented shape, signs in with the settings of the page, and is refused by the right sentence if it is spoiled',
  async (_, { alg, claims, kept, leftOut, username, spoiled = [], provider, login }) => {
    const { issuer, statesIssuer, audiences } = login
    const [first, second] = [newAddress(), newAddress()]
    const standard = { ...(statesIssuer !== false && { iss: issuer }), aud: audiences[0] }
    const signIn = async (
      changes: object = {},
      header: Parameters<typeof provider.sign>[1] = {},
    ) => {
      const own = claims(first, second)
      const payload = JSON.parse(JSON.stringify({ ...own, ...standard, ...times(), ...changes }))
      return await call('GET /player/token', {
        userJwt: await provider.sign(payload as JWTPayload, header),
      })
    }
    const answer = await signIn()
    expect(answer.status, answer.text).toBe(200)
    expect(await lineOf(log, answer)).toMatchObject({
      walletsKept: kept,
      walletsLeftOut: leftOut,
    })
    const details = async ({ json }: Received) =>
      (await call('GET /player/details', { playerToken: json.data.token })).json.data
    const user = await details(answer)
    expect(user.username.startsWith(username)).toBe(true)
    expect(user.userId).toBeLessThan(2 ** 31)
    expect(await details(await signIn())).toEqual(user)
    const deployed = { logins: [login] }
    expect(deploymentSettings({ ...severalLogins, ...deployed })).toMatchObject(deployed)

    const otherIssuer = ofClaim('iss', 'is not the issuer that this service accepts')
    const unknownKey = 'The key set of the login has no usable key with the kid of the user JWT.'
    const wrong: [Record<string, unknown>, string, Parameters<typeof provider.sign>[1]?][] = [
      [{}, unknownKey, { key: foreignKeys[alg] }],
      [{ iss: `${login.issuer}x` }, otherIssuer],
      [
        { aud: 'another-app' },
        ofClaim('aud', 'does not contain the audience that this service accepts'),
      ],
      ...spoiled,
    ]
    for (const [changes, detail, header] of wrong) {
      const refused = await signIn(changes, header)
      expect([changes, refused.json.detail]).toEqual([changes, detail])
      expectProblem(refused, 'invalid_user_token')
      await lineOf(log, refused)
    }
    // D5: the log has no token and no wallet.
    expect(log.join()).not.toMatch(/eyJ[\w-]{10}|0x[0-9a-f]{40}/)
  },
)

test('D90: a user JWT that a server signs as the page shows is accepted, for example for PlayFab', async () => {
  const { publicKey, privateKey } = newKeyPair()
  vi.stubEnv('LOGIN_PRIVATE_KEY', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
  onTestFinished(() => void vi.unstubAllEnvs())
  const code = blockUnder('A user JWT of your server', 'ts')
  expect(code.split('\n').length).toBeLessThanOrEqual(15)
  const resolved = code.replace("'jose'", `'${import.meta.resolve('jose')}'`)
  const { userJwtOf } = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(resolved)}`
  )
  const login = { ...loginUnder('PlayFab'), publicKeys: [spki(publicKey)] }
  const { call } = await startOwnService({ ...sameAws, ...(await settingsOf([login])) })
  const player = { id: '23990802934', name: 'neo', wallets: [newAddress()] }
  const answer = await call('GET /player/token', { userJwt: await userJwtOf(player) })
  expect(answer.status, answer.text).toBe(200)
  const ticket = '4D2----8D11F4249A80000-7C64AB0A9F1D8D1A.CD803BF233CE76CC'
  const refused = await call('GET /player/token', { userJwt: ticket })
  expect(refused.json.detail).toBe(
    'The user JWT is malformed: it must be a signed JWT in its compact form.',
  )
})

/** Three key pairs for each algorithm: two of the login, and one of somebody else. */
const keyPairsOf: readonly [string, KeyPairKeyObjectResult[]][] = [
  ['ES256', [1, 2, 3].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }))],
  ['RS256', [1, 2, 3].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }))],
  ['EdDSA', [1, 2, 3].map(() => generateKeyPairSync('ed25519'))],
]

test.each(keyPairsOf)(
  'D22: of an external login that signs with %s, only its user JWTs are accepted, and its key is published',
  async (alg, [first, second, other]) => {
    const keyPairs = [first, second] as [KeyPairKeyObjectResult, KeyPairKeyObjectResult]
    const keys = keyPairs.map(({ publicKey }) => publicKey)
    const { call, stack, url, userJwt } = await startOwnService({
      ...sameAws,
      USER_JWT_PUBLIC_KEYS: keys.map(spki).join(),
      USER_JWT_ALGORITHM: alg,
    })
    const { issuer: iss, audience: aud } = stack.userJwtKey
    const present = async (key: KeyObject, algorithm = alg) => {
      const user = { sub: '7', username: 'marrow_finch', wallets: [] }
      const signed = new SignJWT({ iss, aud, ...user, ...times() })
      const header = { alg: algorithm }
      return await call('GET /player/token', {
        userJwt: await signed.setProtectedHeader(header).sign(key),
      })
    }

    // D32: the first key is the public key, and the key set contains all keys and that of player tokens.
    expect((await call('GET /public-key')).json.data.publicKey).toBe(keys.map(spki)[0])
    const keySet = await call('GET /.well-known/jwks.json')
    const jwks = await Promise.all(keys.map((key) => exportJWK(key)))
    const kids = await Promise.all(jwks.map((jwk) => calculateJwkThumbprint(jwk)))
    expect(keySet.json.keys.slice(1)).toEqual(
      jwks.map((jwk, index) => ({ ...jwk, kid: kids[index], alg, use: 'sig' })),
    )

    const verify = createRemoteJWKSet(new URL('/.well-known/jwks.json', url))
    for (const { privateKey } of keyPairs) {
      const answer = await present(privateKey)
      expect(answer.status, answer.text).toBe(200)
      const expected = { algorithms: ['ES256'], typ: 'player+jwt' }
      await jwtVerify(answer.json.data.token, verify, expected)
    }

    for (const [algorithm, [, , foreign = other]] of keyPairsOf) {
      if (foreign) expectProblem(await present(foreign.privateKey, algorithm), 'invalid_user_token')
    }
    // Signed with the stack's own KMS key, which signs no user JWTs in this deployment.
    const own = await call('GET /player/token', { userJwt: await userJwt() })
    expectProblem(own, 'invalid_user_token')
  },
)
