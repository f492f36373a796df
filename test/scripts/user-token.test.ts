import { noteRunning } from '@player-nfts/local/running-stack'
import { samples } from '@player-nfts/local/samples'
import { decodeJwt } from 'jose'
import { describe, expect, inject, test } from 'vitest'
import { userTokenCommand } from '../../scripts/deploy-local/user-token-command.ts'
import {
  failureOf as failureOfCommand,
  folderOf,
  newFolder,
  run,
} from '../support/command-fixture.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { serve } from '../support/services/http-server.ts'
import { newAddress, sharedService } from '../support/services/service.ts'
import { outputs } from '../support/shown-output.ts'

const { call } = sharedService()
const { url, userJwtKey } = inject('target')

const DATA_DIR = await folderOf({ url, userJwtKey })

const userToken = (args: readonly string[], variables: Record<string, string> = {}) =>
  run('scripts/user-token.ts', args, { DATA_DIR, ...variables })

const neo = ['--user-id', '42', '--username', 'neo']

/** Runs the command, expects that it prints only a JWT, and returns the JWT. */
async function printedBy(...args: Parameters<typeof userToken>): Promise<string> {
  const { code, stdout, stderr } = await userToken(...args).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
  return stdout.trim()
}

describe('D22: the command that mints user JWTs', () => {
  test('prints a user JWT that the service accepts', async () => {
    const wallets = [newAddress(), newAddress()]
    const userJwt = await printedBy([...neo, ...wallets.flatMap((wallet) => ['--wallet', wallet])])
    const { iat = 0, exp = 0, ...claims } = decodeJwt(userJwt)
    expect(claims).toMatchObject({ sub: '42', username: 'neo', wallets })
    expect(exp - iat).toBe(3600)
    const { status, json } = await call('GET /player/token', { userJwt })
    expect(status).toBe(200)
    const details = await call('GET /player/details', { playerToken: json.data.token })
    expect(details.json.data).toMatchObject({ userId: 42, username: 'neo', amount: 0 })
  })

  test('knows the sample players by name', async () => {
    const { username, wallets } = samples.players.threeWallets
    const userJwt = await printedBy(['--player', username, '--expires-in', '60'])
    expect(decodeJwt(userJwt)).toMatchObject({ sub: '1002', username, wallets })
  })

  test('accepts any user name, with and without wallets', async () => {
    const username = 'Mr. "Anderson" --wallet\n🕶'
    const userJwt = await printedBy(['--username', username, '--user-id', '9007199254740991'])
    expect(decodeJwt(userJwt)).toMatchObject({ sub: '9007199254740991', username, wallets: [] })
  })

  test.each([['--expires-in', '-31'], ['--expires-in=-31']])(
    'creates an expired user JWT: %s %s',
    async (...expiresIn) => {
      const userJwt = await printedBy([...expiresIn, ...neo])
      const { iat = 0, exp = 0 } = decodeJwt(userJwt)
      expect(exp - iat).toBe(-31)
      expectProblem(await call('GET /player/token', { userJwt }), 'invalid_user_token')
    },
  )

  test('signs with a key of another KMS if the variables name it', async () => {
    const userJwt = await printedBy(neo, {
      DATA_DIR: newFolder(),
      USER_JWT_KEY: userJwtKey.keyId,
      ISSUER: userJwtKey.issuer,
      USER_JWT_AUDIENCE: userJwtKey.audience,
      AWS_ENDPOINT_URL: userJwtKey.endpoint ?? '',
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
    })
    expect((await call('GET /player/token', { userJwt })).status).toBe(200)
  })

  test('signs with the line that npm run deploy:local prints', async () => {
    const [printed = ''] = await outputs([userTokenCommand(userJwtKey)])
    expect((await call('GET /player/token', { userJwt: printed.trim() })).status).toBe(200)
  })

  test('signs with the credentials of this shell if the running stack uses another AWS', async () => {
    const folder = newFolder()
    const { credentials: _, ...key } = userJwtKey
    await noteRunning(folder, { pid: process.pid, url, userJwtKey: key })
    const userJwt = await printedBy(neo, {
      DATA_DIR: folder,
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
    })
    expect((await call('GET /player/token', { userJwt })).status).toBe(200)
  })
})

describe('D22: the command fails with one line', () => {
  const failureOf = (...args: Parameters<typeof userToken>) => failureOfCommand(userToken(...args))

  test.each([
    [['--username', 'neo'], /^Usage: npm run --silent user-token -- /],
    [['--user-id', '42'], /^Usage: /],
    [['--user-id', '4x', '--username', 'neo'], /^--user-id must be a whole number/],
    [['--user-id', '9007199254740992', '--username', 'neo'], /^--user-id must be/],
    [['--user-id', '42', '--username', ''], /^--username must be 1 to 100/],
    [[...neo, '--wallet', '0x12'], /^--wallet 0x12 is not an address\.$/],
    [[...neo, '--wallet'], /wallet/],
    [[...neo, '--expires-in', 'soon'], /^--expires-in must be a number of seconds\.$/],
    [[...neo, '--walet', newAddress()], /--walet/],
    [[...neo, 'trinity'], /trinity/],
    [['--player', 'nobody'], /^--player must be one of marrow_finch, tessaly_vane, /],
    [[...neo, '--player', 'old_quill'], /^--player replaces --user-id, --username and --wallet\.$/],
  ])('for the arguments %j', async (args, message) => {
    expect(await failureOf(args)).toMatch(message)
  })

  test('if no stack runs on the folder', async () => {
    const folder = newFolder()
    const message = `No local stack runs on ${folder}: start one with npm start, set DATA_DIR to the folder of one, or set USER_JWT_KEY to a KMS key.`
    expect(await failureOf(neo, { DATA_DIR: folder })).toBe(message)
    const dead = run('scripts/user-token.ts', [])
    await dead.ended
    await noteRunning(folder, { pid: dead.child.pid ?? 0, url, userJwtKey })
    expect(await failureOf(neo, { DATA_DIR: folder })).toBe(message)
  })

  test.each(['USER_JWT_JWKS_URL', 'USER_JWT_PUBLIC_KEYS', 'LOGINS'])(
    'if %s names the login of the stack',
    async (setting) => {
      const folder = newFolder()
      const variables = { [setting]: 'https://login.example/keys' }
      await noteRunning(folder, { pid: process.pid, url, userJwtKey, variables })
      expect(await failureOf(neo, { DATA_DIR: folder })).toBe(
        `${url} accepts only user JWTs of another login, which ${setting} names: let that login sign the user JWT.`,
      )
    },
  )

  test('if KMS is not reachable', async () => {
    const folder = newFolder()
    const gone = { ...userJwtKey, endpoint: 'http://127.0.0.1:1' }
    await noteRunning(folder, { pid: process.pid, url, userJwtKey: gone })
    expect(await failureOf(neo, { DATA_DIR: folder })).toContain('127.0.0.1:1')
  })

  test('D70: if only the role of the login can sign with the key', async () => {
    const endpoint = await serve((_, response) => {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' })
      response.end(JSON.stringify({ __type: 'AccessDeniedException', message: 'explicit deny' }))
    })
    const variables = {
      ...{ USER_JWT_KEY: 'alias/login', ISSUER: 'issuer', USER_JWT_AUDIENCE: 'platform' },
      ...{ AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' },
    }
    expect(await failureOf(neo, variables)).toBe(
      'These credentials may not sign with the key alias/login: only the role of loginRoleArn can (docs/first-day.md#6-read-the-nfts-of-a-player). Set AWS_PROFILE to a profile of this role.',
    )
  })

  test('if a key is set without issuer and audience', async () => {
    expect(await failureOf(neo, { USER_JWT_KEY: 'alias/login' })).toBe(
      'Set ISSUER and USER_JWT_AUDIENCE as the service has them.',
    )
  })
})
