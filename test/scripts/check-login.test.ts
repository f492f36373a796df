import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { shapeOf } from '../../scripts/check-login/shapes.ts'
import { folderOf, run } from '../support/command-fixture.ts'
import { severalLogins } from '../support/prod-settings.ts'
import { newAddress, sharedService } from '../support/services/service.ts'
import { documentedTokens } from '../support/tokens/documented-tokens.ts'
import { startIdentityProvider } from '../support/tokens/identity-provider.ts'

const provider = await startIdentityProvider('ES256', afterAll)
const away = await startIdentityProvider('ES256', afterAll)
away.misbehave = (_, response) => response.writeHead(404).end()

const login = (issuer: string, more: object = {}) => ({
  ...{ issuer, audiences: ['app'], jwksUrl: provider.jwksUrl, usernameClaims: ['sub'] },
  ...more,
})
const wallets = {
  claim: 'linked_accounts',
  addressField: 'address',
  where: { type: 'wallet', chain_type: 'ethereum' },
}
const logins = [
  login('privy.io', { wallets }),
  login('mistyped.example', { wallets: { ...wallets, where: { type: 'walet' } } }),
  login('https://cognito-idp.eu-central-1.amazonaws.com/pool', {
    wallets: { claim: 'custom:wallet' },
  }),
  login('https://studio.eu.auth0.com/', { wallets: { claim: 'https://studio.example/wallets' } }),
  login('https://login.studio.example/realms/games', { wallets: { claim: 'game.wallets' } }),
  login('away.example', { jwksUrl: away.jwksUrl }),
  login('accounts.example', { wallets: { claim: 'wallets', chains: ['POLYGON', 'BASE'] } }),
]

/** The data folders of two stacks: one with these logins, and one with the key of the stack. */
const { env = {} } = inject('functions')['create-player-token'] ?? {}
const { USER_JWT_KEY_ARNS: _, ...others } = env
const variables = { ...others, LOGINS: JSON.stringify(logins), USER_IDS: 'assigned' }
const listed = await folderOf(inject('target'), variables)
const single = await folderOf(inject('target'), env)

const check = async (jwt: string, args: string[] = [], DATA_DIR = listed) =>
  // Settings of the shell are not those of the stack.
  await run('scripts/check-login.ts', [jwt, ...args], { DATA_DIR, LOGINS: '[]' }).ended

async function linesOf(jwt: string): Promise<{ code: number | null; lines: string[] }> {
  const { code, stdout, stderr } = await check(jwt)
  expect(stderr).toBe('')
  expect(stdout).not.toContain(jwt.split('.')[2])
  return { code, lines: stdout.split('\n') }
}

const now = () => Math.floor(Date.now() / 1000)
const signed = (iss: string, more: object = {}) =>
  provider.sign({ iss, aud: 'app', sub: 'secret-user', iat: now(), exp: now() + 60, ...more })

const accounts = () => documentedTokens['Privy']?.claims(newAddress(), newAddress()) ?? {}

describe('D90, D92: the command that explains a user JWT', () => {
  test('says that it is accepted, what is kept, and the shapes of its claims without a value', async () => {
    const { linked_accounts } = accounts()
    const { code, lines } = await linesOf(await signed('privy.io', { linked_accounts }))
    expect(code).toBe(0)
    expect(lines.slice(0, 4)).toEqual([
      'The JWT meets LOGINS.0 (issuer privy.io, audiences app).',
      'The JWT is accepted. Wallets that are kept: 2, and entries that are left out: 2.',
      '',
      'Its claims:',
    ])
    const text = lines.join('\n')
    expect(text).toContain('  sub              text of 11 characters')
    expect(text).toMatch(
      /linked_accounts {2}text with JSON: list of 4: objects with type \(text of 5 to 6 characters\), address \(text of 18 to 44 characters\)/,
    )
    expect(text).not.toMatch(/secret-user|neo@|0x[0-9a-f]{40}/)
  })

  test('says that a condition leaves every wallet out', async () => {
    const jwt = await signed('mistyped.example', accounts())
    const { lines } = await linesOf(jwt)
    expect(lines.slice(1, 3)).toEqual([
      'The JWT is accepted. Wallets that are kept: 0, and entries that are left out: 4.',
      'Every entry of linked_accounts is left out: compare "where" with the claims below.',
    ])
  })

  test('D161: says on which chains how many wallets count', async () => {
    const [first, second] = [newAddress(), newAddress()]
    const linesFor = async (...wallets: string[]) =>
      (await linesOf(await signed('accounts.example', { wallets }))).lines.slice(1, 3)
    expect(await linesFor(first, `eip155:8453:${second}`, `eip155:1:${second}`)).toEqual([
      'The JWT is accepted. Wallets that are kept: 2, and entries that are left out: 1.',
      'They count on these chains only: POLYGON 1, BASE 2.',
    ])
    expect(await linesFor(`eip155:1:${second}`)).toEqual([
      'The JWT is accepted. Wallets that are kept: 0, and entries that are left out: 1.',
      'Every entry of wallets is left out: compare "where" and the chains with the claims below.',
    ])
  })

  test.each<[string, () => Promise<string>, string[]]>([
    [
      'meets no login',
      () => signed('other.example'),
      [
        'The JWT meets no login.',
        'The claim iss of the user JWT is not the issuer that this service accepts.',
        'The logins are:',
        '  LOGINS.0 (issuer privy.io, audiences app)',
      ],
    ],
    [
      'breaks a rule',
      () => signed('privy.io', { linked_accounts: '[' }),
      [
        'The JWT meets LOGINS.0 (issuer privy.io, audiences app).',
        'The JWT is refused.',
        'The claim linked_accounts of the user JWT begins as JSON, and must be well-formed JSON as a whole.',
      ],
    ],
    [
      'has keys that cannot be read',
      () => signed('away.example', { wallets: [] }),
      [
        'The JWT meets LOGINS.5 (issuer away.example, audiences app).',
        'The JWT is refused.',
        'Its keys cannot be read: key set of the login: HTTP 404. Compare jwksUrl with the documentation of the login.',
      ],
    ],
    [
      'is none',
      async () => 'no.signed.jwtAtAll',
      ['This is not a signed JWT in its compact form.'],
    ],
  ])('says which rule a JWT breaks that %s', async (_, make, lines) => {
    const found = await linesOf(await make())
    expect(found.code).toBe(1)
    expect(found.lines.slice(0, lines.length)).toEqual(lines)
  })

  test.each([
    ['Cognito: users can write custom:wallet, unless', 2, { 'custom:wallet': newAddress() }],
    ['Auth0: the Action that writes https://studio.example/wallets must read app_metadata', 3, {}],
    ['Keycloak: users can write the attribute behind game.wallets, unless', 4, {}],
  ])('warns of a claim that players can write: %s', async (warning, index, claims) => {
    const { lines } = await linesOf(await signed(`${logins[index]?.issuer}`, claims))
    expect(lines.filter((line) => line.startsWith(warning))).toHaveLength(1)
  })

  test('reads the logins of a deployment', async () => {
    const file = join(listed, 'settings.json')
    await writeFile(file, JSON.stringify(severalLogins))
    const jwt = await signed('https://wallets.example', { aud: 'game-2' })
    const { code, stdout } = await check(jwt, ['--settings', file])
    expect(code).toBe(1)
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'The JWT meets LOGINS.1 (issuer https://wallets.example, audiences game-1, game-2).',
      'The JWT is refused.',
      'The signature of the user JWT is not valid: no accepted key verifies it.',
    ])
  })

  test('reads the single settings of a stack, and its key', async () => {
    const jwt = await sharedService().userJwt()
    const { code, stdout, stderr } = await check(jwt, [], single)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^The JWT meets the login of ISSUER \(issuer player-nfts-local, /)
  })

  test('says what is missing', async () => {
    expect((await check('x', [], join(listed, 'nothing'))).stderr).toMatch(
      /^No local stack runs on/,
    )
    expect((await check('x', ['y'])).stderr).toMatch(/^Usage: /)
    expect((await check('x', ['--settings', join(listed, 'none.json')])).stderr).toMatch(
      /none\.json does not exist/,
    )
  })
})

describe('the shape of a value', () => {
  test.each<[unknown, string]>([
    ['neo', 'text of 3 characters'],
    [newAddress(), 'text of 42 characters, an address'],
    ['["neo"]', 'text with JSON: list of 1: text of 3 characters'],
    ['[neo', 'text of 4 characters'],
    [7, 'a number'],
    [true, 'true or false'],
    [null, 'null'],
    [[], 'list of 0'],
    [{}, 'object with no field'],
    [['neo', 7], 'list of 2: text of 3 characters or a number'],
    [[[1], []], 'list of 2: list of 0 to 1: a number'],
    [{ a: { b: 'x' } }, 'object with a (object with b (text of 1 characters))'],
    [{ 'a\u001b[2J': 1 }, 'object with "a\\u001b[2J" (a number)'],
    [JSON.parse('{"__proto__":1}'), 'object with __proto__ (a number)'],
  ])('%j: %s', (value, shape) => {
    expect(shapeOf([value])).toBe(shape)
  })

  test('ends with depth and number', () => {
    const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)
    expect(shapeOf([deep])).toMatch(/^(list of 1: ){6}…$/)
    const wide = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`n${n}`, n]))
    expect(shapeOf([wide])).toMatch(/n39 \(a number\), 10 more$/)
  })
})
