import { buildConnect, connectFile } from '@player-nfts/dashboard/build/build-connect'
import type { DashboardFiles } from '@player-nfts/dashboard/build/dashboard-files'
import { pagePaths } from '@player-nfts/dashboard/shell/page-paths'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiGateway } from '../api-gateway/api-gateway.ts'
import { localPages } from '../pages/pages.ts'
import { withSamplePlayers } from '../pages/sample-players/sample-players.ts'
import { sampleSmartAccounts } from '../samples/sample-smart-accounts.ts'
import { samples } from '../samples/samples.ts'
import { useGateway } from './api-gateway/gateway-fixture.ts'

const { start } = await useGateway()

const config = {
  stage: 'local',
  ipfsGateway: 'https://ipfs.example/',
  arweaveGateway: 'https://arweave.example/',
  chains: ['POLYGON'],
  sampleApiKey: 'the-sample-key',
}
const page = localPages({
  config: () => config,
  playerTokenFor: async (player) => (player === 'tessaly_vane' ? 'a-player-token' : undefined),
})

describe('the pages for people', () => {
  let gateway: ApiGateway
  beforeAll(async () => {
    gateway = await start({ page })
  })
  afterAll(() => gateway.close())

  test('are served to GET requests on paths without a route', async () => {
    const status = async (path: string, method = 'GET') =>
      (await fetch(`${gateway.url}${path}`, { method })).status
    expect(await status('/')).toBe(200)
    expect(await status('/echo')).toBe(200)
    expect(await status('/', 'POST')).toBe(404)
  })

  test('have the site of the docs below /docs/, and no other file there', async () => {
    const get = (path: string, method = 'GET') =>
      fetch(gateway.url + path, { method, redirect: 'manual' })
    for (const path of ['/docs', '/docs/', '/docs/?from=a-link']) {
      const { status, headers } = await get(path)
      expect([path, status, headers.get('location')]).toEqual([path, 307, '/docs/index.html'])
    }
    const first = await get('/docs/index.html')
    expect(first.headers.get('content-security-policy')).toContain("script-src 'self'")
    expect(await first.text()).toContain('<h1 id="player-nfts"')
    const head = await get('/docs/index.html', 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
    for (const path of ['/docs/nothing', '/docs/api', '/docs/constructor', '/docs/api.html/']) {
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
  })

  test('D62: are the dashboard, on all its paths and with its files', async () => {
    const get = async (path: string) => await fetch(`${gateway.url}${path}`)
    const html = await (await get('/')).text()
    for (const path of Object.values(pagePaths)) {
      const answer = await get(path.replaceAll(/:\w+/g, '0x1'))
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
      expect(await answer.text()).toBe(html)
    }
    const loaded = Array.from(html.matchAll(/(?:src|href)="(\/[^"]*)"/g), ([, to]) => to ?? '')
    expect(loaded.length).toBeGreaterThan(4)
    for (const path of loaded) expect([path, (await get(path)).status]).toEqual([path, 200])
    for (const path of ['/nothing', '/assets/main.js', '/dev/reload', '/keys/1']) {
      expect([path, (await get(path)).status]).toEqual([path, 404])
    }
    expect(await (await get('/config.json')).json()).toEqual(config)
  })

  test('D114: are /connect with all its files, and with sample players where the stack has them', async () => {
    const samplePlayers = [{ player: 'tessaly_vane', userId: 1002, wallets: 3 }]
    const loadedBy = async (pages: typeof page) => {
      const { url, close } = await start({ page: pages })
      const answer = await fetch(`${url}/connect?code=BCDF-GHJK`)
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'")
      const html = await answer.text()
      const loaded = Array.from(html.matchAll(/(?:src|href)="([^"]*)"/g), ([, to]) => to ?? '')
      for (const path of loaded) {
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
      }
      const script = await fetch(`${url}/connect/sample-players.js`)
      await close()
      return [loaded.length, script.status]
    }
    const withSamples = { config: () => ({ ...config, samplePlayers }) }
    const playerTokenFor = async () => undefined
    expect(await loadedBy(page)).toEqual([4, 404])
    expect(await loadedBy(localPages({ ...withSamples, playerTokenFor }))).toEqual([5, 200])
  })

  test('D62: give no secret to other sites', async () => {
    const post = async (headers: Record<string, string>, player = 'tessaly_vane') => {
      const url = `${gateway.url}/sample-players/${player}/token`
      const answer = await fetch(url, { method: 'POST', headers })
      return [answer.status, answer.headers.get('access-control-allow-origin')]
    }
    const own = { 'sec-fetch-site': 'same-origin', origin: gateway.url }
    expect(await post(own)).toEqual([200, null])
    expect((await post(own, 'nobody'))[0]).toBe(404)
    expect(await post({})).toEqual([403, null])
    expect(await post({ ...own, 'sec-fetch-site': 'same-site' })).toEqual([403, null])
    expect(await post({ ...own, origin: 'http://evil.example' })).toEqual([403, null])
    const readable = await fetch(`${gateway.url}/config.json`, { headers: { origin: 'null' } })
    expect(readable.headers.get('access-control-allow-origin')).toBe(null)
  })
})

test('the page /connect has sample players and code that signs only in npm start', async () => {
  const connect = await buildConnect({ chainIds: { BASE: 8453 } })
  const local = await withSamplePlayers(
    await buildConnect({ chainIds: { BASE: 8453 }, samplePlayers: true }),
  )
  const players = Object.values(samples.players).map(({ username }) => username)
  const names = [...players, ...Object.values(sampleSmartAccounts).map(({ name }) => name)]
  const textOf = (files: DashboardFiles) =>
    [...files.values()].map(({ body }) => new TextDecoder().decode(body)).join()
  for (const trace of [...names, 'brindlewake', 'sample-players', 'Ethereum Signed']) {
    expect([trace, textOf(connect).includes(trace)]).toEqual([trace, false])
    expect([trace, textOf(local).includes(trace)]).toEqual([trace, true])
  }
  const page = new TextDecoder().decode(local.get(connectFile)?.body)
  expect(page).toMatch(/src="\/connect\/sample-players\.js"/)
})
