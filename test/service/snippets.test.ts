import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Call } from '@player-nfts/dashboard/views/try-it/call'
import { curlSnippet, typescriptSnippet } from '@player-nfts/dashboard/views/try-it/snippets'
import { samples } from '@player-nfts/local/samples'
import { describe, expect, test } from 'vitest'
import { newFolder } from '../support/command-fixture.ts'
import { productWith } from '../support/requests/reading.ts'
import { serve } from '../support/services/http-server.ts'
import { sharedService } from '../support/services/service.ts'
import { onWindows } from '../support/vitest/windows.ts'

const run = promisify(execFile)

const service = sharedService()

const call: Call = {
  origin: 'https://nfts.example',
  form: 'structured',
  query: [
    ['chains', 'POLYGON,BSC'],
    ['limit', '2'],
  ],
  caller: 'server',
  productId: '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e',
}

/** A product with client access that allowlists NFTs of a sample player, and a token of that player. */
async function sampleCall() {
  const apiKey = await productWith(service, { ...samples.collections.gear, tokenIds: ['1..24'] })
  const open = { apiKey, body: { clientAccess: true } }
  const { productId } = (await service.call('PATCH /product', open)).json.data
  const { playerToken } = await service.newPlayer(samples.players.threeWallets.wallets)
  const answer = async (form: Call['form']) => {
    const path = form === 'raw' ? 'GET /player/tokens/raw' : 'GET /player/tokens'
    const query = { chains: 'POLYGON,BSC' }
    return (await service.call(path, { apiKey, playerToken, query })).json.data
  }
  return { origin: new URL(service.url).origin, apiKey, productId, playerToken, answer }
}

/** The NFTs of short pages come wallet by wallet in turn. */
const inOneOrder = (nfts: unknown[]) => nfts.map((nft) => JSON.stringify(nft)).sort()

const cases = [
  ['server', 'structured'],
  ['game', 'raw'],
] as const

describe('Try it: the call as code runs', () => {
  test.skipIf(onWindows).each(cases)(
    'the curl command of a %s reads all %s NFTs',
    async (caller, form) => {
      const { origin, apiKey, productId, playerToken, answer } = await sampleCall()
      const command = curlSnippet({ ...call, origin, productId, caller, form })
      const credentials = caller === 'server' ? { API_KEY: apiKey } : {}
      const env = { PATH: process.env['PATH'], PLAYER_TOKEN: playerToken, ...credentials }
      const { stdout } = await run('sh', ['-c', command], { env })
      const pages = stdout.trimEnd().split('\n')
      expect(pages.length).toBeGreaterThan(1)
      const data = pages.flatMap((page) => JSON.parse(page).data)
      expect(inOneOrder(data)).toEqual(inOneOrder(await answer(form)))
    },
  )

  test.skipIf(onWindows)('the curl command names a variable that is not set', async () => {
    const { stdout, stderr } = await run('sh', ['-c', curlSnippet(call)], { env: {} })
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/API_KEY: .*is not set/),
    })
  })

  test.each(cases)('the TypeScript of a %s reads all %s NFTs', async (caller, form) => {
    const { origin, apiKey, productId, playerToken, answer } = await sampleCall()
    const code = typescriptSnippet({ ...call, origin, productId, caller, form })
    const more =
      "\nconst nfts = await playerNfts(process.env['PLAYER_TOKEN'] ?? '')\nconsole.log('NFTS' + JSON.stringify(nfts))\n"
    const file = join(newFolder(), 'nfts.mts')
    await writeFile(file, code + more)
    const env = { PLAYER_TOKEN: playerToken, ...(caller === 'server' && { API_KEY: apiKey }) }
    const { stdout } = await run(process.execPath, [file], { env, maxBuffer: 2 ** 24 })
    const data = JSON.parse(stdout.slice(stdout.indexOf('NFTS') + 'NFTS'.length))
    expect(data.length).toBeGreaterThan(2)
    expect(inOneOrder(data)).toEqual(inOneOrder(await answer(form)))
  })
})

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
  const folder = newFolder()
  const printing = "const sleep = async (milliseconds) => console.log('wait', milliseconds)\n"
  await writeFile(join(folder, 'game.mjs'), code.replace(timers, printing))
  const env = { PATH: process.env['PATH'], PORT: new URL(url).port, PRODUCT_ID: 'my-game' }
  const game = run(process.execPath, ['game.mjs'], { cwd: folder, env })
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
