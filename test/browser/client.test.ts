import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { samples } from '@player-nfts/local/samples'
import { build } from 'esbuild'
import { expect, onTestFinished, test } from 'vitest'
import { packClient } from '../clients/packed/pack-client.ts'
import { newFolder } from '../support/command-fixture.ts'
import { serve } from '../support/services/http-server.ts'
import { sharedService } from '../support/services/service.ts'
import { launchBrowser } from './chromium/browser.ts'

const service = sharedService()
const program = join(import.meta.dirname, '../clients/packed/programs/story.ts')

async function bundle(): Promise<string> {
  const folder = newFolder()
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await writeFile(join(folder, 'story.ts'), await readFile(program, 'utf8'))
  const args = ['install', '--offline', '--no-audit', '--no-fund', packClient(folder)]
  execFileSync('npm', args, { cwd: folder, stdio: 'pipe', shell: process.platform === 'win32' })
  const entryPoints = [join(folder, 'story.ts')]
  // The program shows the names of classes.
  const minified = { minify: true, keepNames: true } as const
  const options = { bundle: true, write: false, platform: 'browser', ...minified } as const
  const { outputFiles } = await build({ entryPoints, ...options, globalName: 'program' })
  return outputFiles[0]?.text ?? ''
}

test('the packed client works in a bundled page of another origin, D61: with request ids', async () => {
  const script = await bundle()
  const url = await serve((_, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>A game</title>')
  })
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(url)
  await page.addScriptTag({ content: script })
  const { playerToken } = await service.newPlayer(samples.players.threeWallets.wallets)
  const contractAddress = samples.collections.gear.address
  const userJwt = await service.userJwt()
  const world = { baseUrl: service.url, playerToken, userJwt, contractAddress }
  const seen = await page.evaluate(`program.story(${JSON.stringify(world)})`)
  expect(seen).toMatchObject({
    requestId: 'string',
    website: 'https://a.example',
    entries: ['2', '5..9', '17'],
    amount: '250.850000000000000001',
    raw: true,
    tokenOfGame: 3,
  })
  expect(seen).toHaveProperty('failures.0', 'UnauthorizedError invalid_api_key')
  expect(seen).toHaveProperty('failures.2', 'PlayerNftsError connection_failed')
})
