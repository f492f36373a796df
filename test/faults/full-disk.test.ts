import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { numbers } from '@player-nfts/local/samples'
import { expect, onTestFinished, test } from 'vitest'
import { end, newFolder, startService } from '../support/command-fixture.ts'
import { allowedPages, allowlist } from '../support/requests/allowlists.ts'
import { clientOf } from '../support/requests/client.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { newAddress, registration } from '../support/services/service.ts'

/** The limit for the size of a file, in bytes: for the process it is like a disk that is full. */
const limit = 1_048_576

const tokens = (first: number) => Array.from({ length: 4_000 }, (_, n) => String(first + n))

test.skipIf(process.platform !== 'linux')(
  'a full disk fails the calls that write with 503 and its reason, and ends nothing',
  { timeout: 180_000 },
  async () => {
    const folder = newFolder()
    const DATA_DIR = join(folder, 'data')
    // Without the signal XFSZ, a write over the limit fails with EFBIG.
    const script = `trap '' XFSZ; exec "${process.execPath}" local/start.ts`
    const { PATH = '' } = process.env
    const env = { PATH, PORT: '0', DATA_DIR, TMPDIR: folder, INDEXER_URL: 'http://127.0.0.1:1' }
    const child = spawn('bash', ['-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    const note = join(DATA_DIR, 'running.json')
    while (!output.includes('Full log')) {
      expect(child.exitCode, output).toBe(null)
      await sleep(50)
    }
    expect(existsSync(note)).toBe(true)
    const call = clientOf(JSON.parse(readFileSync(note, 'utf8')).url)
    const limitFiles = (bytes: number | 'unlimited') =>
      execFileSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:unlimited`])
    limitFiles(limit)
    const apiKey = (await call('POST /product', { body: registration() })).json.data.apiKey
    const contractAddress = newAddress()
    const allowlisting = (first: number) =>
      call('POST /product/tokens', {
        apiKey,
        body: { contractAddress, contractDescription: 'A contract.', tokens: tokens(first) },
      })

    const acknowledged: number[] = []
    let failure = await allowlisting(1)
    for (let first = 1; failure.status === 200; ) {
      acknowledged.push(first)
      first += 4_000
      failure = await allowlisting(first)
    }
    expectProblem(failure, 'service_unavailable')
    await expect
      .poll(() => output)
      .toMatch(/(PutItem|BatchWriteItem|UpdateItem) failed: .*(large|EFBIG)/)
    expect((await call('GET /product', { apiKey })).status).toBe(200)
    expect((await call('POST /product', { body: registration() })).status).toBe(503)

    limitFiles('unlimited')
    expect((await call('POST /product', { body: registration() })).status).toBe(200)
    await allowlist(call, apiKey, { contractAddress: newAddress(), tokens: ['0'] })
    const pages = await allowedPages(call, apiKey)
    const allowed = new Set(pages.flat().map(({ tokenId }) => tokenId))
    for (const first of acknowledged) {
      for (const tokenId of tokens(first)) expect(allowed.has(tokenId)).toBe(true)
    }
    expect(child.exitCode).toBe(null)
  },
)

test('D17: kill -9 during an allowlisting of 10,000 NFTs, restart, repeat: exactly these NFTs', async () => {
  const folder = newFolder()
  const settings = {
    DATA_DIR: join(folder, 'data'),
    TMPDIR: folder,
    INDEXER_URL: 'http://127.0.0.1:1',
  }
  const start = async () => {
    const running = await startService(settings)
    return { call: clientOf(running.url), kill: () => end(running, 'SIGKILL') }
  }
  const tokenIds = numbers(1, 10_000)

  const first = await start()
  const registered = await first.call('POST /product', { body: registration() })
  const { apiKey } = registered.json.data
  const request = {
    apiKey,
    body: {
      contractAddress: newAddress(),
      contractDescription: 'A contract with ten thousand NFTs.',
      tokens: tokenIds,
    },
  }
  const interrupted = first.call('POST /product/tokens', request).catch(() => 'no answer')
  const oneOf = { apiKey, query: { limit: '1' } }
  while ((await first.call('GET /product/tokens', oneOf)).json.data.length === 0) await sleep(5)
  await first.kill()
  expect(await interrupted).toBe('no answer')

  const second = await start()
  const list = async (): Promise<string[]> => {
    const { json } = await second.call('GET /product/tokens', { apiKey })
    expect(json.nextCursor).toBeUndefined()
    return json.data.map(({ tokenId }: { tokenId: string }) => tokenId)
  }
  const survived = await list()
  expect(survived.length).toBeGreaterThan(0)
  expect(survived.length).toBeLessThan(10_000)
  const wanted = new Set(tokenIds)
  expect(survived.filter((tokenId) => !wanted.has(tokenId))).toEqual([])
  const answer = await second.call('POST /product/tokens', request)
  expect(answer.json.data).toHaveLength(10_000)
  expect(await list()).toEqual(tokenIds)
})
