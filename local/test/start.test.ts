import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  failureOf as commandFailure,
  end,
  newFolder,
  run,
  type StartedService,
  startService,
} from '../../test/support/command-fixture.ts'
import { allowedTokenIds, allowlist } from '../../test/support/requests/allowlists.ts'
import { clientOf } from '../../test/support/requests/client.ts'
import { expectProblem } from '../../test/support/requests/problem.ts'
import { newAddress, registration } from '../../test/support/services/service.ts'
import { onWindows } from '../../test/support/vitest/windows.ts'
import { samples } from '../samples/samples.ts'

/** The line with which `npm start` fails. */
const failureOf = async (variables: Record<string, string>, ...args: string[]) =>
  await commandFailure(run('local/start.ts', args, { PORT: '0', ...variables }))

/** Returns a port on which a server listens until the test ends. */
async function takenPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return String((server.address() as AddressInfo).port)
}

/** Rejects if the port is taken. */
async function listenOn(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  await promisify(server.close.bind(server))()
}

// The tests build on each other, because each start takes seconds.
describe.skipIf(onWindows)('npm start', () => {
  const [DATA_DIR, TMPDIR] = [join(newFolder(afterAll), 'data'), newFolder(afterAll)]
  const endings: (() => void)[] = []
  afterAll(() => {
    for (const kill of endings) kill()
  })
  const start = async (...args: string[]) =>
    await startService({ DATA_DIR, TMPDIR }, args, (kill) => endings.push(kill))

  const contractAddress = newAddress()
  const allowlistAt = async ({ url }: StartedService, tokens: string[]) =>
    await allowlist(clientOf(url), apiKey, { contractAddress, tokens })
  const allowedAt = async ({ url }: StartedService) => await allowedTokenIds(clientOf(url), apiKey)

  let first: StartedService
  let fresh: StartedService
  let apiKey: string

  test('runs the service on a new folder', async () => {
    first = await start()
    const call = clientOf(first.url)
    expect((await call('GET /public-key')).status).toBe(200)
    apiKey = (await call('POST /product', { body: registration() })).json.data.apiKey
    await allowlistAt(first, ['1', '2'])
  })

  test('prints three commands that work without changes', async () => {
    expect(first.commands).toHaveLength(3)
    const answers = await Promise.all(
      first.commands.map(async (command) => {
        const { stdout } = await promisify(execFile)('bash', ['-c', `${command} --silent`])
        return JSON.parse(stdout)
      }),
    )
    expect(answers.map(({ success }) => success)).toEqual([true, true, true])
    const [structured, raw, details] = answers.map(({ data }) => data)
    expect(structured.length).toBeGreaterThan(10)
    expect(raw.length).toBeGreaterThan(2)
    expect(new Set(raw.map(({ chain }: { chain: string }) => chain))).toEqual(new Set(['BSC']))
    expect(details).toMatchObject({ userId: 1002, username: 'tessaly_vane' })
  })

  test('D57: has a minted NFT in the next answer, without any call of the game', async () => {
    const shell = async (command: string) =>
      (await promisify(execFile)('bash', ['-c', command])).stdout
    const lanterns = async () =>
      JSON.parse(await shell(`${first.commands[0]} --silent`)).data.flatMap(
        ({ address, tokenId }: { address: string; tokenId: string }) =>
          address === samples.collections.lanterns.address ? [tokenId] : [],
      )
    const [mint = ''] = first.output().match(/^DATA_DIR=.* mint -- .*$/m) ?? []
    expect(await lanterns()).toEqual([])
    expect(await shell(mint)).toContain('10001')
    expect(await lanterns()).toEqual(['10001'])
    await shell(mint)
    expect(await lanterns()).toEqual(['10001', '10002'])
  })

  test('creates its data for the owner only', () => {
    const modeOf = (name: string) => statSync(join(DATA_DIR, name)).mode & 0o777
    expect(modeOf('.')).toBe(0o700)
    expect(modeOf('running.json')).toBe(0o600)
    expect(modeOf('sample-product.json')).toBe(0o600)
  })

  test('fails on the same folder at the same time, also with --fresh', async () => {
    const failures = [failureOf({ DATA_DIR }), failureOf({ DATA_DIR }, '--fresh')]
    const message = `${DATA_DIR} is in use by another process: stop that npm start, or set DATA_DIR to another folder.`
    expect(await Promise.all(failures)).toEqual([message, message])
    expect(await allowedAt(first)).toEqual(['1', '2'])
  })

  test('ends on Ctrl-C, and leaves only its folder', async () => {
    expect(await end(first, 'SIGINT')).toMatchObject({ code: 0, stderr: '' })
    await listenOn(Number(new URL(first.url).port))
    expect(existsSync(join(DATA_DIR, 'running.json'))).toBe(false)
    expect(readdirSync(TMPDIR)).toEqual([])
  })

  test('has all its data when it starts again after Ctrl-C and after kill -9', async () => {
    const second = await start()
    expect(await allowedAt(second)).toEqual(['1', '2'])
    const product = await clientOf(second.url)('GET /product', { apiKey })
    expect(product.json.data).toEqual({ ...registration(), productId: expect.any(String) })
    await allowlistAt(second, ['3'])
    await end(second, 'SIGKILL')

    const third = await start()
    expect(await allowedAt(third)).toEqual(['1', '2', '3'])
    const [sampleKey] = first.commands[0]?.match(/[0-9a-f-]{36}/) ?? []
    expect(third.commands[0]).toContain(sampleKey)
    const [, playerToken = ''] = first.commands[2]?.match(/playerToken=([\w.-]+)/) ?? []
    const details = await clientOf(third.url)('GET /player/details', { playerToken })
    expect(details.status).toBe(200)
    expect(await end(third, 'SIGTERM')).toMatchObject({ code: 0, stderr: '' })
  })

  test('with --fresh, deletes only its own files in the folder', async () => {
    writeFileSync(join(DATA_DIR, 'notes.txt'), 'mine')
    fresh = await start('--fresh')
    const call = clientOf(fresh.url)
    expectProblem(await call('GET /product', { apiKey }), 'invalid_api_key')
    expect(readFileSync(join(DATA_DIR, 'notes.txt'), 'utf8')).toBe('mine')
  })

  test('names the page that explains a refusal below its first line', async () => {
    expectProblem(await clientOf(fresh.url)('GET /product', { apiKey }), 'invalid_api_key')
    const lines = () => fresh.output().split('\n').slice(-5, -1)
    await expect
      .poll(lines)
      .toEqual([
        '',
        expect.stringContaining(' GET /api/public/v1/product 401 '),
        expect.stringContaining(`: ${fresh.url}/docs/reference-problems.html#invalid_api_key`),
        expect.stringContaining(' GET /api/public/v1/product 401 '),
      ])
  })
})

test.skipIf(onWindows)('npm start cleans up if it is interrupted before it is ready', async () => {
  const [DATA_DIR, TMPDIR] = [newFolder(), newFolder()]
  const starting = run('local/start.ts', [], { PORT: '0', DATA_DIR, TMPDIR })
  while (!existsSync(join(DATA_DIR, 'lock'))) await sleep(5)
  expect(await end(starting, 'SIGINT')).toMatchObject({ code: 0, stderr: '' })
  expect(readdirSync(TMPDIR)).toEqual([])
  expect(existsSync(join(DATA_DIR, 'running.json'))).toBe(false)
})

test('npm start says how it ends also without the sample world', async () => {
  const INDEXER_URL = 'http://127.0.0.1:1'
  const { url, commands } = await startService({ DATA_DIR: newFolder(), INDEXER_URL })
  expect(commands).toEqual([])
  expect(await (await fetch(url)).text()).not.toContain('sample')
})

describe('npm start fails with one line', () => {
  test('if the port is taken', async () => {
    const port = await takenPort()
    const message = `Port ${port} is in use by another process: stop what listens there, or set PORT to another port.`
    expect(await failureOf({ PORT: port, DATA_DIR: newFolder() })).toBe(message)
    expect(await failureOf({ DATA_DIR: newFolder() }, '--port', port)).toBe(message)
  })

  test('if the folder cannot be used', async () => {
    const file = join(newFolder(), 'file')
    writeFileSync(file, '')
    const failures = await Promise.all([
      failureOf({ DATA_DIR: file }),
      failureOf({ DATA_DIR: join(file, 'below') }, '--fresh'),
    ])
    for (const failure of failures) {
      expect(failure).toMatch(
        /file.* cannot be used \(E[A-Z]+\): set DATA_DIR to a folder that can be written\.$/,
      )
    }
  })

  test('if a file in the folder is damaged', async () => {
    const DATA_DIR = newFolder()
    writeFileSync(join(DATA_DIR, 'dynamodb-writes'), '{')
    expect(await failureOf({ DATA_DIR })).toContain(join(DATA_DIR, 'dynamodb-writes'))
  })

  test('if a setting or option is invalid, before it writes to the folder', async () => {
    const DATA_DIR = join(newFolder(), 'data')
    const [badSetting, badPort, badOption] = await Promise.all([
      failureOf({ DATA_DIR, PORT: '70000' }),
      failureOf({ DATA_DIR }, '--port', '70000'),
      failureOf({ DATA_DIR, PORT: '' }, '--frsh'),
    ])
    expect([badSetting, badPort]).toEqual(Array(2).fill('PORT must be a port number.'))
    expect(badOption).toContain('--frsh')
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  test('if AWS is not reachable', async () => {
    const variables = {
      DATA_DIR: newFolder(),
      AWS_ENDPOINT_URL: 'http://127.0.0.1:1',
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
    }
    expect(await failureOf(variables)).toContain('http://127.0.0.1:1')
  })
})
