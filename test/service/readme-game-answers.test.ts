import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../support/services/http-server.ts'

/** An answer as JSON with its status, or a closed connection. */
type Scripted = [status: number, json: object] | 'lost'

/** Answers the requests to each path in turn, and notes them. */
async function scriptedService(script: Record<string, Scripted[]>) {
  const requests: string[] = []
  const url = await serve((request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'http://service')
    const path = pathname.replace('/api/public/v1', '')
    requests.push(path + search)
    const next = script[path]?.shift() ?? 'lost'
    if (next === 'lost') request.socket.destroy()
    else response.writeHead(next[0]).end(JSON.stringify(next[1]))
  })
  return { url, requests }
}

/** Runs the game of the README without its waits, each of which it prints. */
async function play(url: string) {
  const [code = ''] =
    (await readFile('README.md', 'utf8')).match(/(?<=^```js\n).*?(?=^```$)/ms) ?? []
  const timers = "import { setTimeout as sleep } from 'node:timers/promises'\n"
  expect(code).toContain(timers)
  const folder = await mkdtemp(join(tmpdir(), 'player-nfts-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const printing = "const sleep = async (milliseconds) => console.log('wait', milliseconds)\n"
  await writeFile(join(folder, 'game.mjs'), code.replace(timers, printing))
  const env = { PATH: process.env['PATH'], PORT: new URL(url).port, PRODUCT_ID: 'my-game' }
  const game = promisify(execFile)(process.execPath, ['game.mjs'], { cwd: folder, env })
  return (await game).stdout.trimEnd().split('\n')
}

const nft = (tokenId: string) => ({ tokenId, formattedMetadata: { name: `Lamp ${tokenId}` } })
const error = (name: string): Scripted => [400, { error: name }]

test('the game of the README outlives lost answers and slow_down, and reads every page', async () => {
  const codes = { user_code: 'ABCD', device_code: 'd', verification_uri: 'u', interval: 5 }
  const tokens = { access_token: 'a', refresh_token: 'r' }
  const { url, requests } = await scriptedService({
    '/device/authorization': ['lost', [200, codes]],
    '/token': [
      'lost',
      error('invalid_grant'),
      error('authorization_pending'),
      error('slow_down'),
      [503, { error: 'temporarily_unavailable' }],
      error('authorization_pending'),
      'lost',
      [200, tokens],
    ],
    '/player/tokens': [
      [200, { data: [nft('1')], nextCursor: 'a&b' }],
      'lost',
      [200, { data: [], nextCursor: 'c' }],
      [200, { data: [nft('2')] }],
    ],
  })
  expect(await play(url)).toEqual([
    ...['wait 5000', 'wait 5000', 'Open u and enter ABCD', 'wait 5000', 'wait 5000'],
    ...['wait 10000', 'wait 5000', 'wait 10000', 'wait 5000'],
    ...['1 Lamp 1', 'wait 5000', '2 Lamp 2'],
  ])
  const page = '/player/tokens?productId=my-game&cursor='
  expect(requests.slice(-4)).toEqual([page, `${page}a%26b`, `${page}a%26b`, `${page}c`])
})
