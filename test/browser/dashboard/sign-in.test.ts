import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../chromium/browser.ts'
import { openDashboard, startDashboard, takeScreenshots } from './dashboard-page.ts'

let browser: Awaited<ReturnType<typeof launchBrowser>>
let service: Awaited<ReturnType<typeof startDashboard>>
beforeAll(async () => {
  browser = await launchBrowser()
  service = await startDashboard({}, { onEnd: afterAll })
})
afterAll(() => browser?.close())

describe('Sign in', () => {
  test('is where the dashboard begins, and is accessible', async () => {
    const { page, expectAccessible } = await openDashboard(browser, { url: service.url })
    await page.waitForURL('**/sign-in')
    await page.waitForSelector('h1')
    await expectAccessible()
    await takeScreenshots(page, 'sign-in')
    expect(await page.title()).toBe('Sign in · Player NFTs')
  })

  test('with a key shows the pages', async () => {
    const apiKey = await service.newProduct()
    const { page, expectAccessible } = await openDashboard(browser, {
      url: service.url,
      apiKey,
      path: '/keys',
    })
    await page.waitForSelector('h1')
    await takeScreenshots(page, 'keys')
    await expectAccessible()
  })
})
