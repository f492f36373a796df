import type { DashboardFile } from '@player-nfts/dashboard/build/dashboard-files'
import { buildSite } from '@player-nfts/dashboard/site/build-site'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../support/services/http-server.ts'
import { launchBrowser } from '../chromium/browser.ts'
import { openDashboard } from '../dashboard/dashboard-page.ts'

/** A web server that has the site below a path, sends no header of ours, and has no other file. */
async function publish(base: string): Promise<string> {
  const files = await buildSite({ repository: 'owner/name', hasOwnPolicy: true })
  return await serve(({ url = '' }, response) => {
    const path = decodeURIComponent(url).replace(base, '/docs/')
    const file: DashboardFile | undefined = url.startsWith(base) ? files.get(path) : undefined
    response.writeHead(file ? 200 : 404, { 'content-type': file?.contentType ?? 'text/plain' })
    response.end(file?.body)
  })
}

test('the published site works below a path, with the policy of its pages, which protects them', async () => {
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const url = await publish('/player-nfts/')
  const { page, misdeeds } = await openDashboard(browser, { url, path: '/player-nfts/index.html' })
  const pictures = page.locator('article img')
  expect(await pictures.count()).toBeGreaterThan(2)
  for (const picture of await pictures.all()) {
    await picture.evaluate((image: HTMLImageElement) => {
      image.loading = 'eager'
    })
    await expect
      .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
  }
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('forget a player')
  await page.getByRole('dialog').getByRole('link').first().waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/player-nfts\/[a-z-]+\.html#/)
  await page.getByText('Dark', { exact: true }).click()
  expect(misdeeds).toEqual({ errors: [], elsewhere: [] })
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.append('window.ran = 1')
    document.body.append(script)
  })
  expect(await page.evaluate(() => 'ran' in window)).toBe(false)
  expect(misdeeds.errors.splice(0).join()).toContain("requires 'TrustedScript'")
})
