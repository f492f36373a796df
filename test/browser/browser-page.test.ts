import { samples } from '@player-nfts/local/samples'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { pageServer } from '../../examples/browser-page/page-server.ts'
import { startFaultProxy } from '../support/proxies/fault-proxy.ts'
import { allowlist } from '../support/requests/allowlists.ts'
import { serve } from '../support/services/http-server.ts'
import { sharedService } from '../support/services/service.ts'
import { launchBrowser } from './chromium/browser.ts'

const service = sharedService()
const { gear, curios } = samples.collections

let browser: Awaited<ReturnType<typeof launchBrowser>>
let apiKey: string
let playerToken: string
beforeAll(async () => {
  browser = await launchBrowser()
  apiKey = await service.newProduct()
  // The pictures of the gear are on the local service, which has no HTTPS. Curio 8 has its picture elsewhere.
  for (const { chain, address: contractAddress, tokenIds: tokens } of [
    gear,
    { ...curios, tokenIds: ['8'] },
  ]) {
    await allowlist(service.call, apiKey, { chain, contractAddress, tokens })
  }
})
afterAll(() => browser?.close())
beforeEach(async () => {
  playerToken = (await service.newPlayer(samples.players.threeWallets.wallets)).playerToken
})

/** The page with the shared service. If `nfts` is given, it replaces the NFTs of the service's responses. */
async function openPage(nfts?: { name: string; image: string | null }[]) {
  const body = { data: nfts?.map(nftOf), success: true }
  const proxy =
    nfts &&
    (await startFaultProxy({
      target: service.url,
      onRequest: ({ action }) =>
        action === 'GET /api/public/v1/player/tokens' ? { status: 200, body } : undefined,
    }))
  const url = await serve(pageServer({ SERVICE_URL: proxy?.url ?? service.url, API_KEY: apiKey }))
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const images: string[] = []
  await page.route(/^https:/, async (route) => {
    images.push(route.request().url())
    await route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    })
  })
  const messages: string[] = []
  page.on('console', (message) => messages.push(message.text()))
  page.on('pageerror', (error) => messages.push(error.message))
  await page.goto(url)
  const show = async (token: string) => {
    await page.fill('input', token)
    await page.click('button')
    await page.waitForFunction(() => document.querySelector('#status')?.textContent !== 'Loading…')
  }
  return { page, show, images, messages }
}

const nftOf = ({ name, image }: { name: string; image: string | null }, index: number) => ({
  tokenId: String(index),
  address: gear.address,
  chain: gear.chain,
  owner: gear.address,
  balance: '1',
  metadataLink: '',
  formattedMetadata: { name, description: name, image, attributes: [] },
})

describe('examples/browser-page', () => {
  test('shows the player, the exact balance, and the NFTs with their images', async () => {
    const { page, show, images, messages } = await openPage()
    await show(playerToken)
    expect(await page.textContent('#username')).toBe('marrow_finch')
    expect(await page.textContent('#amount')).toBe('250.850000000000000001')
    const { json } = await service.call('GET /player/tokens', { apiKey, playerToken })
    const names = json.data.map((nft: ReturnType<typeof nftOf>) => nft.formattedMetadata.name)
    expect(await page.locator('#nfts strong').allTextContents()).toEqual(names)
    const pictures = page.locator('#nfts img')
    for (const picture of await pictures.all()) {
      await picture.scrollIntoViewIfNeeded()
      await picture.evaluate((image: HTMLImageElement) => image.decode())
    }
    const sources = await pictures.evaluateAll((found: HTMLImageElement[]) =>
      found.map(({ src }) => src),
    )
    expect(sources.filter((source) => source.startsWith(`${service.url}/ipfs/`))).not.toEqual([])
    expect(images[0]).toMatch(/^https:\/\/assets\.brindlewake\.example\/curios\//)
    expect(messages).toEqual([])
  })

  test('shows hostile metadata as text, and loads images only over HTTPS and from the service', async () => {
    const hostile = '<img src=x onerror="window.ran = 1"><script>window.ran = 1</script>'
    const unusable = ['javascript:window.ran = 1', 'http://images.example/1.png', 'no URL', null]
    const dataUrl =
      'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="window.ran = 1"/>'
    const image = 'https://images.example/"onerror="window.ran=1'
    const { page, show, images, messages } = await openPage([
      ...[...unusable, dataUrl].map((url) => ({ name: hostile, image: url })),
      { name: hostile, image },
    ])
    await show(playerToken)
    expect(await page.locator('#nfts strong').allTextContents()).toEqual(Array(6).fill(hostile))
    await page.locator('#nfts img').scrollIntoViewIfNeeded()
    expect(await page.locator('img').count()).toBe(1)
    expect(images).toEqual([new URL(image).href])
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(messages).toEqual([])
  })

  test('has a content security policy that prevents injected markup from running scripts', async () => {
    const { page, messages } = await openPage([])
    await page.evaluate(() => {
      document.body.innerHTML = '<img src="data:," onerror="window.ran = 1">'
    })
    await page.waitForFunction(() => document.querySelector('img')?.complete)
    expect(await page.evaluate(() => 'ran' in window)).toBe(false)
    expect(messages.join()).toContain('Content Security Policy')
  })

  test('shows what to do when the player token is invalid', async () => {
    const { page, show } = await openPage()
    await show('no.such.token')
    expect(await page.textContent('#status')).toBe('This player token is not valid. Sign in again.')
    expect(await page.isVisible('#player')).toBe(false)
  })
})
