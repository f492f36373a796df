import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Call } from '../../../dashboard/views/try-it/call.ts'
import { curlSnippet, typescriptSnippet } from '../../../dashboard/views/try-it/snippets.ts'

const run = promisify(execFile)

/** The last page has what looks like a further cursor. */
const pages = [
  '{"data":[{"tokenId":"1"}],"success":true,"nextCursor":"a_1","asOf":"now"}',
  '{"data":[],"success":true,"nextCursor":"b-2","asOf":"now"}',
  String.raw`{"data":[{"tokenId":"2","rawMetadata":{"a":"\\n","nextCursor":"x"}}],"success":true,"asOf":"now"}`,
]

/** Serves the pages, and notes the cursors that it gets, with the credentials. */
async function pagedService() {
  const seen: string[] = []
  const server = createServer(({ url = '', headers }, response) => {
    const { searchParams } = new URL(url, 'http://service')
    const credentials = `${headers['x-api-key']} ${headers['x-player-token']}`
    seen.push(`${searchParams.get('chains')} ${searchParams.get('cursor') ?? ''} ${credentials}`)
    response.end(pages[seen.length - 1])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const call: Call = {
    ...{ origin, form: 'raw', caller: 'server', productId: 'my-game' },
    query: [['chains', 'BSC']],
  }
  return { call, seen }
}

const env = { PATH: process.env['PATH'], API_KEY: 'key', PLAYER_TOKEN: 'token' }
const everyPage = ['BSC  key token', 'BSC a_1 key token', 'BSC b-2 key token']

test('the curl commands print every page as it is', async () => {
  const { call, seen } = await pagedService()
  const { stdout } = await run('sh', ['-c', curlSnippet(call)], { env })
  expect(stdout).toBe(`${pages.join('\n')}\n`)
  expect(seen).toEqual(everyPage)
})

test('the curl commands end at once without a credential', async () => {
  const { call, seen } = await pagedService()
  const { stdout } = await run('sh', ['-c', curlSnippet(call)], { env: { PATH: env.PATH } })
  expect([stdout, seen]).toEqual(['', []])
})

test('the TypeScript module returns the NFTs of every page', async () => {
  const { call, seen } = await pagedService()
  const folder = await mkdtemp(join(tmpdir(), 'player-nfts-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'nfts.mts'), typescriptSnippet(call))
  const { stdout } = await run(process.execPath, [join(folder, 'nfts.mts')], { env })
  expect(stdout.match(/tokenId: '\d'/g)).toEqual(["tokenId: '1'", "tokenId: '2'"])
  expect(seen).toEqual(everyPage)
})
