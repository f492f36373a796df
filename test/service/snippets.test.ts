import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Call } from '../../dashboard/views/try-it/call.ts'
import { curlSnippet, typescriptSnippet } from '../../dashboard/views/try-it/snippets.ts'
import { samples } from '../../local/samples/samples.ts'
import { allowlistingBody } from '../support/requests/allowlists.ts'
import { sharedService } from '../support/services/service.ts'
import { onWindows } from '../support/vitest/windows.ts'

const run = promisify(execFile)

const service = sharedService()

const call: Call = {
  origin: 'https://nfts.example',
  form: 'structured',
  query: [['chains', 'POLYGON,BSC']],
  caller: 'server',
  productId: '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e',
}

/** A product with client access that allowlists NFTs of a sample player, and a token of that player. */
async function sampleCall() {
  const registered = await service.call('POST /product', {
    body: { name: 'Lamps', contactEmail: 'studio@x.example', companyName: 'Gulls' },
  })
  const { apiKey, productId } = registered.json.data
  const body = allowlistingBody({
    contractAddress: '0x22d518c449312143be64cd547c510a1a4ebed207',
    tokens: ['1..24'],
  })
  await service.call('POST /product/tokens', { apiKey, body })
  await service.call('PATCH /product', { apiKey, body: { clientAccess: true } })
  const { playerToken } = await service.newPlayer(samples.players.threeWallets.wallets)
  const answer = async (form: Call['form']) => {
    const path = form === 'raw' ? 'GET /player/tokens/raw' : 'GET /player/tokens'
    const query = { chains: 'POLYGON,BSC' }
    return (await service.call(path, { apiKey, playerToken, query })).json.data
  }
  return { origin: new URL(service.url).origin, apiKey, productId, playerToken, answer }
}

const cases = (['server', 'game'] as const).flatMap((caller) =>
  (['structured', 'raw'] as const).map((form) => [caller, form] as const),
)

describe('Try it: the call as code runs', () => {
  test.skipIf(onWindows).each(cases)(
    'the curl command of a %s reads the %s NFTs',
    async (caller, form) => {
      const { origin, apiKey, productId, playerToken, answer } = await sampleCall()
      const command = curlSnippet({ ...call, origin, productId, caller, form })
      const credentials = caller === 'server' ? { API_KEY: apiKey } : {}
      const env = { PATH: process.env['PATH'], PLAYER_TOKEN: playerToken, ...credentials }
      const { stdout } = await run('sh', ['-c', command], { env })
      expect(stdout).toMatch(/}\n$/)
      const { data } = JSON.parse(stdout)
      expect(data.length).toBeGreaterThan(0)
      expect(data).toEqual(await answer(form))
    },
  )

  test.skipIf(onWindows)('the curl command names a variable that is not set', async () => {
    const { stdout, stderr } = await run('sh', ['-c', curlSnippet(call)], { env: {} })
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/API_KEY: .*is not set/),
    })
  })

  test.each(cases)('the TypeScript of a %s reads the %s NFTs', async (caller, form) => {
    const { origin, apiKey, productId, playerToken, answer } = await sampleCall()
    const code = typescriptSnippet({ ...call, origin, productId, caller, form })
    const more =
      "\nconst nfts = await playerNfts(process.env['PLAYER_TOKEN'] ?? '')\nconsole.log('NFTS' + JSON.stringify(nfts))\n"
    const folder = mkdtempSync(join(tmpdir(), 'snippet-'))
    try {
      const file = join(folder, 'nfts.mts')
      writeFileSync(file, code + more)
      const env = { PLAYER_TOKEN: playerToken, ...(caller === 'server' && { API_KEY: apiKey }) }
      const { stdout } = await run(process.execPath, [file], { env, maxBuffer: 2 ** 24 })
      const data = JSON.parse(stdout.slice(stdout.indexOf('NFTS') + 'NFTS'.length))
      expect(data.length).toBeGreaterThan(0)
      expect(data).toEqual(await answer(form))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
