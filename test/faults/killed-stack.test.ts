import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { numbers } from '../../local/samples/samples.ts'
import { clientOf } from '../support/requests/client.ts'
import { newAddress, registration } from '../support/services/service.ts'

const start = join(import.meta.dirname, '../../local/start.ts')

/** Runs `npm start` with a data folder and without the samples. Ends with the test. */
async function startStack(folder: string) {
  const child = spawn(process.execPath, [start], {
    env: {
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      TMPDIR: folder,
      INDEXER_URL: 'http://127.0.0.1:1',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  return { call: clientOf(await urlOf(child)), kill }
}

async function urlOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('its output is not read')
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url] = line.match(/The service runs at (\S+)/) ?? []
    if (url) return url
  }
  throw new Error('The stack has ended.')
}

test('D17: kill -9 during an allowlisting of 10,000 NFTs, restart, repeat: exactly these NFTs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'player-nfts-killed-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const asked = numbers(1, 10_000)

  const first = await startStack(folder)
  const registered = await first.call('POST /product', { body: registration() })
  const { apiKey } = registered.json.data
  const request = {
    apiKey,
    body: {
      contractAddress: newAddress(),
      contractDescription: 'A contract with ten thousand NFTs.',
      tokens: asked,
    },
  }
  const interrupted = first.call('POST /product/tokens', request).catch(() => 'no answer')
  const oneOf = { apiKey, query: { limit: '1' } }
  while ((await first.call('GET /product/tokens', oneOf)).json.data.length === 0) await sleep(5)
  await first.kill()
  expect(await interrupted).toBe('no answer')

  const second = await startStack(folder)
  const list = async (): Promise<string[]> => {
    const { json } = await second.call('GET /product/tokens', { apiKey })
    expect(json.nextCursor).toBeUndefined()
    return json.data.map(({ tokenId }: { tokenId: string }) => tokenId)
  }
  const survived = await list()
  expect(survived.length).toBeGreaterThan(0)
  expect(survived.length).toBeLessThan(10_000)
  const wanted = new Set(asked)
  expect(survived.filter((tokenId) => !wanted.has(tokenId))).toEqual([])
  const answer = await second.call('POST /product/tokens', request)
  expect(answer.json.data).toHaveLength(10_000)
  expect(await list()).toEqual(asked)
})
