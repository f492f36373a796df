import { describe, expect, test } from 'vitest'
import { allowlist } from '../../support/requests/allowlists.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { answering, gear, useDashboard } from './dashboard-page.ts'

const { service, product, connect, open } = useDashboard()

const steps = (page: BrowserPage) => page.locator('.steps a').allTextContents()

const stepsDone = (page: BrowserPage) => page.locator('.steps .is-done a').allTextContents()

test('the first steps tick off, and can be closed', async () => {
  await connect('1')
  const { page } = await open('/nfts')
  await expect.poll(() => stepsDone(page)).toEqual(['Add NFTs'])
  await page.click('.steps a:has-text("Try it")')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.waitForSelector('text=The game sees')
  await page.click('nav a:has-text("NFTs")')
  await expect.poll(() => stepsDone(page)).toEqual(['Add NFTs', 'Try it'])
  await page.locator('.notice:has(.steps)').getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await page.waitForSelector('.contract-row')
  expect(await steps(page)).toEqual([])
})

describe('Contracts', () => {
  test('show the pictures of their first NFTs, which are read once in a session', async () => {
    await connect('1', '2', '3', '4')
    const { page } = await open('/nfts')
    const pictures = page.locator('.contract-pictures img')
    await expect.poll(() => pictures.count()).toBe(3)
    const areLoaded = () =>
      pictures.evaluateAll((images: HTMLImageElement[]) =>
        images.every(({ naturalWidth }) => naturalWidth > 0),
      )
    await expect.poll(areLoaded).toBe(true)
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.reload()
    await expect.poll(() => pictures.count()).toBe(3)
    expect(requests.filter((path) => path.endsWith('/product/nfts'))).toEqual([])
  })

  test('D157: say whether they are kept', async () => {
    await connect('1')
    const [contract] = (await service.call('GET /product/contracts', product)).json.data
    const ownership = { kept: true, since: '2026-11-29T12:00:00.000Z' }
    const json = { data: [{ ...contract, ownership }], success: true }
    const prepare = answering('**/product/contracts*', (route) => route.fulfill({ json }))
    const { page, expectGoodLayout } = await open('/nfts', { prepare })
    const kept = page.getByText('Kept since 29 Nov 2026: reads need no indexer.')
    await kept.waitFor()
    await expectGoodLayout('nfts-kept')
    await page.locator('.contract-row').click()
    await page.locator('h1').waitFor()
    await kept.waitFor()
  })

  test('a product without NFTs leads to the form, and Back to the list', async () => {
    const { page, expectGoodLayout } = await open('/nfts')
    await page.waitForSelector('text=No NFTs yet')
    // One main action, and what comes next.
    expect(await page.locator('.button.is-primary').allTextContents()).toEqual([
      'Add the first NFTs',
    ])
    expect(await steps(page)).toEqual(['Add NFTs', 'Try it', 'Call it from your game'])
    await page.getByRole('link', { name: 'Brindlewake Gear' }).click()
    await page.getByRole('heading', { level: 1, name: 'Add NFTs' }).waitFor()
    expect(await page.getByLabel('Contract address').inputValue()).toBe(gear.address)
    // Until the list is read, the button is disabled.
    await page.getByRole('button', { name: 'Add the whole collection' }).waitFor()
    await expectGoodLayout('nfts-add')
    const [form, main] = await Promise.all(
      ['.add-form', 'main'].map((part) => page.locator(part).boundingBox()),
    )
    expect((form?.width ?? 0) / (main?.width ?? 0)).toBeGreaterThan(0.9)
    await page.goBack()
    await page.waitForSelector('text=No NFTs yet')
  })

  test('are listed with their numbers and ranges, and can be searched', async () => {
    await connect('1', '7', '10..12')
    for (let number = 1; number <= 6; number += 1) {
      const contractAddress = `0x${String(number).repeat(40)}`
      const contractDescription = `Contract ${number} of the season`
      const about = { chain: 'BSC', contractAddress, contractDescription }
      await allowlist(service.call, product.apiKey, { ...about, tokens: ['1'] })
    }
    const { page, expectGoodLayout } = await open('/nfts')
    const row = page.locator(`.contract-row:has-text("${gear.address}")`)
    expect(await row.innerText()).toContain('5 NFTs')
    expect(await row.innerText()).toContain('10..12')
    await expectGoodLayout('nfts')
    await page.getByLabel('Search').fill('bsc season 4')
    await page.waitForSelector('text=1 of 7 contracts')
    await page.reload()
    await page.waitForSelector('text=1 of 7 contracts')
    await page.click('.contract-row')
    await page.waitForURL(`**/nfts/BSC/0x${'4'.repeat(40)}`)
  })
})
